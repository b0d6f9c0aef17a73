"""Prints results: JSON and YAML for programs, tables for people, plain columns for pipes."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import click
import msgspec

from mainspring.cli.options import is_quiet
from mainspring.cli.output.columns import GAP, folded, padded, widths_of
from mainspring.cli.output.terminal import escape
from mainspring.clock import SystemClock

IDENTITIES = ("id", "name", "run", "fingerprint", "namespace")
"""Fields that `--output name` prints: the first that a thing has."""

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
HEAD: dict[str, Any] = {"bold": True}


def print_json(content: object) -> None:
    click.echo(msgspec.json.format(msgspec.json.encode(content)).decode())


def print_content(content: object, output: str) -> None:
    """Print content for programs: as `json`, `yaml`, or names only."""
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
    """Yield the names of the things in a page, or of one thing."""
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
        print_columns(columns, [[brief(value) for value in row] for row in rows])
        return
    cells = [[cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    for row in [columns, *cells]:
        line = "  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


def print_columns(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Print columns that fit the terminal, or overflow it where a word would be cut."""
    rows = [columns, *cells]
    widths = widths_of(rows, shutil.get_terminal_size().columns)
    for number, row in enumerate(rows):
        styles = [HEAD if number == 0 else style_of(column, value) for column, value in zip(columns, row, strict=True)]
        for line in folded(row, widths):
            pieces = [
                styled(padded(piece, width), style) for piece, width, style in zip(line, widths, styles, strict=True)
            ]
            click.echo((" " * GAP).join(pieces).rstrip())


def style_of(column: str, value: str) -> dict[str, Any]:
    colour = STYLES.get(value.partition(" ")[0]) if column in STYLED else None
    return {} if colour is None else {"fg": colour}


def styled(text: str, style: dict[str, Any]) -> str:
    return click.style(text, **style) if style and is_colourful() else text


def print_facts(facts: Sequence[tuple[str, object]]) -> None:
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        if value is not None:
            click.echo(f"{name.ljust(width)}  {cell(value)}")


def is_colourful() -> bool:
    """Return whether to use colours on stdout; see https://no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def note(text: str) -> None:
    """Print a note for people on stderr, unless --quiet is given."""
    if not is_quiet():
        click.echo(text, err=True)


def cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return value.astimezone().isoformat(sep=" ", timespec="milliseconds")
    return escape(str(value))


def brief(value: object) -> str:
    """Write a cell for a terminal; of today's times, only the time of day."""
    if not isinstance(value, datetime):
        return cell(value)
    local, today = value.astimezone(), SystemClock().now().astimezone().date()
    return f"{local:%H:%M:%S}" if local.date() == today else f"{local:%Y-%m-%d %H:%M}"


def compact_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
