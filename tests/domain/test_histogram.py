"""The steps of a histogram are whole, few and of lengths that people think in."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.insights.histogram import STEPS, buckets_of, floor_to, has_rollups, resolution_of
from mainspring.domain.queues.rollup import Resolution
from mainspring.domain.runs.query import read_query

NOON = datetime(2030, 1, 2, 12, 0, 30, tzinfo=UTC)


@given(st.integers(0, 40_000_000), st.integers(1, 200))
def test_the_steps_cover_the_range_and_are_no_more_than_asked_for(seconds: int, most: int) -> None:
    since = NOON - timedelta(seconds=seconds)
    buckets = buckets_of(since, NOON, most=most)
    first, last = min(buckets.counts), max(buckets.counts)

    assert first <= since < first + timedelta(seconds=buckets.step)
    assert last <= NOON < last + timedelta(seconds=buckets.step)
    assert len(buckets.counts) <= max(most, 2)
    assert buckets.step in STEPS or buckets.step % 604_800 == 0


def test_runs_outside_of_the_range_are_left_out() -> None:
    buckets = buckets_of(NOON - timedelta(minutes=5), NOON, most=10)
    for at in (NOON, NOON - timedelta(hours=1), NOON + timedelta(hours=1)):
        buckets.add(at, "failed", 2)

    assert {at: states for at, states in buckets.counts.items() if states} == {
        floor_to(NOON, buckets.step): {"failed": 2}
    }


@pytest.mark.parametrize(
    ("query", "answered"),
    [
        ("", True),
        ("job:charge queue:pay state:failed since:24h", True),
        ("state:running", False),
        ("tag:vip", False),
        ("duration:>3s", False),
        ("key:order-17", False),
    ],
)
def test_roll_ups_answer_for_jobs_queues_and_final_states(query: str, answered: bool) -> None:
    assert has_rollups(read_query(query, NOON)) is answered


def test_the_finest_roll_ups_that_reach_back_are_read() -> None:
    ages = [timedelta(hours=1), timedelta(hours=30), timedelta(days=32)]

    assert [resolution_of(NOON - age, NOON) for age in ages] == [Resolution.MINUTE, Resolution.HOUR, None]
