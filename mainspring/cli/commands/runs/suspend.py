"""`mainspring runs suspend`, `resume` and `memory`."""

from datetime import datetime, timedelta
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.runs.cancel import print_steered, reason_option
from mainspring.cli.commands.runs.ids import whole_run, whole_runs
from mainspring.cli.commands.selection import try_each
from mainspring.cli.durations import read_ahead
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import compact_json, print_content, print_table
from mainspring.client.nouns.suspension import RunMemory
from mainspring.clock import SystemClock

COLUMNS = ("kind", "name", "value", "attempt", "at")


@click.command("suspend")
@click.argument("run", nargs=-1, required=True)
@click.option("--until", callback=read_ahead, metavar="WHEN", help="Go on by itself then: an instant, or 2h from now.")
@reason_option
@client_options
@output_option
def suspend_runs(
    *, run: tuple[str, ...], until: datetime | timedelta | None, reason: str, output: str, **target: Any
) -> None:
    """Set runs aside. What is queued waits at once; what is running yields at its next checkpoint or step."""
    resume_at = SystemClock().now() + until if isinstance(until, timedelta) else until
    with open_client(**target) as client:
        chosen = whole_runs(client, run)
        found, code = try_each(chosen, lambda one: client.suspend(one, reason=reason, resume_at=resume_at))
    print_steered(found, output)
    click.get_current_context().exit(code)


@click.command("resume")
@click.argument("run", nargs=-1, required=True)
@reason_option
@client_options
@output_option
def resume_runs(*, run: tuple[str, ...], reason: str, output: str, **target: Any) -> None:
    """Let suspended runs go on from their checkpoints, behind their steps."""
    with open_client(**target) as client:
        found, code = try_each(whole_runs(client, run), lambda one: client.resume(one, reason=reason))
    print_steered(found, output)
    click.get_current_context().exit(code)


@click.command("memory")
@click.argument("run")
@client_options
@output_option
def show_memory(*, run: str, output: str, **target: Any) -> None:
    """Show what a run remembers: its checkpoint, its steps, its effects."""
    with open_client(**target) as client:
        found = client.memory(whole_run(client, run))
    if output == "table":
        print_table(COLUMNS, rows(found))
    else:
        print_content(found, output)


def rows(found: RunMemory) -> list[tuple[object, ...]]:
    kept = found.checkpoint
    checkpoints = [] if kept is None else [("checkpoint", "", compact_json(kept.state), kept.attempt, kept.at)]
    steps = [("step", one.name, compact_json(one.result), one.attempt, one.at) for one in found.steps]
    effects = [
        ("effect", one.name, compact_json(one.result) if one.done else "unknown", one.attempt, one.at)
        for one in found.effects
    ]
    return [*checkpoints, *steps, *effects]
