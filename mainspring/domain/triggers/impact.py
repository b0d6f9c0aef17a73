"""What another calendar would do to the triggers that use it."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.triggers.calendars import Calendar
from mainspring.domain.triggers.making import timer_of
from mainspring.domain.triggers.trigger import Trigger


class Impact(msgspec.Struct, frozen=True):
    """The instants of one trigger that come next, as things are and as they would be."""

    trigger: Trigger
    before: Sequence[datetime]
    after: Sequence[datetime]

    @property
    def differs(self) -> bool:
        return self.before != self.after


def impact_on(trigger: Trigger, present: Calendar | None, proposed: Calendar, *, now: datetime, count: int) -> Impact:
    return Impact(
        trigger,
        upcoming(trigger, present, now=now, count=count),
        upcoming(trigger, proposed, now=now, count=count),
    )


def upcoming(trigger: Trigger, calendar: Calendar | None, *, now: datetime, count: int) -> list[datetime]:
    """So many instants to come, no more than it may still fire at."""
    most = trigger.spec.fires_max
    left = count if most is None else min(count, most - trigger.fired)
    timer = timer_of(trigger.spec, created_at=trigger.created_at, calendar=calendar)
    found: list[datetime] = []
    at = timer.next(now)
    while at is not None and len(found) < left:
        found.append(at)
        at = timer.next(at)
    return found
