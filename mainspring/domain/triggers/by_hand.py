"""Fires by hand: an operator's run of a trigger, for which its policies do not apply."""

from datetime import datetime
from enum import StrEnum

import msgspec

from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.ids import RunId
from mainspring.domain.triggers.fire_times.build_timer import own_zone
from mainspring.domain.triggers.spec import Overlap
from mainspring.domain.triggers.trigger import Trigger, TriggerState


class PassedOver(StrEnum):
    """A policy that would have kept the trigger from firing."""

    PAUSED = "paused"
    ENDED = "ended"
    NOT_STARTED = "not_started"
    """Its `start_at` is to come."""
    OVERLAP = "overlap"
    """An earlier run is live, and the overlap policy allows one at a time."""
    CALENDAR = "calendar"
    """Its calendar excludes the present time."""


class FireByHand(msgspec.Struct, frozen=True):
    run: RunId
    passed_over: tuple[PassedOver, ...]


def passed_over(trigger: Trigger, calendar: Calendar | None, now: datetime) -> tuple[PassedOver, ...]:
    """The policies that a fire by hand passes over."""
    spec = trigger.spec
    start = spec.start_at
    found = {
        PassedOver.PAUSED: trigger.state is TriggerState.PAUSED,
        PassedOver.ENDED: trigger.state is TriggerState.ENDED,
        PassedOver.NOT_STARTED: start is not None and now < start,
        PassedOver.OVERLAP: spec.overlap is not Overlap.ALLOW and bool(trigger.pending or trigger.held),
        PassedOver.CALENDAR: calendar is not None and not calendar.is_free(now, calendar.zone or own_zone(spec)),
    }
    return tuple(policy for policy, applies in found.items() if applies)
