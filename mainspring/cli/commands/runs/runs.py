"""`mainspring runs`."""

import logging
from collections.abc import Iterator
from typing import Any

import click

from mainspring.cli.commands.runs.cancel import cancel_runs, change_runs, discard_runs, retry_runs
from mainspring.cli.commands.runs.enqueue import print_end
from mainspring.cli.commands.runs.filters import fill_page, filter_options, filters_of, words_for_more
from mainspring.cli.commands.runs.histogram import count_by_time
from mainspring.cli.commands.runs.ids import whole_run
from mainspring.cli.commands.runs.sheet import RUNS, print_attempt
from mainspring.cli.commands.runs.suspend import resume_runs, show_memory, suspend_runs
from mainspring.cli.durations import read_seconds
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import output_option
from mainspring.cli.output.sheets import Answer
from mainspring.cli.output.tables import cell, compact_json, note
from mainspring.cli.output.terminal import escape
from mainspring.cli.verbs import calls, lists, prints
from mainspring.client.client import Client
from mainspring.client.options import RunFilters
from mainspring.contract.runs import LogLine, RunPage


@click.group(cls=NounGroup)
def runs() -> None:
    """List, inspect, cancel, suspend and retry runs."""


for verb in (cancel_runs, change_runs, retry_runs, discard_runs, suspend_runs, resume_runs, show_memory, count_by_time):
    runs.add_command(verb)


@runs.command("list")
@filter_options
@lists(RUNS, limit=20)
def list_runs(client: Client, *, limit: int, cursor: str | None, **chosen: Any) -> Answer:
    """List runs, newest first."""
    filters = filters_of(**chosen)
    if filters["parent"] is not None:
        filters["parent"] = whole_run(client, filters["parent"])
    page = fill_page(client, filters, limit=limit, cursor=cursor)
    return Answer(content=page, show=lambda _page: print_page(page, filters))


@runs.command("show")
@click.argument("run")
@click.option("--tracebacks", is_flag=True, help="Print the traceback of every attempt, not only of the last.")
@prints(RUNS)
def show_run(client: Client, *, run: str, tracebacks: bool) -> Answer:
    """Show one run and its failed attempts."""
    run = whole_run(client, run)
    content = {"run": client.get(run), "attempts": client.attempts(run)}
    return Answer(content=content, show=lambda found: print_run(**found, tracebacks=tracebacks))


@runs.command("logs")
@click.argument("run")
@click.option("-f", "--follow", is_flag=True, help="Print new lines until the run is over.")
@calls
@output_option
def show_logs(client: Client, *, run: str, follow: bool, output: str) -> None:
    """Print the log lines of a run's handlers."""
    run = whole_run(client, run)
    for line in client.follow_logs(run) if follow else all_logs(client, run):
        level = logging.getLevelName(line.level)
        text = escape(line.message, but="\n\t")
        click.echo(compact_json(line) if output == "json" else f"{cell(line.at)} {level:<7} {text}")


@runs.command("wait")
@click.argument("run")
@click.option("--timeout", callback=read_seconds, metavar="DURATION", help="Longest wait, such as 90s.")
@calls
@output_option
def wait_for_run(client: Client, *, run: str, timeout: float | None, output: str) -> None:
    """Wait until a run is over and print its result."""
    print_end(client.wait(whole_run(client, run), timeout=timeout), output)


def all_logs(client: Client, run: str) -> Iterator[LogLine]:
    after = 0
    while (page := client.logs(run, after=after)).logs:
        yield from page.logs
        after = page.next


def print_page(page: RunPage, filters: RunFilters) -> None:
    RUNS.print_table(page.runs)
    if page.next:
        note(f"more: {words_for_more(filters, page.next)}")


def print_run(run: Any, attempts: Any, *, tracebacks: bool) -> None:
    RUNS.print_facts(run)
    for attempt in attempts:
        print_attempt(attempt, whole=tracebacks or attempt is attempts[-1])
