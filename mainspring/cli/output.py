"""Prints what commands found: JSON for programs, a table for people, plain columns for pipes."""

import importlib
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click
import msgspec


def print_json(content: object) -> None:
    click.echo(msgspec.json.format(msgspec.json.encode(content)).decode())


def print_content(content: object, output: str) -> None:
    """For programs: `json` or `yaml`."""
    if output == "yaml":
        click.echo(msgspec.yaml.encode(msgspec.to_builtins(content)).decode(), nl=False)
    else:
        print_json(content)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    cells = [[cell(value) for value in row] for row in rows]
    if sys.stdout.isatty():
        print_rich(columns, cells)
        return
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    for row in [columns, *cells]:
        line = "  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


def print_rich(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    # Only a terminal pays for importing it.
    table: Any = importlib.import_module("rich.table").Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column == "id")
    escape = importlib.import_module("rich.markup").escape
    for row in cells:
        table.add_row(*map(escape, row))
    importlib.import_module("rich.console").Console().print(table)


def print_facts(facts: Sequence[tuple[str, object]]) -> None:
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        if value is not None:
            click.echo(f"{name.ljust(width)}  {cell(value)}")


def cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return value.astimezone().isoformat(sep=" ", timespec="milliseconds")
    return str(value)


def compact_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
