"""The common parts of commands on sweeps: how one is printed, begun and watched."""

from functools import partial
from typing import Any

import click

from mainspring.cli.commands.bulk.watch import print_begun, watch
from mainspring.cli.commands.runs.filters import label_option, since_options, tag_option
from mainspring.cli.durations import read_seconds
from mainspring.cli.options import options
from mainspring.cli.output.exits import FAILURE, OK
from mainspring.cli.output.sheets import Answer, Sheet, nonzero
from mainspring.client.client import Client
from mainspring.contract.bulk import SweepInfo

SWEEPS = Sheet(
    "sweep",
    columns=("id", "act", "state", "changed", "passed", "expected", "by", "created at"),
    facts=(
        *(("sweep", "id"), "act"),
        ("runs", lambda sweep: ", ".join(f"{name} {value}" for name, value in sweep.filter.items()) or "all"),
        ("state", lambda sweep: f"{sweep.state} ({sweep.note})" if sweep.note else sweep.state),
        ("changed", lambda one: one.changed if one.expected is None else f"{one.changed} of {one.expected}"),
        ("passed over", nonzero("passed")),
        ("steps left out", nonzero("steps")),
        ("canaries", lambda sweep: ", ".join(sweep.tried) or (sweep.canaries or None)),
        *("reason", ("asked for by", "by"), ("begun", "created_at"), ("moved", "moved_at")),
    ),
)

sweep_options = options(
    click.option("--job", help="Only runs of this job."),
    click.option("--queue", help="Only runs of this queue."),
    tag_option,
    label_option,
    since_options("Only runs created"),
    click.option("--all", "everything", is_flag=True, help="Act on every run; required if no filter is given."),
    click.option("--reason", default="", help="Reason, kept with each run and in the audit log."),
    click.option(
        "--hold",
        callback=read_seconds,
        metavar="TIME",
        help="Begin after so long, up to 5m; `sweeps cancel` before that takes it back.",
    ),
    click.option("--wait", is_flag=True, help="Wait for the end; exit 1 if the sweep was stopped."),
)
canaries_option = click.option(
    "--canaries",
    type=click.IntRange(0, 100),
    default=0,
    metavar="RUNS",
    help="Start with this many runs; go on only if all of them succeed.",
)


def begin(
    client: Client,
    act: str,
    *,
    wait: bool,
    everything: bool,
    reason: str,
    hold: float | None,
    canaries: int = 0,
    **filters: Any,
) -> Answer:
    """Begin a sweep, and wait for its end if asked to."""
    sweep = client.sweeps.create(
        act, reason=reason, canaries=canaries, everything=everything, hold=hold or 0.0, **filters
    )
    return finish(client, sweep) if wait else Answer(content=sweep, show=partial(print_begun, SWEEPS))


def finish(client: Client, sweep: SweepInfo) -> Answer:
    """Wait until a sweep is over; the command exits 1 unless it is done."""
    sweep = watch(sweep, client.sweeps.get, f"{sweep.act} runs", lambda one: one.changed + one.passed + one.steps)
    return Answer(content=sweep, exit_code=OK if sweep.state == "done" else FAILURE)
