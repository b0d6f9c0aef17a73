"""`mainspring calendars`."""

from pathlib import Path
from typing import Any

import click

from mainspring.cli.commands.calendars.fields import definition_of, definition_options
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer, Fact, Sheet
from mainspring.cli.output.tables import cell, compact_json, note, print_table
from mainspring.cli.verbs import deletes, lists, prints
from mainspring.client.client import Client
from mainspring.contract.calendars import (
    CalendarDays,
    CalendarImpact,
    CalendarImpactPage,
    CalendarInfo,
    CalendarPage,
    CalendarVersionPage,
)
from mainspring.errors import ConfigError, NotFoundError

SHOWN = ("name", "description", "zone")


def definition_facts(calendar: CalendarInfo) -> list[Fact]:
    rest = [(name, value) for name, value in calendar.spec.items() if name not in SHOWN]
    facts: list[Fact] = [(name.replace("_", " "), compact_json(value)) for name, value in rest]
    return [*facts, ("holidays until", calendar.holidays_until)]


def parts_of(calendar: CalendarInfo) -> str | None:
    parts = [name.replace("_", " ") for name in calendar.spec if name not in (*SHOWN, "counted")]
    return ", ".join(parts) or None


def print_impact(page: CalendarImpactPage) -> None:
    print_table(IMPACT_COLUMNS, [line for each in page.triggers for line in impact_rows(each)])
    if page.next:
        note(f"more: --cursor {page.next}")


CALENDARS = Sheet(
    "calendar",
    columns=(
        *("name", "version"),
        ("leaves out", parts_of),
        *(("changed at", "updated_at"), "author"),
    ),
    facts=(
        ("calendar", "name"),
        ("version", lambda one: f"{one.version}, by {one.author} at {cell(one.updated_at)}"),
        "note",
        ("description", lambda calendar: calendar.spec.get("description")),
        ("zone", lambda calendar: calendar.spec.get("zone")),
    ),
    more_facts=definition_facts,
    word=lambda calendar: f"version {calendar.version}",
)
VERSIONS = Sheet("version", columns=("version", ("at", "updated_at"), "author", "note"))
IMPACT_COLUMNS = ("trigger", "changed", "first change", "next", "would be")

version_note_option = click.option("--note", "words", default="", help="Note, kept with the version.")


@click.group(cls=NounGroup)
def calendars() -> None:
    """Inspect and change calendars: the days on which triggers fire."""


@calendars.command("list")
@lists(CALENDARS)
def list_calendars(client: Client, *, limit: int, cursor: str | None) -> CalendarPage:
    """List calendars by name."""
    return client.calendars.list(limit=limit, cursor=cursor)


@calendars.command("show")
@click.argument("calendar")
@click.option("--version", type=click.IntRange(1), help="Show this version instead of the newest.")
@click.option("--year", type=click.IntRange(1900, 2999), help="Show the excluded days of this year.")
@prints(CALENDARS)
def show_calendar(client: Client, *, calendar: str, version: int | None, year: int | None) -> CalendarInfo | Answer:
    """Show one calendar, or the days of a year that it excludes."""
    if version is not None:
        return client.calendars.version(calendar, version)
    if year is not None:
        return Answer(content=client.calendars.days(calendar, year), show=print_days)
    return client.calendars.get(calendar)


@calendars.command("history")
@click.argument("calendar")
@lists(VERSIONS, limit=20, names=False)
def show_history(client: Client, *, calendar: str, limit: int, cursor: str | None) -> CalendarVersionPage:
    """List the versions of a calendar, newest first."""
    return client.calendars.versions(calendar, limit=limit, cursor=cursor)


@calendars.command("set")
@click.argument("calendar")
@definition_options
@version_note_option
@prints(CALENDARS)
def set_calendar(client: Client, *, calendar: str, words: str, **chosen: Any) -> CalendarInfo:
    """Create a calendar, or change it: each option replaces the calendar's present value."""
    present = find(client, calendar)
    fields = definition_of(chosen, None if present is None else present.spec)
    if words:
        fields["note"] = words
    return client.calendars.put(calendar, None if present is None else present.version, **fields)


@calendars.command("import-ics")
@click.argument("calendar")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--zone", default="UTC", show_default=True, help="Time zone of events that name none.")
@click.option("--replace", is_flag=True, help="Replace the calendar's own dates and blackouts.")
@version_note_option
@prints(CALENDARS)
def import_ics(client: Client, *, calendar: str, file: Path, zone: str, replace: bool, words: str) -> CalendarInfo:
    """Import an iCalendar file: all-day events become excluded days, timed events become blackouts."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from None
    present = find(client, calendar)
    version = None if present is None else present.version
    return client.calendars.import_ics(calendar, version, text, zone=zone, replace=replace, note=words)


@calendars.command("impact")
@click.argument("calendar")
@definition_options
@click.option(
    "--count", type=click.IntRange(1, 50), default=3, show_default=True, help="Fire times to show of each trigger."
)
@lists(print_impact, most=100, names=False)
def show_impact(
    client: Client, *, calendar: str, count: int, limit: int, cursor: str | None, **chosen: Any
) -> CalendarImpactPage:
    """Show the effect of a change on the triggers that use a calendar, without making it."""
    fields = definition_of(chosen, client.calendars.get(calendar).spec)
    return client.calendars.preview(calendar, fields, count=count, limit=limit, cursor=cursor)


@calendars.command("delete")
@deletes(CALENDARS)
def delete_calendar(client: Client, name: str, *, note: str) -> None:
    """Delete a calendar that no trigger uses."""
    client.calendars.delete(name, note=note)


def print_days(found: CalendarDays) -> None:
    print_table(("day", "weekday", "why"), [(day, f"{day:%a}", name) for day, name in found.days.items()])


def find(client: Client, name: str) -> CalendarInfo | None:
    try:
        return client.calendars.get(name)
    except NotFoundError as error:
        if error.kind != "calendar":
            raise
        return None


def impact_rows(impact: CalendarImpact) -> list[tuple[object, ...]]:
    """Return a row for each fire time, with the trigger's name in the first."""
    size = max(len(impact.before), len(impact.after), 1)
    pad: list[Any] = [None] * size
    pairs = zip((impact.before + pad)[:size], (impact.after + pad)[:size], strict=True)
    head = (impact.trigger, "yes" if impact.changed else "no", first_change(impact))
    return [(*(head if index == 0 else ("", "", "")), *pair) for index, pair in enumerate(pairs)]


def first_change(impact: CalendarImpact) -> str:
    return cell(impact.differs_at) if impact.same_until is None else f"none until {cell(impact.same_until)}"
