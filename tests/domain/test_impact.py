"""What another calendar would change: found however far behind the next instants it lies, and said how far that is known."""

from datetime import UTC, datetime, timedelta
from typing import Any

from mainspring.domain.calendars.impact import HORIZON, STEPS_MAX, Impact, impact_on
from mainspring.domain.triggers.spec import AnyRule, Cron
from tests.domain.test_calendars import calendar
from tests.domain.trigger_scene import MINUTELY, Story

MONDAY = datetime(2026, 11, 16, 12, tzinfo=UTC)
NINE = Cron(expressions=("0 9 * * *",))


def impact(when: AnyRule, *, count: int = 3, fires_max: int | None = None, **proposed: Any) -> Impact:
    """Of a calendar that leaves out weekends, once it is like that."""
    trigger = Story(when, now=MONDAY, calendar="office", fires_max=fires_max).trigger
    weekend = calendar(weekdays=("sat", "sun"))
    looking = impact_on(trigger, weekend, calendar(**proposed), now=MONDAY, count=count)
    try:
        while True:
            next(looking)
    except StopIteration as done:
        found: Impact = done.value
        return found


def test_a_change_behind_the_next_instants_is_found() -> None:
    saturday = impact(NINE, weekdays=("sun",))
    bridge = impact(NINE, weekdays=("sat", "sun"), dates={"2026-12-29": "bridge"})

    assert saturday.before == saturday.after
    assert (saturday.differs, saturday.differs_at) == (True, datetime(2026, 11, 21, 9, tzinfo=UTC))
    assert bridge.before == bridge.after
    assert (bridge.differs, bridge.differs_at, bridge.same_until) == (True, datetime(2026, 12, 29, 9, tzinfo=UTC), None)


def test_where_nothing_differs_it_is_said_up_to_when() -> None:
    daily = impact(NINE, weekdays=("sat", "sun"), dates={"2028-12-29": "bridge"})
    dense = impact(MINUTELY, weekdays=("sat", "sun"), dates={"2026-12-29": "bridge"})
    few = impact(NINE, fires_max=2, weekdays=("sun",))

    assert (daily.differs, daily.differs_at) == (False, None)
    assert daily.same_until is not None
    assert HORIZON <= daily.same_until - MONDAY < HORIZON + timedelta(days=3)
    assert dense.same_until == MONDAY + STEPS_MAX * timedelta(minutes=1)
    assert (few.differs, few.same_until, len(few.before)) == (False, MONDAY + HORIZON, 2)


def test_what_is_shown_is_always_compared() -> None:
    yearly = impact(
        Cron(expressions=("0 9 24 12 *",)), weekdays=("sat", "sun"), dates={"2030-12-24": "Christmas Eve"}, count=5
    )

    assert yearly.differs_at == datetime(2030, 12, 24, 9, tzinfo=UTC)
    assert datetime(2030, 12, 24, 9, tzinfo=UTC) in yearly.before
