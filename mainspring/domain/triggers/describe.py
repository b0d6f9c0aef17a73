"""When a trigger fires, in words: "at 09:30 on weekdays, Berlin time"."""

from datetime import UTC
from typing import assert_never

from mainspring.domain.cron.describe import DAY_NAMES, describe, listed
from mainspring.domain.triggers.fire_times.build_timer import WEEKDAYS, parsed, seed_of
from mainspring.domain.triggers.spec import At, Cron, Delay, Event, Every, Roll, TriggerSpec, Webhook, Windows

UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
ROLLS = {
    Roll.SKIP: "",
    Roll.NEXT: ", or else the next such day",
    Roll.PREVIOUS: ", or else the day before that counts",
}


def say(spec: TriggerSpec) -> str:
    """Of a definition that was checked."""
    return rule(spec) + (f", on days of calendar {spec.calendar}{ROLLS[spec.roll]}" if spec.calendar else "")


def rule(spec: TriggerSpec) -> str:
    match spec.when:
        case Cron(expressions=expressions, zone=zone):
            found = [describe(parsed(text, seed_of(text, spec.name))) for text in expressions]
            return f"{', and '.join(dict.fromkeys(found))}, {clock_of(zone)}"
        case Every(every=every):
            return f"every {period(every)}"
        case Delay(delay=delay):
            return f"{duration(delay)} after the last run has ended"
        case At(at=at):
            return f"once, on {at.astimezone(UTC):%Y-%m-%d at %H:%M:%S} UTC"
        case Windows(every=every, opens=opens, closes=closes, zone=zone) as windows:
            return f"every {period(every)} from {opens} until {closes}{days(windows)}, {clock_of(zone)}"
        case Webhook():
            return "when its URL is called"
        case Event(type=kind):
            return f"on events of type {kind}"
        case other:
            assert_never(other)


def days(windows: Windows) -> str:
    chosen = [DAY_NAMES[(number + 1) % 7] for number, name in enumerate(WEEKDAYS) if name in windows.weekdays]
    match [name for name in WEEKDAYS if name in windows.weekdays]:
        case [] | ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]:
            return ""
        case ["mon", "tue", "wed", "thu", "fri"]:
            return " on weekdays"
        case ["sat", "sun"]:
            return " on weekends"
        case _:
            return f" on {listed(chosen)}"


def clock_of(zone: str) -> str:
    """Whose clock: `Berlin time`, `UTC`."""
    place = zone.rpartition("/")[2]
    if zone.startswith("Etc/") or "/" not in zone:
        return place if place.isupper() else f"{place} time"
    return f"{place.replace('_', ' ')} time"


def period(seconds: float) -> str:
    """A duration behind the word every: one of a unit goes without its number."""
    return duration(seconds).removeprefix("1 ") if seconds in {unit for unit, _ in UNITS} else duration(seconds)


def duration(seconds: float) -> str:
    """In the largest units that say it exactly: "1 hour and 30 minutes"."""
    whole, parts = int(seconds), []
    for size, name in UNITS:
        count, whole = divmod(whole, size)
        if name == "second" and seconds % 1:
            parts.append(f"{round(count + seconds % 1, 6):g} seconds")
        elif count:
            parts.append(f"{count} {name}{'s' if count > 1 else ''}")
    return listed(parts)
