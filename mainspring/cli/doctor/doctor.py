"""`mainspring doctor`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from mainspring.cli.doctor.checks.access import WAYS, check_access
from mainspring.cli.doctor.checks.database import ask_server, check_database
from mainspring.cli.doctor.checks.here import MachineSettings, check_configuration, check_home, read_place
from mainspring.cli.doctor.checks.invariants import check_invariants
from mainspring.cli.doctor.checks.server import check_server
from mainspring.cli.doctor.checks.work import check_work
from mainspring.cli.options import client_options, is_quiet, report_option
from mainspring.cli.output.exits import FAILURE
from mainspring.cli.output.tables import STYLES, cell, is_colourful, print_content
from mainspring.client.transport.servers import find_token
from mainspring.clock import Clock, SystemClock
from mainspring.domain.cluster.finding import Finding, Grade, fail
from mainspring.errors import ConfigError


@click.command()
@client_options
@report_option
def doctor(*, output: str, **target: Any) -> None:
    """Check this machine, the server, the database and the work, and name a remedy for each problem.

    The checks cover the settings, the home directory, the server, the token, queues and executors, the invariants of the
    store, and the database if one is configured here. They change nothing. --quiet prints problems only. Exits 1 if a
    check failed.
    """
    findings: list[Finding] = []
    for finding in examine(**target):
        findings.append(finding)
        if output == "table" and not (is_quiet() and finding.grade is Grade.OK):
            show(finding)
    if output != "table":
        print_content(findings, output)
    if any(finding.grade is Grade.FAIL for finding in findings):
        sys.exit(FAILURE)


def examine(**target: Any) -> Iterator[Finding]:
    """Run all checks, each after those it builds on."""
    clock = SystemClock()
    try:
        place = read_place(**target)
    except ConfigError as error:
        yield fail("configuration", str(error), "'mainspring config show --origin' says where settings come from")
        return
    yield check_configuration(place)
    yield check_home(Path(place.client.home))
    yield from examine_server(place, clock)
    if place.database_given:
        yield from check_database(place.server, clock.now())


def examine_server(place: MachineSettings, clock: Clock) -> Iterator[Finding]:
    """Check the server; later checks run only if it answers and accepts the token."""
    trouble, known = None, place.client
    try:
        known = msgspec.structs.replace(place.client, token=find_token(place.client))
    except ConfigError as error:
        trouble = fail("token", str(error), WAYS)
    answered = check_server(known, clock)
    yield from answered
    if answered[0].grade is Grade.FAIL:
        return
    if trouble is not None:
        yield trouble
        return
    access = check_access(known, clock.now())
    yield access
    if access.grade is not Grade.FAIL:
        yield from check_work(known, clock.now())
        yield from check_invariants(known)
        if not place.database_given:
            yield from ask_server(known)


def show(finding: Finding) -> None:
    grade = click.style(f"{finding.grade:<4}", fg=STYLES[finding.grade]) if is_colourful() else f"{finding.grade:<4}"
    advice = f" → {finding.advice}" if finding.advice else ""
    click.echo(f"{grade}  {finding.check:<14}  {cell(finding.found)}{advice}")
