"""`mainspring runs`."""

import logging
import textwrap
from collections.abc import Iterator
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.runs.cancel import cancel_runs, discard_runs, retry_runs
from mainspring.cli.commands.runs.enqueue import print_end
from mainspring.cli.commands.runs.filters import fill_page, filter_options, filters_of, words_for_more
from mainspring.cli.commands.runs.ids import whole_run
from mainspring.cli.commands.runs.suspend import resume_runs, show_memory, suspend_runs
from mainspring.cli.durations import read_seconds
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import cell, compact_json, note, print_content, print_facts, print_table
from mainspring.cli.output.terminal import escape
from mainspring.client.client import Client
from mainspring.client.views.runs import AttemptInfo, LogLine, RunDiscard, RunInfo, RunSuspension

COLUMNS = ("id", "job", "queue", "state", "attempt", "due at", "executor", "reason")


@click.group(cls=NounGroup)
def runs() -> None:
    """Look at runs, cancel them, and have them run again."""


runs.add_command(cancel_runs)
runs.add_command(retry_runs)
runs.add_command(discard_runs)
runs.add_command(suspend_runs)
runs.add_command(resume_runs)
runs.add_command(show_memory)


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
        if filters["parent"] is not None:
            filters["parent"] = whole_run(client, filters["parent"])
        page = fill_page(client, filters, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(run) for run in page.runs])
    if page.next:
        note(f"more: {words_for_more(filters, page.next)}")


@runs.command("show")
@click.argument("run")
@click.option("--tracebacks", is_flag=True, help="Print the traceback of every attempt, not only of the last.")
@client_options
@output_option
def show_run(*, run: str, tracebacks: bool, output: str, **target: Any) -> None:
    """Show one run and its failed attempts."""
    with open_client(**target) as client:
        run = whole_run(client, run)
        found, attempts = client.get(run), client.attempts(run)
    if output != "table":
        print_content({"run": found, "attempts": attempts}, output)
        return
    print_facts(facts(found))
    for attempt in attempts:
        print_attempt(attempt, whole=tracebacks or attempt is attempts[-1])


def print_attempt(attempt: AttemptInfo, *, whole: bool) -> None:
    """One line, and what belongs to it."""
    click.echo(
        f"attempt {attempt.number} {attempt.outcome} on {attempt.executor} {cell(attempt.ended_at)}  {said_by(attempt)}"
    )
    where = [("host", attempt.host), ("code", attempt.code_version)]
    took = [] if attempt.duration is None else [f"took {attempt.duration:.3g} s"]
    if words := [*(f"{name} {value}" for name, value in where if value), *took]:
        click.echo(f"  {', '.join(words)}")
    if attempt.beside:
        click.echo(f"  beside {', '.join(attempt.beside)}")
    if whole and attempt.error is not None and attempt.error.traceback:
        click.echo(textwrap.indent(escape(attempt.error.traceback.rstrip(), but="\n\t"), "  "))


def said_by(attempt: AttemptInfo) -> str:
    error = attempt.error
    if error is None:
        return ""
    code = "" if error.code == error.error else f" [{error.code}]"
    return escape(f"{error.error}: {error.message}{code}")


@runs.command("logs")
@click.argument("run")
@click.option("-f", "--follow", is_flag=True, help="Go on as lines come, until the run is over.")
@client_options
@output_option
def show_logs(*, run: str, follow: bool, output: str, **target: Any) -> None:
    """Print what a run's handlers logged."""
    with open_client(**target) as client:
        run = whole_run(client, run)
        for line in client.follow_logs(run) if follow else all_logs(client, run):
            level = logging.getLevelName(line.level)
            text = escape(line.message, but="\n\t")
            click.echo(compact_json(line) if output == "json" else f"{cell(line.at)} {level:<7} {text}")


def all_logs(client: Client, run: str) -> Iterator[LogLine]:
    after = 0
    while (page := client.logs(run, after=after)).logs:
        yield from page.logs
        after = page.next


@runs.command("wait")
@click.argument("run")
@click.option("--timeout", callback=read_seconds, metavar="DURATION", help="Give up after so long, such as 90s.")
@client_options
@output_option
def wait_for_run(*, run: str, timeout: float | None, output: str, **target: Any) -> None:
    """Wait until a run is over and print its result."""
    with open_client(**target) as client:
        found = client.wait(whole_run(client, run), timeout=timeout)
    print_end(found, output)


def row(run: RunInfo) -> tuple[object, ...]:
    return (run.id, run.job, run.queue, run.state, run.attempt, run.due_at, run.executor, run.reason)


def suspended(suspension: RunSuspension | None) -> str | None:
    if suspension is None:
        return None
    until = "until somebody resumes it" if suspension.resume_at is None else f"until {cell(suspension.resume_at)}"
    return f"{until}: {suspension.reason}" if suspension.reason else until


def discarded(said: RunDiscard | None) -> str | None:
    return None if said is None else f"by {said.by} {cell(said.at)}: {said.reason or 'without a reason'}"


def facts(run: RunInfo) -> list[tuple[str, object]]:
    progress = run.progress
    return [
        ("run", run.id),
        ("job", run.job),
        ("queue", run.queue),
        ("priority", run.priority),
        ("state", f"{run.state} ({run.reason})" if run.reason else run.state),
        ("suspended", suspended(run.suspension)),
        ("discarded", discarded(run.discarded)),
        ("why", run.why),
        ("until", run.until),
        ("attempt", run.attempt),
        ("failures", run.failures),
        ("losses", run.losses or None),
        ("progress", f"{progress.fraction:.0%} {progress.note}" if progress else None),
        ("due", run.due_at),
        ("created", run.created_at),
        ("started", run.started_at),
        ("finished", run.finished_at),
        ("deadline", run.deadline),
        ("start by", run.start_by),
        ("executor", run.executor),
        ("key", run.key),
        ("labels", ", ".join(f"{key}={value}" for key, value in run.labels.items()) or None),
        ("tags", ", ".join(run.tags) or None),
        ("asked for by", run.created_by),
        ("parent", run.parent),
        ("trigger", run.trigger),
        ("instant", run.fire_at),
        ("backfill", run.backfill),
        ("input", compact_json(run.input)),
        ("result", compact_json(run.result) if run.state == "succeeded" else None),
        ("error", f"{run.error.error}: {run.error.message}" if run.error else None),
    ]
