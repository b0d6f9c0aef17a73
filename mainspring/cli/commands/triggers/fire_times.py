"""`mainspring triggers preview`, `instants` and `forecast`: fire times to come, and the outcomes of past ones."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import click

from mainspring.cli.commands.triggers.fields import calendar_options, instant_option, rule_of, timed_options
from mainspring.cli.commands.triggers.zones import UTC_ZONE, in_zone, zone_of
from mainspring.cli.durations import read_duration, read_since, read_until
from mainspring.cli.options import client_options, options, report_option
from mainspring.cli.output.progress import progress
from mainspring.cli.output.sheets import Answer, Sheet, print_answer
from mainspring.cli.output.tables import cell, note, print_table
from mainspring.cli.verbs import lists, open_target, prints
from mainspring.client.client import Client
from mainspring.clock import SystemClock
from mainspring.contract.triggers import InstantInfo, InstantPage, PreviewedInstant, TriggerForecast, TriggerPreview
from mainspring.domain.triggers.checks import check_form
from mainspring.domain.triggers.describe import say
from mainspring.domain.triggers.fire_times.build_timer import own_zone, timer_of
from mainspring.domain.triggers.fire_times.preview import preview
from mainspring.domain.triggers.shorthand import written
from mainspring.errors import NotFoundError

PREVIEW_COLUMNS = ("local", "UTC", "note")
FORECAST_COLUMNS = ("from", "runs", "")
BAR_MAX = 40
NAME = "preview"
PERCENT = 100
LOOK_EVERY = 1.0
"""Seconds between two looks at a forecast that is counted."""


def print_forecast(forecast: TriggerForecast) -> None:
    print_table(FORECAST_COLUMNS, bars(forecast))
    some = "" if forecast.complete else "; the server stopped counting before the last trigger or fire time"
    if forecast.counting:
        some = f"; the server has counted {forecast.share:.0%} of the triggers and goes on"
    note(f"{forecast.total} runs of {forecast.triggers} triggers, at most {forecast.peak} in one step{some}")


@click.command("preview")
@click.argument("expressions", nargs=-1, metavar="[EXPRESSION]...")
@timed_options
@calendar_options
@click.option("--name", default=NAME, help="Name of the trigger, which decides the value of H.")
@click.option("--trigger", metavar="TRIGGER", help="Preview a trigger of the server instead of a rule.")
@instant_option("--after", "Start. [default: now]")
@click.option(
    "-n", "--count", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of fire times."
)
@options(client_options, report_option)
def preview_triggers(
    *,
    trigger: str | None,
    name: str,
    calendar: str | None,
    roll: str | None,
    after: datetime | None,
    count: int,
    output: str,
    **chosen: Any,
) -> None:
    """Show the fire times of a rule or a trigger, in its zone and in UTC. A rule without a calendar needs no server, such as

    mainspring triggers preview "0 9 * * 1-5" --zone Europe/Berlin
    """
    rule = rule_of(chosen)
    if (trigger is None) == (rule is None):
        raise click.UsageError("Give either a rule, such as '0 9 * * 1-5', or --trigger.")
    days = {"calendar": calendar, "roll": roll}
    if rule is None and any(days.values()):
        raise click.UsageError("--calendar and --roll go with a rule; a trigger of the server has its own.")
    if rule is not None and not calendar:
        found = preview_here({"when": rule, "name": name, "roll": roll or "skip"}, after=after, count=count)
    else:
        with open_target(chosen) as client:
            found = (
                client.triggers.preview(trigger or "", count=count, after=after)
                if rule is None
                else client.triggers.preview_rule(rule, name=name, **days, count=count, after=after)
            )
    print_answer(found, print_preview, output)


def print_preview(found: TriggerPreview) -> None:
    note(found.words)
    print_table(PREVIEW_COLUMNS, [time_row(instant) for instant in found.instants])


def preview_here(fields: dict[str, Any], *, after: datetime | None, count: int) -> TriggerPreview:
    """Preview a rule without a server, by the same code."""
    spec = written({"job": NAME, **fields})
    check_form(spec)
    since = after or SystemClock().now()
    instants = preview(timer_of(spec, created_at=since), own_zone(spec), after=since, count=count)
    return TriggerPreview(say(spec), [PreviewedInstant(each.at, each.local, each.note) for each in instants])


@click.command("instants")
@click.argument("trigger")
@click.option(
    "--since", callback=read_since, metavar="WHEN", help="Start: a time, or an age such as 2h. [default: a day before]"
)
@click.option(
    "--until",
    callback=read_until,
    metavar="WHEN",
    help="End: a time, a delay such as 7d, or an age such as -2h. [default: now]",
)
@lists(note, limit=100, most=1000, names=False)
def show_instants(
    client: Client, *, trigger: str, since: datetime | None, until: datetime | None, limit: int, cursor: str | None
) -> Answer:
    """Compare expected with actual: the outcome of each fire time, oldest first."""
    page = client.triggers.instants(trigger, since=since, until=until, limit=limit, cursor=cursor)
    sheet = instants_in(zone_on_server(client, trigger))
    empty = page.next is None and not page.instants
    return Answer(
        content=page, show=lambda _page: print_instants(sheet, page, words_for_none(since, until) if empty else "")
    )


def instants_in(zone: ZoneInfo) -> Sheet:
    return Sheet(
        "instant",
        columns=(("instant", lambda each: times_of(zone, each)), ("outcome", outcome_of), "reason", "run"),
    )


def print_instants(sheet: Sheet, page: InstantPage, trouble: str) -> None:
    sheet.print(page)
    if trouble:
        note(trouble)


def words_for_none(since: datetime | None, until: datetime | None) -> str:
    """Name the range of an empty list."""
    now = SystemClock().now()
    last = until or now
    first = since or min(last, now) - timedelta(days=1)
    return f"none between {cell(first)} and {cell(last)}; --since and --until choose another time"


def zone_on_server(client: Client, trigger: str) -> ZoneInfo:
    """Return the trigger's zone; UTC if it was deleted."""
    try:
        return zone_of(client.triggers.get(trigger))
    except NotFoundError:
        return UTC_ZONE


