"""Prints what commands found: JSON and YAML for programs, a table for people, plain columns for pipes."""

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import click
import msgspec

from mainspring.cli.options import is_quiet
from mainspring.cli.words import harmless
from mainspring.clock import SystemClock

IDENTITIES = ("id", "name", "run", "fingerprint", "namespace")
"""What `--output name` prints of a thing: the first of these that it has."""

STYLES = {
    "succeeded": "green",
    "running": "cyan",
    "failed": "red",
    "waiting": "yellow",
    "cancelled": "magenta",
    "live": "green",
    "cordoned": "yellow",
    "draining": "cyan",
    "ok": "green",
    "warn": "yellow",
    "fail": "red",
}
STYLED = ("state",)
SHORT = 20
"""Characters up to which a column is never broken: half a word on a line of its own is unreadable."""


def print_json(content: object) -> None:
    click.echo(msgspec.json.format(msgspec.json.encode(content)).decode())


def print_content(content: object, output: str) -> None:
    """For programs: `json`, `yaml`, or the names alone."""
    if output == "name":
        print_names(msgspec.to_builtins(content))
    elif output == "yaml":
        click.echo(msgspec.yaml.encode(msgspec.to_builtins(content)).decode(), nl=False)
    else:
        print_json(content)


def print_names(content: Any) -> None:
    for name in names_in(content):
        click.echo(name)


def names_in(content: Any) -> Iterator[str]:
    """The names of the things in a page, or of the one thing that is shown."""
    if isinstance(content, list):
        for each in content:
            yield from [each] if isinstance(each, str) else names_in(each)
        return
    if not isinstance(content, dict):
        return
    identity = next((content[key] for key in IDENTITIES if isinstance(content.get(key), str)), None)
    if identity is not None:
        yield identity
        return
    inner = next((value for value in content.values() if isinstance(value, dict | list)), None)
    yield from names_in(inner)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    if sys.stdout.isatty():
        print_rich(columns, [[brief(value) for value in row] for row in rows])
        return
    cells = [[cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    for row in [columns, *cells]:
        line = "  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


def print_rich(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    # Only a terminal pays for importing it.
    table: Any = importlib.import_module("rich.table").Table(box=None, pad_edge=False)
    text: Any = importlib.import_module("rich.text").Text
    for place, column in enumerate(columns):
        longest = max([len(column), *(len(row[place]) for row in cells)])
        table.add_column(column, overflow="fold", no_wrap=column == "id" or longest <= SHORT)
    for row in cells:
        table.add_row(*(text(value, style_of(column, value)) for column, value in zip(columns, row, strict=True)))
    importlib.import_module("rich.console").Console().print(table)


def style_of(column: str, value: str) -> str:
    return STYLES.get(value.partition(" ")[0], "") if column in STYLED else ""


def print_facts(facts: Sequence[tuple[str, object]]) -> None:
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        if value is not None:
            click.echo(f"{name.ljust(width)}  {cell(value)}")


def is_colourful() -> bool:
    """Whether to use colours on stdout; see https://no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def note(text: str) -> None:
    """Something beside the output, for people: on stderr, unless they want quiet."""
    if not is_quiet():
        click.echo(text, err=True)


def cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return value.astimezone().isoformat(sep=" ", timespec="milliseconds")
    return harmless(str(value))


def brief(value: object) -> str:
    """The same for a table on a terminal, where the time of day says enough of today."""
    if not isinstance(value, datetime):
        return cell(value)
    local, today = value.astimezone(), SystemClock().now().astimezone().date()
    return f"{local:%H:%M:%S}" if local.date() == today else f"{local:%Y-%m-%d %H:%M}"


def compact_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
