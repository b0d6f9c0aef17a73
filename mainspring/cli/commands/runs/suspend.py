"""`mainspring runs suspend`, `resume` and `memory`."""

from datetime import datetime, timedelta

import click

from mainspring.cli.commands.runs.cancel import for_each, runs_options
from mainspring.cli.commands.runs.ids import whole_run, whole_runs
from mainspring.cli.commands.runs.sheet import CHANGED
from mainspring.cli.durations import read_ahead
from mainspring.cli.output.sheets import Answer
from mainspring.cli.output.tables import compact_json, print_table
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.clock import SystemClock
from mainspring.contract.checkpoints import RunMemory

COLUMNS = ("kind", "name", "value", "attempt", "at")


@click.command("suspend")
@click.option("--until", callback=read_ahead, metavar="WHEN", help="Resume at WHEN: a time, or a delay such as 2h.")
@runs_options
@prints(CHANGED)
def suspend_runs(client: Client, *, run: tuple[str, ...], until: datetime | timedelta | None, reason: str) -> Answer:
    """Suspend runs. Queued runs wait at once; running ones yield at their next checkpoint or step."""
    resume_at = SystemClock().now() + until if isinstance(until, timedelta) else until
    return for_each(whole_runs(client, run), lambda one: client.suspend(one, reason=reason, resume_at=resume_at))


@click.command("resume")
@runs_options
@prints(CHANGED)
def resume_runs(client: Client, *, run: tuple[str, ...], reason: str) -> Answer:
    """Resume suspended runs from their checkpoints, after their finished steps."""
    return for_each(whole_runs(client, run), lambda one: client.resume(one, reason=reason))


@click.command("memory")
@click.argument("run")
@prints(lambda memory: print_table(COLUMNS, rows(memory)))
def show_memory(client: Client, *, run: str) -> RunMemory:
    """Show a run's checkpoint, steps and effects."""
    return client.memory(whole_run(client, run))


def rows(found: RunMemory) -> list[tuple[object, ...]]:
    kept = found.checkpoint
    checkpoints = [] if kept is None else [("checkpoint", "", compact_json(kept.state), kept.attempt, kept.at)]
    steps = [("step", one.name, compact_json(one.result), one.attempt, one.at) for one in found.steps]
    effects = [
        ("effect", one.name, compact_json(one.result) if one.done else "unknown", one.attempt, one.at)
        for one in found.effects
    ]
    return [*checkpoints, *steps, *effects]
