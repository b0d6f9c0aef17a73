"""The options that define a trigger: its rule and its policies."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, cast

import click
import msgspec

from mainspring.cli.commands.runs.filters import label_option, tag_option
from mainspring.cli.commands.runs.inputs import input_option, read_input, read_object
from mainspring.cli.durations import read_duration, read_known
from mainspring.cli.options import F, options
from mainspring.client.fields import TriggerFields

TELLING = ("expressions", "every", "delay", "at", "event", "webhook", "rule")
"""Options that decide the kind of the rule; only one may be given."""
BESIDE = ("zone", "gap", "fold", "anchor", "opens", "closes", "weekdays")
NAMES = {"expressions": "--cron", "event": "--event", "rule": "--when"}
DEFAULTED = tuple(name for name in TriggerFields.__annotations__ if name not in ("job", "when", "note"))
"""Fields that can be reset to their defaults."""


def read_instant(_context: click.Context, _option: click.Parameter, value: str | None) -> datetime | None:
    if value is None:
        return None
    try:
        return read_known(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not an instant such as 2030-01-01T09:00:00Z.") from None


def read_weekdays(_context: click.Context, _option: click.Parameter, value: str | None) -> list[str] | None:
    return None if value is None else [name.strip().lower() for name in value.split(",") if name.strip()]


def duration_option(name: str, text: str) -> Callable[[F], F]:
    return click.option(name, callback=read_duration, metavar="DURATION", help=text)


def instant_option(name: str, text: str) -> Callable[[F], F]:
    return click.option(name, callback=read_instant, metavar="INSTANT", help=text)


zone_option = click.option("--zone", metavar="ZONE", help="Time zone, such as Europe/Berlin. [default: UTC]")
timed_options = options(
    zone_option,
    click.option(
        "--gap", type=click.Choice(["next_valid", "skip"]), help="Policy for local times that a clock change skips."
    ),
    click.option(
        "--fold",
        type=click.Choice(["first", "second", "both"]),
        help="Policy for local times that a clock change repeats.",
    ),
    duration_option("--every", "Fire at a fixed rate, such as 30s."),
    instant_option("--anchor", "With --every: time from which the interval counts."),
    click.option("--opens", metavar="TIME", help="With --every: start of the daily window, such as 09:00."),
    click.option("--closes", metavar="TIME", help="With --opens: end of the daily window."),
    click.option(
        "--weekdays",
        callback=read_weekdays,
        metavar="DAYS",
        help="With --opens: weekdays of the window, such as mon,tue,fri.",
    ),
    instant_option("--at", "Fire once, at this time."),
)
rule_options = options(
    click.option("--cron", "expressions", multiple=True, metavar="EXPRESSION", help="Cron expression. Repeatable."),
    timed_options,
    duration_option("--delay", "Fire this long after the end of the last run."),
    click.option("--event", metavar="TYPE", help="Fire on events of this type."),
    click.option("--webhook", is_flag=True, default=None, help="Fire when the trigger's own URL is called."),
    click.option("--when", "rule", metavar="JSON", help="Whole rule as JSON, or @FILE."),
)
calendar_options = options(
    click.option("--calendar", metavar="NAME", help="Calendar with the days to fire on."),
    click.option(
        "--roll", type=click.Choice(["skip", "next", "previous"]), help="Policy for fire times on other days."
    ),
)
policy_options = options(
    input_option("Input of each run"),
    click.option("--queue", help="Queue. [default: the job's]"),
    click.option("--priority", type=int, help="Priority, from 0 (least urgent) to 9."),
    tag_option,
    label_option,
    click.option("--description", help="Description for people."),
    instant_option("--start-at", "First allowed fire time."),
    instant_option("--end-at", "End of the fire times, exclusive."),
    click.option("--fires-max", type=click.IntRange(1), metavar="N", help="Maximum number of fires."),
    duration_option("--jitter", "Largest random delay of each run."),
    click.option("--group", help="Group of triggers that are spread together."),
    duration_option("--spread", "With --group: time over which to spread them after their fire times."),
    calendar_options,
    click.option("--misfire", type=click.Choice(["skip", "once", "all"]), help="Policy for missed fire times."),
    click.option(
        "--catch-up-max",
        type=click.IntRange(1),
        metavar="N",
        help="With --misfire all: maximum number of missed fire times to fire.",
    ),
    duration_option(
        "--start-deadline", "Skip fire times that are later than this, and fail runs that have not started by then."
    ),
    click.option(
        "--overlap",
        type=click.Choice(["allow", "skip", "queue_one", "queue_all", "cancel_previous"]),
        help="Policy for fire times while the last run is live.",
    ),
    click.option(
        "--overlap-max",
        type=click.IntRange(1),
        metavar="N",
        help="With queue_all: maximum number of waiting fire times.",
    ),
    click.option(
        "--pause-after", type=click.IntRange(1), metavar="N", help="Pause the trigger after N failures in a row."
    ),
)
OF_POLICY = (
    *("queue", "priority", "description", "start_at", "end_at", "fires_max", "jitter", "group", "spread", "calendar"),
    *("roll", "misfire", "catch_up_max", "start_deadline", "overlap", "overlap_max", "pause_after"),
)


def fields_of(chosen: dict[str, Any], seen: dict[str, Any] | None = None) -> TriggerFields:
    """Take a trigger's fields out of a command's options, and add them to the definition `seen`."""
    fields = {} if seen is None else {name: value for name, value in seen.items() if name != "name"}
    if rule := rule_of(chosen, fields.get("when")):
        fields["when"] = rule
    if inputs := chosen.pop("inputs"):
        fields["input"] = read_input(inputs, fields.get("input"))
    for name in ("tags", "labels"):
        if given := chosen.pop(name):
            fields[name] = given
    given = {name: chosen.pop(name) for name in OF_POLICY}
    fields |= {name: plain(value) for name, value in given.items() if value is not None}
    return cast("TriggerFields", fields)


def rule_of(chosen: dict[str, Any], seen: dict[str, Any] | None = None) -> dict[str, Any] | None:
    """Return the rule that the options define; one of the same kind as `seen` changes only the given fields."""
    told = {name: value for name in TELLING if (value := chosen.pop(name, None)) not in (None, ())}
    beside = {name: plain(value) for name in BESIDE if (value := chosen.pop(name, None)) is not None}
    if len(told) > 1:
        first, second = [NAMES.get(name, f"--{name}") for name in told][:2]
        raise click.UsageError(f"{first} and {second} exclude each other.")
    if not told:
        if beside and seen is None:
            raise click.UsageError("Say when it fires: --cron, --every, --delay, --at, --event, --webhook or --when.")
        return {**(seen or {}), **beside} if beside else None
    [(name, value)] = told.items()
    present = seen or {}
    rule = rule_told(name, value, windowed="opens" in beside or present.get("kind") == "windows")
    kept = present if name != "rule" and present.get("kind") == rule["kind"] else {}
    return {**kept, **rule, **beside}


def rule_told(name: str, value: Any, *, windowed: bool) -> dict[str, Any]:
    match name:
        case "rule":
            return read_object(value, "--when")
        case "expressions":
            return {"kind": "cron", "expressions": list(value)}
        case "every":
            return {"kind": "windows" if windowed else "interval", "every": plain(value)}
        case "delay":
            return {"kind": "delay", "delay": plain(value)}
        case "at":
            return {"kind": "once", "at": value}
        case "event":
            return {"kind": "event", "type": value}
        case _:
            return {"kind": "webhook"}


def plain(value: Any) -> Any:
    return value.total_seconds() if isinstance(value, timedelta) else value


def as_text(fields: dict[str, Any]) -> str:
    """Write fields as YAML for an editor."""
    return msgspec.yaml.encode(msgspec.to_builtins(fields)).decode()
