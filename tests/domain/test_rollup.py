"""How roll-ups are added up, and what can be read from them."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.queues.rollup import (
    EDGES,
    Resolution,
    Rollup,
    Spread,
    add_spreads,
    coarser,
    floor,
    merge,
    single,
)
from mainspring.domain.runs.run import RunState
from mainspring.testing.clock import START

MILLISECOND = 1000


def spread(*microseconds: int) -> Spread:
    """As the store counts: each value by itself, then added up."""
    whole = Spread()
    for value in microseconds:
        bucket = sum(edge <= value for edge in EDGES)
        whole = add_spreads(whole, single(value, bucket, 1, value))
    return whole


def rollup(*, minute: int = 0, job: int = 1, runs: int = 1, state: RunState = RunState.SUCCEEDED) -> Rollup:
    return Rollup(at=START + timedelta(minutes=minute), line=1, job=job, state=state, runs=runs)


def test_nothing_measured_is_no_time_at_all() -> None:
    assert Spread().quantile(0.5) is None
    assert Spread().mean is None
    assert single(None, None, 7, None) == Spread()


def test_a_single_value_is_each_of_its_quantiles() -> None:
    assert spread(7 * MILLISECOND).quantile(1.0) == 7 * MILLISECOND
    assert spread(7 * MILLISECOND).mean == 7 * MILLISECOND


@given(st.lists(st.integers(0, 10**11), min_size=1, max_size=50), st.sampled_from([0.5, 0.9, 0.95, 0.99, 1.0]))
def test_a_quantile_is_right_to_a_bucket(values: list[int], share: float) -> None:
    found = spread(*values).quantile(share)
    exact = sorted(values)[max(0, -(-len(values) * share // 1).__trunc__() - 1)]

    assert found is not None
    assert found <= max(values)
    assert found <= max(2 * exact, MILLISECOND)
    assert found >= exact / 2 - MILLISECOND or exact > EDGES[-1]


@given(st.lists(st.integers(0, 10**9), max_size=20), st.lists(st.integers(0, 10**9), max_size=20))
def test_adding_up_is_counting_together(some: list[int], others: list[int]) -> None:
    assert add_spreads(spread(*some), spread(*others)) == spread(*some, *others)


def test_roll_ups_of_one_key_become_one() -> None:
    merged = merge([rollup(runs=2), rollup(runs=3), rollup(job=2), rollup(state=RunState.FAILED)])

    assert sorted((one.job, one.state, one.runs) for one in merged) == [
        (1, RunState.SUCCEEDED, 5),
        (1, RunState.FAILED, 1),
        (2, RunState.SUCCEEDED, 1),
    ]


def test_minutes_become_hours() -> None:
    hours = coarser([rollup(minute=minute) for minute in range(-1, 61)], Resolution.HOUR)

    assert [(one.at, one.runs) for one in hours] == [
        (START - timedelta(hours=1), 1),
        (START, 60),
        (START + timedelta(hours=1), 1),
    ]


@pytest.mark.parametrize("step", Resolution)
def test_an_instant_belongs_to_the_step_that_began_last(step: Resolution) -> None:
    assert floor(START, step) == START
    assert floor(START + timedelta(seconds=step, microseconds=-1), step) == START
    assert floor(START + timedelta(seconds=step), step) == START + timedelta(seconds=step)
