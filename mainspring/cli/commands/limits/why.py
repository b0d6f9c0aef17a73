"""`mainspring why`."""

import re

import click

from mainspring.cli.commands.runs.ids import whole_run
from mainspring.cli.output.tables import cell
from mainspring.cli.output.terminal import escape
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.limits import ObstacleInfo, WhyInfo
from mainspring.errors import NotFoundError

RUN = re.compile(r"[0-9a-fA-F-]{4,36}")


def print_why(found: WhyInfo) -> None:
    click.echo(f"{found.of} is {found.state}")
    for position, reason in enumerate(found.reasons):
        click.echo(f"{'also: ' if position else ''}{describe(reason)}")
        if reason.remedy:
            click.echo(f"  to end that: {escape(reason.remedy)}")


def describe(reason: ObstacleInfo) -> str:
    since = f", since {cell(reason.since)}" if reason.since is not None else ""
    until = f", until {cell(reason.until)}" if reason.until is not None else ""
    return f"{escape(reason.text)}{since}{until}."


@click.command("why")
@click.argument("target", metavar="RUN|TRIGGER")
@prints(print_why, names=False)
def why(client: Client, *, target: str) -> WhyInfo:
    """Explain why a run is not running, or why a trigger has not fired."""
    if RUN.fullmatch(target):
        try:
            return client.limits.why(whole_run(client, target))
        except NotFoundError as error:
            try:
                return client.limits.why_trigger(target)
            except NotFoundError:
                raise error from None
    return client.limits.why_trigger(target)
