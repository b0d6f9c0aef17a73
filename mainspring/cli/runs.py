"""`mainspring runs`."""

import logging
from typing import Any

import click

from mainspring.cli.calling import open_client
from mainspring.cli.enqueue import print_end
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output import cell, compact_json, print_content, print_facts, print_table
from mainspring.client.views import RunInfo

COLUMNS = ("id", "job", "queue", "state", "attempt", "due at", "executor")


@click.group()
def runs() -> None:
    """Look at runs."""


@runs.command("list")
@click.option("--job")
@click.option("--queue")
@click.option("--state", "states", multiple=True, help="May be given several times.")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_runs(
    *,
    job: str | None,
    queue: str | None,
    states: tuple[str, ...],
    limit: int,
    cursor: str | None,
    output: str,
    **target: Any,
) -> None:
    """List runs, newest first."""
    with open_client(**target) as client:
        page = client.list(job=job, queue=queue, states=states, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(run) for run in page.runs])
    if page.next:
        click.echo(f"more: --cursor {page.next}", err=True)


@runs.command("show")
@click.argument("run")
@client_options
@output_option
def show_run(*, run: str, output: str, **target: Any) -> None:
    """Show one run and its failed attempts."""
    with open_client(**target) as client:
        found, attempts = client.get(run), client.attempts(run)
    if output != "table":
        print_content({"run": found, "attempts": attempts}, output)
        return
    print_facts(facts(found))
    for attempt in attempts:
        said = f"{attempt.error.error}: {attempt.error.message}" if attempt.error else ""
        click.echo(f"attempt {attempt.number} {attempt.outcome} on {attempt.executor} {cell(attempt.ended_at)}  {said}")


@runs.command("logs")
@click.argument("run")
@client_options
@output_option
def show_logs(*, run: str, output: str, **target: Any) -> None:
    """Print what a run's handlers logged."""
    after = 0
    with open_client(**target) as client:
        while (page := client.logs(run, after=after)).logs:
            for line in page.logs:
                level = logging.getLevelName(line.level)
                click.echo(compact_json(line) if output == "json" else f"{cell(line.at)} {level:<7} {line.message}")
            after = page.next


@runs.command("wait")
@click.argument("run")
@click.option("--timeout", type=float, metavar="SECONDS", help="Give up after so long.")
@client_options
@output_option
def wait_for_run(*, run: str, timeout: float | None, output: str, **target: Any) -> None:
    """Wait until a run is over and print its result."""
    with open_client(**target) as client:
        found = client.wait(run, timeout=timeout)
    print_end(found, output)


def row(run: RunInfo) -> tuple[object, ...]:
    return (run.id, run.job, run.queue, run.state, run.attempt, run.due_at, run.executor)


def facts(run: RunInfo) -> list[tuple[str, object]]:
    progress = run.progress
    return [
        ("run", run.id),
        ("job", run.job),
        ("queue", run.queue),
        ("priority", run.priority),
        ("state", f"{run.state} ({run.reason})" if run.reason else run.state),
        ("attempt", run.attempt),
        ("failures", run.failures),
        ("progress", f"{progress.fraction:.0%} {progress.note}" if progress else None),
        ("due", run.due_at),
        ("created", run.created_at),
        ("started", run.started_at),
        ("finished", run.finished_at),
        ("executor", run.executor),
        ("key", run.key),
        ("input", compact_json(run.input)),
        ("result", compact_json(run.result) if run.state == "succeeded" else None),
        ("error", f"{run.error.error}: {run.error.message}" if run.error else None),
    ]
