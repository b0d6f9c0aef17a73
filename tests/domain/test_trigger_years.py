"""Where time ends for triggers: what lies outside is refused, and nothing that is counted from within runs out of dates."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainspring.domain.calendars.checks import check_calendar
from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.calendars.spec import Blackout, CalendarSpec, CalendarVersion
from mainspring.domain.runs.run import DUE_MAX
from mainspring.domain.triggers.checks import check_form
from mainspring.domain.triggers.fire_times.build_timer import own_zone, timer_of
from mainspring.domain.triggers.fire_times.preview import preview
from mainspring.domain.triggers.fire_times.timers import TICK
from mainspring.domain.triggers.spec import AnyRule, At, Cron, Delay, Event, Every, Roll, TriggerSpec, Windows
from mainspring.domain.years import END, FIRST
from mainspring.errors import InvalidInputError
from tests.domain.trigger_scene import MINUTELY, NOON, Story

LAST = END - TICK
WEEKS = 86_400.0 * 7 * 521
"""Almost ten years, to the weekday."""
NEVER_IN_UTC = [
    datetime.fromisoformat("9999-12-31T23:59:59-14:00"),
    datetime.fromisoformat("0001-01-01T00:00:00+14:00"),
]
OUTSIDE = [*NEVER_IN_UTC, FIRST - TICK, END, datetime.fromisoformat("2999-12-31T23:00:00-02:00")]
ZONES = ("UTC", "Pacific/Kiritimati", "Etc/GMT+12", "America/New_York")
EXPRESSIONS = ("* * * * * *", "0 0 1 1 *", "59 23 31 12 *", "0 0 29 2 */7", "0 0 1 1 */7")

crons = st.builds(
    lambda text, zone: Cron(expressions=(text,), zone=zone), st.sampled_from(EXPRESSIONS), st.sampled_from(ZONES)
)
windows = st.builds(
    lambda zone, weekdays: Windows(every=3600, opens="22:00", closes="02:00", zone=zone, weekdays=weekdays),
    st.sampled_from(ZONES),
    st.sampled_from([(), ("wed",)]),
)
intervals = st.builds(
    lambda every, anchor: Every(every=every, anchor=anchor),
    st.sampled_from([1.0, WEEKS, DUE_MAX.total_seconds()]),
    st.sampled_from([None, FIRST, NOON, LAST]),
)
single = st.sampled_from([At(at=FIRST), At(at=LAST), Delay(delay=DUE_MAX.total_seconds())])
edges = st.builds(
    lambda apart, is_late: LAST - apart if is_late else FIRST + apart,
    st.timedeltas(timedelta(0), timedelta(days=366 * 30)),
    st.booleans(),
)


def calendar(**said: Any) -> Calendar:
    spec = CalendarSpec(name="work", **said)
    return Calendar(CalendarVersion(namespace="default", version=1, spec=spec, author="anna", at=NOON))


CALENDARS = (
    None,
    calendar(weekdays=("mon", "tue", "thu", "fri", "sat", "sun")),
    calendar(dates={"01-01": "", "02-29": "", "12-31": ""}),
    calendar(blackouts=(Blackout(since=FIRST, until=LAST),)),
)


@settings(max_examples=200)
@given(
    when=crons | windows | intervals | single,
    days=st.sampled_from(CALENDARS),
    roll=st.sampled_from(Roll),
    edge=edges,
    bounds=st.sampled_from([{}, {"start_at": FIRST}, {"start_at": LAST}, {"end_at": LAST}]),
)
def test_nothing_overflows_at_either_end(
    when: AnyRule, days: Calendar | None, roll: Roll, edge: datetime, bounds: dict[str, Any]
) -> None:
    spec = TriggerSpec(name="nightly", job="report", when=when, roll=roll, calendar="work" if days else "", **bounds)
    timer = timer_of(spec, created_at=NOON, calendar=days)
    found, before = timer.next(edge), timer.previous(edge)

    assert found is None or found > edge
    assert before is None or before < edge
    for each in preview(timer, own_zone(spec), after=edge, count=20):
        assert each.at.astimezone(UTC) > edge


def test_a_count_of_decades_ends_with_the_years() -> None:
    spec = TriggerSpec(name="nightly", job="report", when=Every(every=WEEKS))
    found = preview(timer_of(spec, created_at=NOON), own_zone(spec), after=NOON, count=1_000)

    assert len(found) == 97
    assert found[-1].at < END


def test_a_delay_of_decades_ends_with_the_years() -> None:
    story = Story(Delay(delay=DUE_MAX.total_seconds()), start_at=NOON + timedelta(hours=1))
    while story.trigger.next_due is not None:
        assert story.skip_next() < END


@pytest.mark.parametrize("at", OUTSIDE, ids=str)
@pytest.mark.parametrize("field", ["when.at", "when.anchor", "start_at", "end_at"])
def test_an_instant_outside_the_years_is_refused_by_its_field(field: str, at: datetime) -> None:
    rules: dict[str, AnyRule] = {"when.at": At(at=at), "when.anchor": Every(every=60, anchor=at)}
    said: dict[str, Any] = {} if field in rules else {field: at}
    others: tuple[AnyRule, ...] = (MINUTELY, Delay(delay=60), Event(type="paid"))
    for when in (rules.get(field, other) for other in others):
        with pytest.raises(InvalidInputError, match="outside the years 1900 to 2999") as refused:
            check_form(TriggerSpec(name="nightly", job="report", when=when, **said))
        assert (refused.value.code, refused.value.field) == ("bad_trigger", field)


@pytest.mark.parametrize("at", [FIRST, LAST], ids=str)
def test_the_first_and_the_last_instant_are_taken(at: datetime) -> None:
    check_form(TriggerSpec(name="nightly", job="report", when=At(at=at), start_at=at))


@pytest.mark.parametrize("at", OUTSIDE, ids=str)
def test_a_blackout_outside_the_years_is_refused(at: datetime) -> None:
    with pytest.raises(InvalidInputError, match="outside the years 1900 to 2999") as refused:
        check_calendar(CalendarSpec(name="work", blackouts=(Blackout(since=at, until=LAST),)))
    assert (refused.value.code, refused.value.field) == ("bad_calendar", "blackouts[0].since")