def times_of(zone: ZoneInfo, instant: InstantInfo) -> str:
    first, last = in_zone(zone, instant.at), in_zone(zone, instant.last)
    return str(first) if last is None else f"{first} to {last}"


def outcome_of(instant: InstantInfo) -> str:
    return f"{instant.outcome}, backfilled" if instant.backfill else instant.outcome


@click.command("forecast")
@instant_option("--since", "Start. [default: now]")
@click.option("--hours", type=click.IntRange(1, 744), default=24, show_default=True, help="Length of the forecast.")
@click.option(
    "--step", callback=read_duration, metavar="DURATION", default="1h", show_default=True, help="Length of one row."
)
@click.option("--no-wait", is_flag=True, help="Show what is counted so far.")
@prints(print_forecast, names=False)
def show_forecast(
    client: Client, *, since: datetime | None, hours: int, step: timedelta, no_wait: bool
) -> TriggerForecast:
    """Show how many runs the triggers will start, hour by hour. Waits until the server has counted all of them."""
    read = partial(client.triggers.forecast, since=since, hours=hours, step=max(1, int(step.total_seconds())))
    return read(wait=0) if no_wait else whole_forecast(read)


def whole_forecast(read: Callable[..., TriggerForecast]) -> TriggerForecast:
    """Read it again and again until the server has counted all, with a progress bar."""
    seen = 0
    with progress("counting", PERCENT) as advance:
        while (found := read(wait=LOOK_EVERY)).counting:
            done = int(found.share * PERCENT)
            advance(done - seen, f"{done} % of the triggers")
            seen = done
    return found


def bars(forecast: TriggerForecast) -> list[tuple[object, ...]]:
    """Return a row for each step that has runs."""
    most = max(forecast.counts, default=0)
    times = [forecast.since + timedelta(seconds=forecast.step * number) for number in range(len(forecast.counts))]
    full = [(at, count) for at, count in zip(times, forecast.counts, strict=True) if count]
    return [(at, count, "█" * max(1, round(count / most * BAR_MAX))) for at, count in full]


def time_row(instant: PreviewedInstant) -> tuple[str, str, str]:
    """Return the local time with its offset, the time in UTC, and notes on it."""
    local = instant.local.strftime("%a %Y-%m-%d %H:%M:%S %z")
    later = [f"+{instant.spread:g} s by its spread"] if instant.spread else []
    later += [f"+{instant.jitter:g} s by its jitter"] if instant.jitter else []
    notes = ", ".join([*([instant.note] if instant.note else []), *later])
    return local, instant.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ"), notes
