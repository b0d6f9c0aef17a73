"""`mainspring batches`."""

from contextlib import suppress
from typing import Any

import click

from mainspring.cli.commands.runs.ids import whole_run
from mainspring.cli.durations import read_seconds
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.exits import FAILURE
from mainspring.cli.output.progress import progress
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.verbs import lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.clock import SystemClock
from mainspring.contract.workflows.batches import BatchInfo, BatchPage, BatchRunPage, RetriedBatch

LOOK = 1.0
"""Seconds between two looks at the counts of a batch that is waited for."""
COUNTS = ("size", "unfinished", "succeeded", "failed", "cancelled")
BATCHES = Sheet(
    "batch",
    columns=("id", "name", "state", *COUNTS, ("created", "created_at")),
    facts=(
        "id",
        "name",
        "state",
        *COUNTS,
        ("progress", lambda one: f"{one.progress:.0%}"),
        ("created", "created_at"),
        ("ended", "finished_at"),
        ("on success", "on_success"),
        ("on failure", "on_failure"),
        ("finally", "finally_"),
    ),
    items="batches",
)
RUNS = Sheet("run", columns=(("number", "item"), "run", "state", ("started", "started_at"), ("ended", "finished_at")))


def print_retried(found: RetriedBatch) -> None:
    click.echo(f"{'would run' if found.dry_run else 'runs'} again: {found.runs}")


def whole_batch(client: Client, text: str) -> str:
    """The id of the batch with this name, or with an id that begins so."""
    found = client.batches.named(text)
    return whole_run(client, text) if found is None else found.id


@click.group("batches", cls=NounGroup)
def batches() -> None:
    """List batches, show their counts, wait for them, cancel them and retry what failed."""


@batches.command("list")
@lists(BATCHES)
def list_batches(client: Client, *, limit: int, cursor: str | None) -> BatchPage:
    """List batches with their counts, newest first."""
    return client.batches.list(limit=limit, cursor=cursor)


@batches.command("show")
@click.argument("batch")
@prints(BATCHES)
def show_batch(client: Client, *, batch: str) -> BatchInfo:
    """Show the counts of a batch, by its name or id."""
    return client.batches.get(whole_batch(client, batch))


@batches.command("runs")
@click.argument("batch")
@click.option("--failed", is_flag=True, help="Only runs that failed or were cancelled.")
@lists(RUNS, most=200, names=False)
def list_runs(client: Client, *, batch: str, failed: bool, limit: int, cursor: str | None) -> BatchRunPage:
    """List the runs of a batch by their numbers."""
    return client.batches.runs(whole_batch(client, batch), failed=failed, times=True, limit=limit, cursor=cursor)


@batches.command("close")
@click.argument("batch")
@prints(BATCHES)
def close_batch(client: Client, *, batch: str) -> BatchInfo:
    """Close a batch: no more runs join, and it ends once all have."""
    return client.batches.close(whole_batch(client, batch))


@batches.command("cancel")
@click.argument("batch")
@reason_option
@prints(BATCHES)
def cancel_batch(client: Client, *, batch: str, reason: str) -> BatchInfo:
    """Cancel the live runs of a batch."""
    return client.batches.cancel(whole_batch(client, batch), reason=reason)


@batches.command("retry")
@click.argument("batch")
@click.option("--dry-run", is_flag=True, help="Only show how many would run again.")
@reason_option
@prints(print_retried, names=False)
def retry_batch(client: Client, *, batch: str, dry_run: bool, reason: str) -> RetriedBatch:
    """Run those runs of a batch again that failed or were cancelled."""
    return client.batches.retry(whole_batch(client, batch), dry_run=dry_run, reason=reason)


@batches.command("wait")
@click.argument("batch")
@click.option("--timeout", callback=read_seconds, metavar="DURATION", help="Longest wait, such as 90s.")
@prints(BATCHES)
def wait_for_batch(client: Client, *, batch: str, timeout: float | None) -> Any:
    """Wait for the end of a batch, and show its counts; exit with 1 unless all runs succeeded."""
    run = whole_batch(client, batch)
    found = client.batches.get(run)
    clock = SystemClock()
    until = None if timeout is None else clock.monotonic() + timeout
    done = 0
    with progress("waiting", max(found.size, 1)) as advance:
        while not found.over:
            over = found.size - found.unfinished
            advance(over - done, f"{over} of {found.size}")
            done = over
            if until is not None and clock.monotonic() >= until:
                raise TimeoutError(f"batch {found.name} is not over: {over} of {found.size} runs are")
            found = wait_a_little(client, run)
    return Answer(content=found, exit_code=0 if found.state == "succeeded" else FAILURE)


def wait_a_little(client: Client, run: str) -> BatchInfo:
    with suppress(TimeoutError):
        client.wait(run, timeout=LOOK)
    return client.batches.get(run)
