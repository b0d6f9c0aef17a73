"""The report of an import, and the triggers that it leads to."""

import importlib
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import click

from mainspring.cli.output.exits import NOT_IMPORTED, OK
from mainspring.cli.output.tables import note, print_content, print_table
from mainspring.cli.output.terminal import escape
from mainspring.domain.imports.found import Imported
from mainspring.domain.triggers.describe import say
from mainspring.domain.triggers.spec import TriggerSpec

COLUMNS = ("line", "name", "job", "fires")


def take_over(
    found: Imported,
    kind: str,
    file: str,
    *,
    owner: str | None,
    applying: bool,
    partial: bool,
    adopt: bool,
    yes: bool,
    output: str,
    **target: Any,
) -> None:
    whose = owner or f"{kind}:{PurePath(file).name}"
    report(found, file)
    specs = [each.spec for each in found.taken]
    if not applying:
        show(found, whose, specs, output)
    elif found.refused and not partial:
        click.echo(f"nothing was applied: {len(found.refused)} cannot be imported; see --partial", err=True)
    else:
        apply_specs(whose, specs, adopt=adopt, yes=yes, output=output, target=target)
    click.get_current_context().exit(NOT_IMPORTED if found.refused else OK)


def report(found: Imported, file: str) -> None:
    """The same for a preview and for --apply: everything refused, then everything that differs."""
    for each in found.refused:
        words = f"not imported: {each.reason}  ({each.text[:100]})"
        click.echo(escape(f"{place(file, each.line)}: {words}"), err=True)
    for taken in found.taken:
        for text in taken.notes:
            note(escape(f"{place(file, taken.line)}: {taken.spec.name}: {text}"))
    for remark in found.remarks:
        note(escape(f"{place(file, remark.line)}: {remark.text}"))


def place(file: str, line: int) -> str:
    return f"{file}:{line}" if line else file


def show(found: Imported, owner: str, specs: Sequence[TriggerSpec], output: str) -> None:
    files: Any = importlib.import_module("mainspring.cli.commands.triggers.files")
    if output == "yaml":
        click.echo(files.write_file(owner, specs), nl=False)
    elif output == "json":
        notes = [{"line": each.line, "name": each.spec.name, "notes": each.notes} for each in found.taken if each.notes]
        content = {
            "owner": owner,
            "triggers": specs,
            "refused": found.refused,
            "notes": notes,
            "remarks": found.remarks,
        }
        print_content(content, output)
    else:
        rows = [(each.line or None, each.spec.name, each.spec.job, say(each.spec)) for each in found.taken]
        print_table(COLUMNS, rows)
        note(f"{len(rows)} can be imported, {len(found.refused)} cannot; -o yaml prints them, --apply applies them")


def apply_specs(
    owner: str, specs: Sequence[TriggerSpec], *, adopt: bool, yes: bool, output: str, target: dict[str, Any]
) -> None:
    calling: Any = importlib.import_module("mainspring.cli.client")
    commands: Any = importlib.import_module("mainspring.cli.commands.triggers.apply")
    sources: Any = importlib.import_module("mainspring.cli.commands.triggers.sources")
    with calling.open_client(**target) as client:
        written = sources.Written(owner, specs)
        done = commands.apply_one(client, written, adopt=adopt, yes=yes, words="imported", output=output)
    if output != "table":
        print_content(done, output)
