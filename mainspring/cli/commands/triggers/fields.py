"""A trigger as options of a command: its rule, and everything else that may be said of it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, cast

import click
import msgspec

from mainspring.cli.commands.runs.filters import label_option, tag_option
from mainspring.cli.commands.runs.inputs import input_option, read_input, read_object
from mainspring.cli.durations import read_duration, read_known
from mainspring.cli.options import F, options
from mainspring.client.views.triggers import TriggerFields

TELLING = ("expressions", "every", "delay", "at", "event", "webhook", "rule")
"""Options of which one tells the kind of the rule."""
BESIDE = ("zone", "gap", "fold", "anchor", "opens", "closes", "weekdays")
NAMES = {"expressions": "--cron", "event": "--event", "rule": "--when"}
DEFAULTED = tuple(name for name in TriggerFields.__annotations__ if name not in ("job", "when", "note"))
"""What may be put back to its default."""


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


zone_option = click.option("--zone", metavar="ZONE", help="Whose clock, such as Europe/Berlin. [default: UTC]")
timed_options = options(
    zone_option,
    click.option(
        "--gap", type=click.Choice(["next_valid", "skip"]), help="For times that a clock set forward leaves out."
    ),
    click.option("--fold", type=click.Choice(["first", "second", "both"]), help="For times that come twice."),
    duration_option("--every", "At a fixed rate, such as 30s."),
    instant_option("--anchor", "With --every: count from there."),
    click.option("--opens", metavar="TIME", help="With --every: only from that time of day, such as 09:00,"),
    click.option("--closes", metavar="TIME", help="until this one."),
    click.option("--weekdays", callback=read_weekdays, metavar="DAYS", help="With --opens: such as mon,tue,fri."),
    instant_option("--at", "Once."),
)
rule_options = options(
    click.option("--cron", "expressions", multiple=True, metavar="EXPRESSION", help="May be given several times."),
    timed_options,
    duration_option("--delay", "So long after the last run has ended."),
    click.option("--event", metavar="TYPE", help="On events of that type."),
    click.option("--webhook", is_flag=True, default=None, help="When a URL of its own is called."),
    click.option("--when", "rule", metavar="JSON", help="The rule as a whole, or @FILE."),
)
calendar_options = options(
    click.option("--calendar", metavar="NAME", help="The days that count."),
    click.option("--roll", type=click.Choice(["skip", "next", "previous"]), help="What becomes of other days."),
)
policy_options = options(
    input_option("Arguments of each run"),
    click.option("--queue", help="Another queue than the job's."),
    click.option("--priority", type=int, help="0 (least urgent) to 9."),
    tag_option,
    label_option,
    click.option("--description", help="For people."),
    instant_option("--start-at", "Fire at no instant before."),
    instant_option("--end-at", "Nor at or after this."),
    click.option("--fires-max", type=click.IntRange(1), metavar="N", help="Nor more often than this."),
    duration_option("--jitter", "Each run is due up to so much later."),
    click.option("--group", help="Triggers that are spread together,"),
    duration_option("--spread", "over so much time behind their instants."),
    calendar_options,
    click.option("--misfire", type=click.Choice(["skip", "once", "all"]), help="What to do about missed instants."),
    click.option("--catch-up-max", type=click.IntRange(1), metavar="N", help="How many may fire at once."),
    duration_option("--start-deadline", "Skip what comes later than that, and fail what has not begun by then."),
    click.option(
        "--overlap",
        type=click.Choice(["allow", "skip", "queue_one", "queue_all", "cancel_previous"]),
        help="What to do while the run before is under way.",
    ),
    click.option("--overlap-max", type=click.IntRange(1), metavar="N", help="With queue_all: how many may wait."),
    click.option("--pause-after", type=click.IntRange(1), metavar="N", help="Pause after so many failures in a row."),
)
OF_POLICY = (
    *("queue", "priority", "description", "start_at", "end_at", "fires_max", "jitter", "group", "spread", "calendar"),
    *("roll", "misfire", "catch_up_max", "start_deadline", "overlap", "overlap_max", "pause_after"),
)


def fields_of(chosen: dict[str, Any], seen: dict[str, Any] | None = None) -> TriggerFields:
    """Take what is said of a trigger out of a command's options; `seen`: added to what it has been so far."""
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
    """The rule that options tell; of the same kind as the one that is there, it only changes that."""
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
    """For an editor."""
    return msgspec.yaml.encode(msgspec.to_builtins(fields)).decode()
