"""Prints a plan: a mark for each trigger, its changes, and its next fire times before and after."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import click
import msgspec

from mainspring.cli.output.tables import cell, compact_json, is_colourful
from mainspring.cli.output.terminal import escape
from mainspring.contract.jobs import ChangeInfo
from mainspring.contract.triggers import PlanInfo, PlannedTrigger

MARKS = {"add": "+", "change": "~", "remove": "-", "conflict": "!"}
COLOURS = {"add": "green", "change": "yellow", "remove": "red", "conflict": "red"}
VERBS = {"add": "to add", "change": "to change", "remove": "to remove", "conflict": "in conflict"}
DONE = {"add": "added", "change": "changed", "remove": "removed"}


def print_plan(plan: PlanInfo) -> None:
    for item in plan.triggers:
        head = f"{MARKS[item.act]} {escape(item.name)}: {escape(item.job)}, {escape(item.words)}"
        click.echo(click.style(head, fg=COLOURS[item.act]) if is_colourful() else head)
        for line in lines_on(item):
            click.echo(f"    {escape(line)}")
    click.echo(f"{escape(plan.owner)}: {summary(plan)}")


def summary(plan: PlanInfo) -> str:
    words = DONE if plan.applied else VERBS
    counts = [f"{len(plan.of(act))} {word}" for act, word in words.items() if plan.of(act)]
    if not counts:
        return f"nothing to do, {plan.kept} as they should be" if plan.kept else "nothing to do"
    return ", ".join([*counts, *([f"{plan.kept} unchanged"] if plan.kept else [])])


def lines_on(item: PlannedTrigger) -> Iterator[str]:
    if item.reason:
        yield item.reason
    if item.drift is not None:
        by = f" by {item.drift.by}" if item.drift.by else ""
        yield f"edited elsewhere{by} at {cell(item.drift.at)}: {', '.join(map(change, item.drift.changes))}"
    yield from map(change, item.changes)
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
