"""Shows and applies a file of queues, limits, shares and breakers, for `mainspring plan` and `mainspring apply`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mainspring.cli.commands.triggers.sources import FILES
from mainspring.cli.output.tables import cell, note
from mainspring.client.client import Client

if TYPE_CHECKING:
    from mainspring.cli.commands.dispatch.compare import DispatchChange, Planned

SIGNS = {"add": "+", "change": "~", "remove": "-"}


def dispatch_file(sources: tuple[str, ...]) -> Path | None:
    """The file, if the one source is such a file; it has no owner, and goes by itself."""
    if not any(source.endswith(FILES) for source in sources):
        return None
    from mainspring.cli.commands.dispatch.files import is_dispatch_file  # noqa: PLC0415 it loads YAML

    found = [source for source in sources if is_dispatch_file(source)]
    if found and len(sources) > 1:
        raise click.UsageError(f"{found[0]} defines queues, limits, shares or breakers: apply it alone.")
    return Path(found[0]) if found else None


def show_changes(client: Client, file: Path) -> "list[Planned]":
    from mainspring.cli.commands.dispatch.compare import plan_dispatch  # noqa: PLC0415 it loads YAML
    from mainspring.cli.commands.dispatch.files import read_dispatch_file  # noqa: PLC0415

    return list(plan_dispatch(client, read_dispatch_file(file)))


def print_changes(changes: "list[DispatchChange]") -> None:
    for change in changes:
        click.echo(f"{SIGNS[change.act]} {change.noun} {cell(change.name)}")
        for field, (before, after) in change.fields.items():
            was = "" if change.act == "add" else f"{shown(before)} -> "
            click.echo(f"    {field}: {was}{shown(after)}")
    click.echo(f"{len(changes)} to change" if changes else "nothing to do")


def shown(value: object) -> str:
    return "none" if value in (None, "", []) else cell(value)


def apply_changes(planned: "list[Planned]", *, yes: bool) -> None:
    """One after the other; one that is refused ends it, and those before it stay applied."""
    removed = sum(change.act == "remove" for change, _ in planned)
    if removed and not yes:
        if not sys.stdin.isatty():
            raise click.UsageError(f"{removed} would be removed: --yes removes them.")
        click.confirm(f"Remove {removed}?", abort=True, err=True)
    for done, (change, call) in enumerate(planned):
        try:
            call()
        except Exception:
            note(f"applied {done} of {len(planned)}; {change.noun} {change.name} was refused")
            raise
    if planned:
        note(f"applied: {len(planned)} changes")
