"""`mainspring runs cancel`, `mainspring runs change`, `mainspring runs retry` and `mainspring runs discard`."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import click

from mainspring.cli.commands.runs.ids import whole_runs
from mainspring.cli.commands.runs.inputs import input_option, read_input
from mainspring.cli.commands.runs.sheet import CHANGED
from mainspring.cli.commands.selection import try_each
from mainspring.cli.durations import read_until
from mainspring.cli.options import options
from mainspring.cli.output.exits import OK, REFUSED
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.runs import CancelledRun

REFUSALS = {"run_final": "it had already ended", "unknown_run": "no such run"}


def outcome(one: CancelledRun) -> str | None:
    if one.code is not None:
        return REFUSALS.get(one.code, one.code)
    return "cancelling" if one.state == "running" else None


CANCELLED = Sheet("run", columns=("id", "state", ("reason", outcome)))
REARRANGED = Sheet("run", columns=("id", "state", "queue", "priority", "due at"))
DISCARDED = Sheet("letter", columns=("run", "error", "message"))

runs_options = options(
    click.argument("run", nargs=-1, required=True),
    click.option("--reason", default="", help="Reason, kept with the run and in the audit log."),
)


@click.command("cancel")
@click.option("--children", is_flag=True, help="Cancel the runs that their handlers enqueued, too.")
@runs_options
@prints(CHANGED)
def cancel_runs(client: Client, *, run: tuple[str, ...], children: bool, reason: str) -> Answer:
    """Cancel runs. Queued runs end at once; running ones are stopped, and end when their handlers do."""
    chosen = whole_runs(client, run)
    if len(chosen) == 1 or children:
        return for_each(chosen, lambda one: client.cancel(one, reason=reason, children=children))
    cancelled = client.cancel_many(chosen, reason=reason)
    code = REFUSED if any(one.code for one in cancelled) else OK
    return Answer(content=cancelled, show=CANCELLED.print, exit_code=code)


@click.command("change")
@click.option("--priority", type=click.IntRange(0, 9), help="Priority, 0 to 9; higher starts first.")
@click.option("--at", "due_at", callback=read_until, help="Instant at which they are due, or +10m.")
@click.option("--queue", help="Queue to move them to.")
@runs_options
@prints(REARRANGED)
def change_runs(
    client: Client,
    *,
    run: tuple[str, ...],
    priority: int | None,
    due_at: datetime | None,
    queue: str | None,
    reason: str,
) -> Answer:
    """Give runs that have not started another priority, due time or queue."""
    if priority is None and due_at is None and queue is None:
        raise click.UsageError("Say --priority, --at or --queue.")
    chosen = whole_runs(client, run)
    changed = set(client.change(chosen, priority=priority, due_at=due_at, queue=queue, reason=reason))
    code = OK if len(changed) == len(chosen) else REFUSED
    return Answer(content=[client.get(one) for one in chosen], exit_code=code)


@click.command("retry")
@click.option("--force", is_flag=True, help="Retry succeeded runs, too.")
@input_option("Input that replaces the run's, or one argument of it")
@runs_options
@prints(CHANGED)
def retry_runs(client: Client, *, run: tuple[str, ...], force: bool, inputs: tuple[str, ...], reason: str) -> Answer:
    """Run finished runs again, now, with all their attempts."""
    if inputs and len(run) > 1:
        raise click.UsageError("--input is for one run.")
    chosen = whole_runs(client, run)
    edited = read_input(inputs, client.get(chosen[0]).input) if inputs else None
    return for_each(chosen, lambda one: client.retry(one, force=force, reason=reason, input=edited))


@click.command("discard")
@runs_options
@prints(DISCARDED)
def discard_runs(client: Client, *, run: tuple[str, ...], reason: str) -> Answer:
    """Remove runs from the dead letters; they stay failed."""
    return for_each(whole_runs(client, run), lambda one: client.dead.discard(one, reason=reason))


def for_each(runs: list[str], act: Callable[[str], Any]) -> Answer:
    """Act on one run after the other; the command's exit code is that of the first refusal."""
    changed, code = try_each(runs, act)
    return Answer(content=changed, exit_code=code)
