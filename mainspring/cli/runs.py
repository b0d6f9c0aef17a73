"""`mainspring runs`."""

import logging
from collections.abc import Iterator
from typing import Any

import click

from mainspring.cli.calling import open_client
from mainspring.cli.enqueue import print_end
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output import cell, compact_json, note, print_content, print_facts, print_table
from mainspring.cli.run_filters import fill_page, filter_options, filters_of, words_for_more
from mainspring.cli.steering import cancel_runs, retry_runs
from mainspring.client.client import Client
from mainspring.client.views import LogLine, RunInfo

COLUMNS = ("id", "job", "queue", "state", "attempt", "due at", "executor")


@click.group()
def runs() -> None:
    """Look at runs, cancel them, and have them run again."""


runs.add_command(cancel_runs)
runs.add_command(retry_runs)


@runs.command("list")
@filter_options
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_runs(*, limit: int, cursor: str | None, output: str, **chosen: Any) -> None:
    """List runs, newest first."""
    filters = filters_of(chosen)
    with open_client(**chosen) as client:
        page = fill_page(client, filters, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(run) for run in page.runs])
    if page.next:
        note(f"more: {words_for_more(filters, page.next)}")


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
@click.option("-f", "--follow", is_flag=True, help="Go on as lines come, until the run is over.")
@client_options
@output_option
def show_logs(*, run: str, follow: bool, output: str, **target: Any) -> None:
    """Print what a run's handlers logged."""
    with open_client(**target) as client:
        for line in client.follow_logs(run) if follow else all_logs(client, run):
            level = logging.getLevelName(line.level)
            click.echo(compact_json(line) if output == "json" else f"{cell(line.at)} {level:<7} {line.message}")


def all_logs(client: Client, run: str) -> Iterator[LogLine]:
    after = 0
    while (page := client.logs(run, after=after)).logs:
        yield from page.logs
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
        ("deadline", run.deadline),
        ("executor", run.executor),
        ("key", run.key),
        ("labels", ", ".join(f"{key}={value}" for key, value in run.labels.items()) or None),
        ("tags", ", ".join(run.tags) or None),
        ("asked for by", run.created_by),
        ("input", compact_json(run.input)),
        ("result", compact_json(run.result) if run.state == "succeeded" else None),
        ("error", f"{run.error.error}: {run.error.message}" if run.error else None),
    ]
