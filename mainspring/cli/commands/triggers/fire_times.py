"""`mainspring triggers preview`, `instants` and `forecast`: what is to come, and what became of what came."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.triggers.fields import calendar_options, instant_option, rule_of, timed_options
from mainspring.cli.commands.triggers.zones import UTC_ZONE, in_zone, zone_of
from mainspring.cli.durations import read_duration, read_since, read_until
from mainspring.cli.options import client_options, report_option
from mainspring.cli.output.tables import cell, note, print_content, print_table
from mainspring.client.client import Client
from mainspring.client.views.triggers import InstantInfo, PreviewedInstant, TriggerForecast, TriggerPreview
from mainspring.clock import SystemClock
from mainspring.domain.triggers.checks import check_form
from mainspring.domain.triggers.describe import say
from mainspring.domain.triggers.fire_times.build_timer import own_zone, timer_of
from mainspring.domain.triggers.fire_times.preview import preview
from mainspring.domain.triggers.shorthand import written
from mainspring.errors import NotFoundError

PREVIEW_COLUMNS = ("local", "UTC", "note")
INSTANT_COLUMNS = ("instant", "outcome", "reason", "run")
FORECAST_COLUMNS = ("from", "runs", "")
BAR_MAX = 40
NAME = "preview"


@click.command("preview")
@click.argument("expressions", nargs=-1, metavar="[EXPRESSION]...")
@timed_options
@calendar_options
@click.option("--name", default=NAME, help="Of the trigger: it decides what H stands for.")
@click.option("--trigger", metavar="TRIGGER", help="One that a server has, instead.")
@instant_option("--after", "From there on. [default: now]")
@click.option("-n", "--count", type=click.IntRange(1, 1000), default=10, show_default=True)
@client_options
@report_option
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
    """Show when a trigger fires, in its zone and in UTC: of a rule that is given here, which needs no server unless it has a
    calendar, such as

    mainspring triggers preview "0 9 * * 1-5" --zone Europe/Berlin
    """
    rule = rule_of(chosen)
    if (trigger is None) == (rule is None):
        raise click.UsageError("Give either a rule, such as '0 9 * * 1-5', or --trigger.")
    days = {"calendar": calendar, "roll": roll}
    if rule is None and any(days.values()):
        raise click.UsageError("--calendar and --roll go with a rule; what a server has comes with its own.")
    if rule is not None and not calendar:
        found = preview_here({"when": rule, "name": name, "roll": roll or "skip"}, after=after, count=count)
    else:
        with open_client(**chosen) as client:
            found = (
                client.triggers.preview(trigger or "", count=count, after=after)
                if rule is None
                else client.triggers.preview_rule(rule, name=name, **days, count=count, after=after)
            )
    if output != "table":
        print_content(found, output)
        return
    note(found.words)
    print_table(PREVIEW_COLUMNS, [time_row(instant) for instant in found.instants])


def preview_here(fields: dict[str, Any], *, after: datetime | None, count: int) -> TriggerPreview:
    """Without a server: the rules are the same ones."""
    spec = written({"job": NAME, **fields})
    check_form(spec)
    since = after or SystemClock().now()
    instants = preview(timer_of(spec, created_at=since), own_zone(spec), after=since, count=count)
    return TriggerPreview(say(spec), [PreviewedInstant(each.at, each.local, each.note) for each in instants])


@click.command("instants")
@click.argument("trigger")
@click.option(
    "--since", callback=read_since, metavar="WHEN", help="An instant, or ago, such as 2h. [default: a day before]"
)
@click.option(
    "--until",
    callback=read_until,
    metavar="WHEN",
    help="An instant, or ahead, such as 7d, or ago, such as -2h. [default: now]",
)
@click.option("--limit", type=click.IntRange(1, 1000), default=100, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@report_option
def show_instants(
    *,
    trigger: str,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    cursor: str | None,
    output: str,
    **target: Any,
) -> None:
    """Compare expected with actual: what became of each instant, oldest first."""
    with open_client(**target) as client:
        page = client.triggers.instants(trigger, since=since, until=until, limit=limit, cursor=cursor)
        zone = zone_on_server(client, trigger)
    if output != "table":
        print_content(page, output)
        return
    print_table(
        INSTANT_COLUMNS, [(times_of(zone, each), said_of(each), each.reason, each.run) for each in page.instants]
    )
    if page.next:
        note(f"more: --cursor {page.next}")
    elif not page.instants:
        note(words_for_none(since, until))


def words_for_none(since: datetime | None, until: datetime | None) -> str:
    """Where was looked, for those who expected something."""
    now = SystemClock().now()
    last = until or now
    first = since or min(last, now) - timedelta(days=1)
    return f"none between {cell(first)} and {cell(last)}; --since and --until choose another time"


def zone_on_server(client: Client, trigger: str) -> ZoneInfo:
    """Whose clock its instants are shown by; UTC if it is deleted, and only its ledger is left."""
    try:
        return zone_of(client.triggers.get(trigger))
    except NotFoundError:
        return UTC_ZONE


def times_of(zone: ZoneInfo, instant: InstantInfo) -> str:
    first, last = in_zone(zone, instant.at), in_zone(zone, instant.last)
    return str(first) if last is None else f"{first} to {last}"


def said_of(instant: InstantInfo) -> str:
    return f"{instant.outcome}, backfilled" if instant.backfill else instant.outcome


@click.command("forecast")
@instant_option("--since", "From there on. [default: now]")
@click.option("--hours", type=click.IntRange(1, 744), default=24, show_default=True)
@click.option("--step", callback=read_duration, metavar="DURATION", default="1h", show_default=True)
@client_options
@report_option
def show_forecast(*, since: datetime | None, hours: int, step: timedelta, output: str, **target: Any) -> None:
    """Show how many runs triggers will start: the herds, before they come."""
    with open_client(**target) as client:
        found = client.triggers.forecast(since=since, hours=hours, step=max(1, int(step.total_seconds())))
    if output != "table":
        print_content(found, output)
        return
    print_table(FORECAST_COLUMNS, bars(found))
    some = "" if found.complete else "; there are more triggers or instants than were followed"
    note(f"{found.total} runs of {found.triggers} triggers, at most {found.peak} in one step{some}")


def bars(forecast: TriggerForecast) -> list[tuple[object, ...]]:
    """A line for each step in which there are any."""
    most = max(forecast.counts, default=0)
    times = [forecast.since + timedelta(seconds=forecast.step * number) for number in range(len(forecast.counts))]
    full = [(at, count) for at, count in zip(times, forecast.counts, strict=True) if count]
    return [(at, count, "█" * max(1, round(count / most * BAR_MAX))) for at, count in full]


def time_row(instant: PreviewedInstant) -> tuple[str, str, str]:
    """The wall clock's time with its offset, the same in UTC, and what is odd about it."""
    local = instant.local.strftime("%a %Y-%m-%d %H:%M:%S %z")
    later = [f"+{instant.spread:g} s by its spread"] if instant.spread else []
    later += [f"+{instant.jitter:g} s by its jitter"] if instant.jitter else []
    notes = ", ".join([*([instant.note] if instant.note else []), *later])
    return local, instant.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ"), notes
