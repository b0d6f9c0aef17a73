"""The instants to come, on the wall clock of the trigger's zone too, with marks where clocks are set."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from mainspring.domain.triggers.fire_times.jitter import jitter_at, place_in_spread
from mainspring.domain.triggers.fire_times.timers import Timer
from mainspring.domain.triggers.spec import TriggerSpec

FORWARD = "clock set forward"
TWICE = ("comes twice: first", "comes twice: second")
SECOND = timedelta(seconds=1)
DIGITS = 3
"""Of seconds."""


class Previewed(msgspec.Struct, frozen=True):
    """An instant, and its wall time."""

    at: datetime
    local: datetime
    note: str = ""
    """What a clock that is set has to do with it; empty: nothing."""
    spread: float = 0.0
    """Seconds by which its run is due later: by the trigger's place in the spread of its group,"""
    jitter: float = 0.0
    """and by its jitter."""


def preview(timer: Timer, zone: ZoneInfo, *, after: datetime, count: int) -> list[Previewed]:
    """So many instants behind that one, or as many as there are."""
    found: list[Previewed] = []
    at = timer.next(after)
    while at is not None and len(found) < count:
        found.append(shown(at, zone))
        at = timer.next(at)
    return found


def with_lateness(instants: Sequence[Previewed], namespace: str, spec: TriggerSpec) -> list[Previewed]:
    """Say of each how much later its run is due."""
    place = round(place_in_spread(namespace, spec), DIGITS)
    return [
        msgspec.structs.replace(each, spread=place, jitter=round(jitter_at(namespace, spec, each.at), DIGITS))
        for each in instants
    ]


def shown(at: datetime, zone: ZoneInfo) -> Previewed:
    local = at.astimezone(zone)
    return Previewed(at.astimezone(UTC), fixed(local), note_on(local))


def note_on(local: datetime) -> str:
    """A wall time that comes twice; or the first one behind a gap, where those fire that fell into it."""
    first, second = local.replace(fold=0).utcoffset(), local.replace(fold=1).utcoffset()
    if first != second:
        return TWICE[local.fold]
    moment_before = (local.astimezone(UTC) - SECOND).astimezone(local.tzinfo)
    before, now = moment_before.utcoffset(), local.utcoffset()
    return FORWARD if before is not None and now is not None and before < now else ""


def fixed(local: datetime) -> datetime:
    """The same with its offset written down, which is all that JSON can say of a zone."""
    return datetime.fromisoformat(local.isoformat())
