"""`mainspring calendars`."""

from pathlib import Path
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.calendars.fields import definition_of, definition_options
from mainspring.cli.commands.selection import choose, delete_each, names_argument, pattern_options
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option, report_option
from mainspring.cli.output.tables import cell, compact_json, note, print_content, print_facts, print_table
from mainspring.client.client import Client
from mainspring.client.views.calendars import CalendarImpact, CalendarInfo
from mainspring.errors import ConfigError, NotFoundError

COLUMNS = ("name", "version", "leaves out", "changed at", "author")
VERSION_COLUMNS = ("version", "at", "author", "note")
IMPACT_COLUMNS = ("trigger", "changed", "first change", "next", "would be")
SHOWN = ("name", "description", "zone")

note_option = click.option("--note", "words", default="", help="Why; kept with the version.")


@click.group(cls=NounGroup)
def calendars() -> None:
    """Look at the days on which triggers fire, change them, and see what a change would do."""


@calendars.command("list")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_calendars(*, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """List calendars by name."""
    with open_client(**target) as client:
        page = client.calendars.list(limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(calendar) for calendar in page.calendars])
    if page.next:
        note(f"more: --cursor {page.next}")


@calendars.command("show")
@click.argument("calendar")
@click.option("--version", type=click.IntRange(1), help="As it was at that version.")
@click.option("--year", type=click.IntRange(1900, 2999), help="With the days of that year that do not count.")
@client_options
@output_option
def show_calendar(*, calendar: str, version: int | None, year: int | None, output: str, **target: Any) -> None:
    """Show one calendar, or the days of a year that it leaves out."""
    with open_client(**target) as client:
        if year is not None and version is None:
            found = client.calendars.days(calendar, year)
            if output != "table":
                print_content(found, output)
                return
            print_table(("day", "weekday", "why"), [(day, f"{day:%a}", name) for day, name in found.days.items()])
            return
        shown = client.calendars.get(calendar) if version is None else client.calendars.version(calendar, version)
    print_calendar(shown, output)


@calendars.command("history")
@click.argument("calendar")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@report_option
def show_history(*, calendar: str, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """List the versions of a calendar, newest first."""
    with open_client(**target) as client:
        page = client.calendars.versions(calendar, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(
        VERSION_COLUMNS, [(each.version, each.updated_at, each.author, each.note or None) for each in page.versions]
    )
    if page.next:
        note(f"more: --cursor {page.next}")


@calendars.command("set")
@click.argument("calendar")
@definition_options
@note_option
@client_options
@output_option
def set_calendar(*, calendar: str, words: str, output: str, **chosen: Any) -> None:
    """Make a calendar, or change it: what is given takes the place of what it has there."""
    target = {name: chosen.pop(name) for name in ("context", "url", "namespace", "config", "home")}
    with open_client(**target) as client:
        present = find(client, calendar)
        fields = definition_of(chosen, None if present is None else present.spec)
        if words:
            fields["note"] = words
        print_calendar(client.calendars.put(calendar, None if present is None else present.version, **fields), output)


@calendars.command("import-ics")
@click.argument("calendar")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--zone", default="UTC", show_default=True, help="Of times that name none.")
@click.option("--replace", is_flag=True, help="In place of the calendar's own dates and blackouts.")
@note_option
@client_options
@output_option
def import_ics(*, calendar: str, file: Path, zone: str, replace: bool, words: str, output: str, **target: Any) -> None:
    """Add the events of an iCalendar file: all-day ones are days that do not count, timed ones are blackouts."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from None
    with open_client(**target) as client:
        present = find(client, calendar)
        version = None if present is None else present.version
        made = client.calendars.import_ics(calendar, version, text, zone=zone, replace=replace, note=words)
    print_calendar(made, output)


@calendars.command("impact")
@click.argument("calendar")
@definition_options
@click.option("--count", type=click.IntRange(1, 50), default=3, show_default=True, help="Instants of each trigger.")
@click.option("--limit", type=click.IntRange(1, 100), default=50, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@report_option
def show_impact(*, calendar: str, count: int, limit: int, cursor: str | None, output: str, **chosen: Any) -> None:
    """Show what a change would do to the triggers that use a calendar; nothing is changed."""
    target = {name: chosen.pop(name) for name in ("context", "url", "namespace", "config", "home")}
    with open_client(**target) as client:
        fields = definition_of(chosen, client.calendars.get(calendar).spec)
        page = client.calendars.preview(calendar, fields, count=count, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(IMPACT_COLUMNS, [line for each in page.triggers for line in impact_rows(each)])
    if page.next:
        note(f"more: --cursor {page.next}")


@calendars.command("delete")
@names_argument("calendar")
@pattern_options
@note_option
@client_options
def delete_calendar(*, calendars: tuple[str, ...], yes: bool, dry_run: bool, words: str, **target: Any) -> None:
    """Take a calendar away that no trigger uses."""
    with open_client(**target) as client:
        names = choose(client, "calendar", calendars, "delete", yes=yes, dry_run=dry_run)
        delete_each(names, lambda name: client.calendars.delete(name, note=words), "calendar")


def find(client: Client, name: str) -> CalendarInfo | None:
    try:
        return client.calendars.get(name)
    except NotFoundError as error:
        if error.kind != "calendar":
            raise
        return None


def print_calendar(calendar: CalendarInfo, output: str) -> None:
    if output != "table":
        print_content(calendar, output)
        return
    spec = calendar.spec
    rest = [(name.replace("_", " "), compact_json(value)) for name, value in spec.items() if name not in SHOWN]
    print_facts(
        [
            ("calendar", calendar.name),
            ("version", f"{calendar.version}, by {calendar.author} at {cell(calendar.updated_at)}"),
            ("note", calendar.note or None),
            ("description", spec.get("description")),
            ("zone", spec.get("zone")),
            *rest,
            ("holidays until", calendar.holidays_until),
        ]
    )


def row(calendar: CalendarInfo) -> tuple[object, ...]:
    parts = [name.replace("_", " ") for name in calendar.spec if name not in (*SHOWN, "counted")]
    return calendar.name, calendar.version, ", ".join(parts) or None, calendar.updated_at, calendar.author


def impact_rows(impact: CalendarImpact) -> list[tuple[object, ...]]:
    """A line for each instant, the trigger's name on the first."""
    size = max(len(impact.before), len(impact.after), 1)
    pad: list[Any] = [None] * size
    pairs = zip((impact.before + pad)[:size], (impact.after + pad)[:size], strict=True)
    head = (impact.trigger, "yes" if impact.changed else "no", first_change(impact))
    return [(*(head if index == 0 else ("", "", "")), *pair) for index, pair in enumerate(pairs)]


def first_change(impact: CalendarImpact) -> str:
    return cell(impact.differs_at) if impact.same_until is None else f"none until {cell(impact.same_until)}"
