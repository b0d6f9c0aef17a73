"""Every due instant is fired or skipped, in exactly one place, whatever the lapse was."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainspring.domain.triggers.fire_times.misfires import Firing, Misfire, MisfirePolicy, SkipReason, Span, fire
from mainspring.domain.triggers.fire_times.timers import Interval
from tests.words import MINUTE, SECOND

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
MINUTELY = Interval(MINUTE, NOON)


def late(minutes: int, policy: MisfirePolicy) -> Firing:
    return fire(MINUTELY, NOON, NOON + minutes * MINUTE + SECOND, policy)


@pytest.mark.parametrize("misfire", Misfire)
def test_an_instant_on_time_fires_whatever_the_policy(misfire: Misfire) -> None:
    assert late(0, MisfirePolicy(misfire=misfire)) == Firing((NOON,), None, NOON + MINUTE)


def test_once_fires_the_latest_that_was_missed_and_skips_the_rest() -> None:
    found = late(5, MisfirePolicy(misfire=Misfire.ONCE))

    assert found.fires == (NOON + 4 * MINUTE, NOON + 5 * MINUTE)
    assert found.skipped == Span(NOON, NOON + 3 * MINUTE, SkipReason.MISSED)
    assert found.next_due == NOON + 6 * MINUTE


@pytest.mark.parametrize("misfire", Misfire)
def test_what_is_a_few_seconds_late_was_not_missed(misfire: Misfire) -> None:
    found = fire(Interval(SECOND, NOON), NOON, NOON + 5 * SECOND, MisfirePolicy(misfire=misfire))

    assert found.fires == tuple(NOON + n * SECOND for n in range(6))
    assert found.skipped is None


@pytest.mark.parametrize(("misfire", "count"), [(Misfire.SKIP, 61), (Misfire.ONCE, 62)])
def test_of_a_long_lapse_the_last_minute_was_not_missed(misfire: Misfire, count: int) -> None:
    now = NOON + timedelta(hours=1)
    found = fire(Interval(SECOND, NOON), NOON, now, MisfirePolicy(misfire=misfire))

    assert found.fires == tuple(now - n * SECOND for n in range(count))[::-1]
    assert found.skipped == Span(NOON, now - count * SECOND, SkipReason.MISSED)


@pytest.mark.parametrize("misfire", Misfire)
def test_more_than_may_fire_at_once_are_too_many_though_none_was_missed(misfire: Misfire) -> None:
    policy = MisfirePolicy(misfire=misfire, catch_up_max=2)
    found = fire(Interval(SECOND, NOON), NOON, NOON + 5 * SECOND, policy)

    assert found.fires == (NOON + 4 * SECOND, NOON + 5 * SECOND)
    assert found.skipped == Span(NOON, NOON + 3 * SECOND, SkipReason.TOO_MANY)


def test_skip_fires_only_what_is_on_time() -> None:
    hourly = Interval(timedelta(hours=1), NOON)
    found = fire(hourly, NOON, NOON + timedelta(hours=2, minutes=30), MisfirePolicy(misfire=Misfire.SKIP))

    assert found.fires == ()
    assert found.skipped == Span(NOON, NOON + timedelta(hours=2), SkipReason.MISSED)


def test_all_fires_each_and_of_too_many_the_latest() -> None:
    assert late(3, MisfirePolicy(misfire=Misfire.ALL)).fires == tuple(NOON + n * MINUTE for n in range(4))

    found = late(9, MisfirePolicy(misfire=Misfire.ALL, catch_up_max=3))
    assert found.fires == tuple(NOON + n * MINUTE for n in (7, 8, 9))
    assert found.skipped == Span(NOON, NOON + 6 * MINUTE, SkipReason.TOO_MANY)


def test_a_start_deadline_stands_above_the_policy() -> None:
    found = late(9, MisfirePolicy(misfire=Misfire.ALL, start_deadline=timedelta(minutes=2, seconds=30)))

    assert found.fires == tuple(NOON + n * MINUTE for n in (7, 8, 9))
    assert found.skipped == Span(NOON, NOON + 6 * MINUTE, SkipReason.TOO_LATE)


def test_ten_years_of_minutes_take_no_longer_than_a_few() -> None:
    asked: list[datetime] = []

    class Counting(Interval, frozen=True):
        def previous(self, before: datetime) -> datetime | None:
            asked.append(before)
            return super().previous(before)

    found = fire(Counting(MINUTE, NOON), NOON, NOON + timedelta(days=3653), MisfirePolicy())

    assert found.skipped == Span(NOON, NOON + timedelta(days=3653) - 3 * MINUTE, SkipReason.MISSED)
    assert len(asked) <= 4


@settings(max_examples=200)
@given(
    misfire=st.sampled_from(Misfire),
    most=st.integers(1, 5),
    deadline=st.none() | st.integers(1, 900).map(lambda seconds: timedelta(seconds=seconds)),
    lapse=st.integers(0, 2000),
)
def test_each_instant_is_in_one_place(misfire: Misfire, most: int, deadline: timedelta | None, lapse: int) -> None:
    now = NOON + timedelta(seconds=lapse)
    policy = MisfirePolicy(misfire=misfire, catch_up_max=most, start_deadline=deadline)
    found = fire(MINUTELY, NOON, now, policy)
    span = found.skipped
    skipped = [
        NOON + n * MINUTE for n in range(lapse // 60 + 1) if span and span.first <= NOON + n * MINUTE <= span.last
    ]

    assert sorted([*skipped, *found.fires]) == [NOON + n * MINUTE for n in range(lapse // 60 + 1)]
    assert found.next_due is not None
    assert found.next_due > now
