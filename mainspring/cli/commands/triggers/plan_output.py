"""Prints a plan: a mark for each trigger, calendar and workflow, its changes, and the next fire times before and after."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

import click
import msgspec

from mainspring.cli.output.tables import cell, compact_json, is_colourful
from mainspring.cli.output.terminal import escape
from mainspring.contract.jobs import ChangeInfo
from mainspring.contract.triggers import PlanInfo, PlannedCalendar, PlannedItem, PlannedTrigger, PlannedWorkflow

MARKS = {"add": "+", "change": "~", "remove": "-", "conflict": "!", "blocked": "?"}
COLOURS = {"add": "green", "change": "yellow", "remove": "red", "conflict": "red", "blocked": "red"}
VERBS = {"add": "to add", "change": "to change", "remove": "to remove", "conflict": "in conflict", "blocked": "blocked"}
DONE = {"add": "added", "change": "changed", "remove": "removed", "blocked": "blocked"}


def print_plan(plan: PlanInfo) -> None:
    for calendar in plan.calendars:
        print_item(calendar.act, f"calendar {calendar.name}", lines_on_calendar(calendar))
    for workflow in plan.workflows:
        print_item(workflow.act, f"workflow {workflow.name}: {steps_in(workflow)}", lines_on_both(workflow))
    for item in plan.triggers:
        print_item(item.act, f"{item.name}: {item.job}, {item.words}", lines_on(item))
    click.echo(f"{escape(plan.owner)}: {summary(plan)}")


def print_item(act: str, words: str, lines: Iterable[str]) -> None:
    head = f"{MARKS[act]} {escape(words)}"
    click.echo(click.style(head, fg=COLOURS[act]) if is_colourful() else head)
    for line in lines:
        click.echo(f"    {escape(line)}")


def summary(plan: PlanInfo) -> str:
    words = DONE if plan.applied else VERBS
    counts = [f"{len(plan.of(act))} {word}" for act, word in words.items() if plan.of(act)]
    if not counts:
        return f"nothing to do, {plan.kept} as they should be" if plan.kept else "nothing to do"
    return ", ".join([*counts, *([f"{plan.kept} unchanged"] if plan.kept else [])])


def steps_in(item: PlannedWorkflow) -> str:
    count = f"{item.steps} step{'s' if item.steps != 1 else ''}"
    return count if item.version is None else f"{count}, at version {item.version}"


def lines_on_calendar(item: PlannedCalendar) -> Iterator[str]:
    yield from lines_on_both(item)
    for each in item.triggers:
        yield f"{each.trigger} next was: {instants(each.before)}"
        yield f"{each.trigger} next becomes: {instants(each.after)}"


def lines_on_both(item: PlannedItem) -> Iterator[str]:
    if item.reason:
        yield item.reason
    if item.drift is not None:
        by = f" by {item.drift.by}" if item.drift.by else ""
        yield f"edited elsewhere{by} at {cell(item.drift.at)}: {', '.join(map(change, item.drift.changes))}"
    yield from map(change, item.changes)


def lines_on(item: PlannedTrigger) -> Iterator[str]:
    yield from lines_on_both(item)
    if item.act in ("add", "change") and item.next_before in ([], item.next_after):
        yield f"next: {instants(item.next_after)}"
    elif item.act in ("change", "remove"):
        yield f"next was: {instants(item.next_before)}"
        yield from [f"next becomes: {instants(item.next_after)}"] if item.act == "change" else []


def change(found: ChangeInfo) -> str:
    return f"{found.path}: {side(found.before)} -> {side(found.after)}"


def side(value: object) -> str:
    return "(as usual)" if value is msgspec.UNSET else compact_json(value)


def instants(found: Sequence[datetime]) -> str:
    return ", ".join(map(instant, found)) or "none"


def instant(at: datetime) -> str:
    """Write a fire time in the zone that the server chose: the trigger's."""
    return at.isoformat(sep=" ", timespec="seconds")
