"""Enqueues a run for each line of a file, in chunks that are safe to repeat if every run has a key."""

import sys
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import click
import msgspec

from mainspring.cli.commands.lines import OutputLine, at_line, chunks, open_lines, read_line, size_of
from mainspring.cli.output.progress import progress
from mainspring.cli.output.tables import print_content
from mainspring.client.client import Client
from mainspring.client.sync.handles import SyncRunHandle
from mainspring.client.transport.requests import Enqueue
from mainspring.errors import InvalidInputError, MainspringError, OverBudgetError, UnavailableError

LINES_MAX = 2_000
BYTES_MAX = 4 * 1024 * 1024
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0)
"""Seconds before each retry of a chunk that is safe to repeat."""

Fields = dict[str, msgspec.Raw]
Handle = SyncRunHandle[Any]


class RunLine(OutputLine, frozen=True):
    run: Enqueue


class EnqueueTally(msgspec.Struct):
    accepted: int = 0
    existing: int = 0


class FileEnqueue(msgspec.Struct, frozen=True):
    """The common part of every run, and how to read a line."""

    wanted: Enqueue
    key_field: str | None = None
    start_line: int = 1

    def lines(self, content: Iterable[bytes]) -> Iterator[RunLine]:
        given: Fields = msgspec.json.decode(msgspec.json.encode(self.wanted.input), type=Fields)
        for number, text in enumerate(content, start=1):
            if number >= self.start_line and not text.isspace():
                yield RunLine(number, len(text), self._run(number, {**given, **read_line(number, text)}))

    def _run(self, number: int, fields: Fields) -> Enqueue:
        key = self.wanted.key if self.key_field is None else read_key(number, fields, self.key_field)
        return msgspec.structs.replace(self.wanted, input=msgspec.Raw(msgspec.json.encode(fields)), key=key)


def read_key(number: int, fields: Fields, name: str) -> str:
    value: Any = msgspec.json.decode(fields[name]) if name in fields else None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InvalidInputError(f"line {number}", f"has no {name!r} with a text or a number as its key", code="bad_key")
    return str(value)


def send_file(client: Client, bulk: FileEnqueue, file: str, *, output: str) -> None:
    """Send every line; on failure, print the position reached."""
    tally, last = EnqueueTally(), bulk.start_line - 1
    shown = output != "name" or not sys.stdout.isatty()
    with open_lines(file) as content, progress("enqueueing", size_of(file), shown=shown) as advance:
        try:
            for part, runs in send_all(client, bulk, content):
                count(tally, runs, output)
                last = part[-1].number
                advance(sum(line.size for line in part), f"{tally.accepted:,} runs")
        except (MainspringError, KeyboardInterrupt):
            show_position(last, tally, keyed=bulk.key_field is not None)
            raise
    if output in ("json", "yaml"):
        print_content(tally, output)
    elif output == "table":
        click.echo(f"{tally.accepted} runs accepted" + (f", {tally.existing} existed" if tally.existing else ""))


def send_all(
    client: Client, bulk: FileEnqueue, content: Iterable[bytes]
) -> Iterator[tuple[list[RunLine], list[Handle]]]:
    for chunk in chunks(bulk.lines(content), lines_max=LINES_MAX, bytes_max=BYTES_MAX):
        yield from send_chunk(client, chunk, keyed=bulk.key_field is not None)


def send_chunk(client: Client, chunk: list[RunLine], *, keyed: bool) -> Iterator[tuple[list[RunLine], list[Handle]]]:
    """Send as much as the queue's budget allows, the rest later; yields each part with its runs."""
    parts = [chunk]
    while parts:
        part = parts.pop(0)
        try:
            yield part, send_part(client, part, keyed=keyed)
        except OverBudgetError as full:
            if full.limit == 0:
                raise
            room = full.limit - full.depth
            fits = 0 < room < len(part)
            parts[:0] = [part[:room], part[room:]] if fits else [part]
            if not fits:
                pause_for(full.retry_after)


def send_part(client: Client, part: list[RunLine], *, keyed: bool) -> list[Handle]:
    """Enqueue the runs, with retries if they have keys; errors name the line."""
    for pause in (*PAUSES, None):
        try:
            return list(client.enqueue_many([line.run for line in part]))
        except InvalidInputError as error:
            raise at_line(error, part) from None
        except OverBudgetError:
            raise
        except UnavailableError:
            # Without keys it is not safe: a lost answer may stand for runs that exist.
            if pause is None or not keyed:
                raise
            pause_for(pause)
    raise AssertionError


def pause_for(seconds: float) -> None:
    threading.Event().wait(seconds)


def count(tally: EnqueueTally, runs: list[Handle], output: str) -> None:
    for run in runs:
        tally.accepted += 1
        tally.existing += run.existing
        if output == "name":
            click.echo(run.id)


def show_position(last: int, tally: EnqueueTally, *, keyed: bool) -> None:
    again = "repeat the command to go on" if keyed else f"go on with --start-line {last + 1}"
    accepted = f"{tally.accepted} runs are accepted, up to line {last}; {again}"
    click.echo(f"mainspring: {accepted if tally.accepted else 'no run was accepted'}", err=True)
