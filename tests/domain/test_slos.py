"""Error budgets and burn rates, beside an oracle that counts runs one by one."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.queues.rollup import EDGES, Resolution, Rollup, Spread, coarser, floor
from mainspring.domain.runs.run import RunState
from mainspring.domain.slos.budget import FAST, SLOW, BudgetState, RunTally, standing_of, tally
from mainspring.domain.slos.days import SloDay
from mainspring.domain.slos.fresh import fresh_minutes, success_ends
from mainspring.domain.slos.slo import Indicator, SloSpec, check_slo, edge_of
from mainspring.errors import InvalidInputError
from mainspring.testing.clock import START

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
Run = tuple[int, RunState, int]
"""Minutes before the end, the state, and the duration in microseconds."""
RUNS = st.lists(
    st.tuples(
        st.integers(1, 6 * 24 * 60),
        st.sampled_from([RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED]),
        st.integers(1, 10_000_000),
    ),
    max_size=40,
)


def rollup(run: Run) -> Rollup:
    ago, state, micros = run
    bucket = sum(micros >= edge for edge in EDGES)
    spread = Spread(micros, micros, (0,) * bucket + (1,))
    at = floor(START - ago * MINUTE, Resolution.MINUTE)
    return Rollup(at=at, line=1, job=1, state=state, runs=1, wait=spread, duration=spread)


def counted(runs: list[Run], spec: SloSpec, since: datetime) -> RunTally:
    """The oracle: each run by itself."""
    good = bad = 0
    for ago, state, micros in runs:
        if state is RunState.CANCELLED or START - ago * MINUTE < since:
            continue
        fine = state is RunState.SUCCEEDED if spec.within is None else micros < edge_of(spec.within) * 1_000_000
        good, bad = good + fine, bad + (not fine)
    return RunTally(good, bad)


@given(RUNS, st.sampled_from([None, 0.001, 0.5, 1.024, 5.0]))
def test_a_tally_is_what_counting_each_run_says(runs: list[Run], within: float | None) -> None:
    indicator = Indicator.SUCCESS if within is None else Indicator.DURATION
    spec = SloSpec(job="a", indicator=indicator, within=within)
    since = START - DAY

    assert tally(spec, map(rollup, runs), since=since) == counted(runs, spec, since)


@given(RUNS)
def test_burn_rates_and_the_budget_come_from_the_same_runs(runs: list[Run]) -> None:
    spec, minutes = SloSpec(job="a", objective=0.9), [rollup(run) for run in runs]
    found = standing_of(spec, minutes, coarser(minutes, Resolution.HOUR), START)

    assert found.whole == counted(runs, spec, START - 30 * DAY)
    for window in (5 * MINUTE, HOUR, 6 * HOUR):
        assert found.burns[window] == pytest.approx(counted(runs, spec, START - window).bad_share / 0.1)


@pytest.mark.parametrize(
    ("long", "short", "fast"),
    [(15.0, 15.0, True), (15.0, 1.0, False), (1.0, 15.0, False), (14.0, 14.0, False)],
)
def test_a_fast_burn_needs_both_windows(long: float, short: float, fast: bool) -> None:
    burns = {HOUR: long, 5 * MINUTE: short, 6 * HOUR: 1.0, 30 * MINUTE: 1.0, 3 * DAY: 0.5}
    standing = BudgetState(objective=0.99, whole=RunTally(1000, 1), burns=burns)

    assert (standing.burns_at(FAST) is not None) == fast
    assert standing.burns_at(SLOW) is None


def test_a_job_with_few_runs_has_a_budget_of_at_least_one() -> None:
    standing = BudgetState(objective=0.99, whole=RunTally(29, 1), burns={})

    assert (standing.is_few, standing.budget, standing.budget_left) == (True, 1.0, 0.0)


@pytest.mark.parametrize(
    ("field", "spec"),
    [
        ("objective", SloSpec(job="a", objective=1.0)),
        ("window_days", SloSpec(job="a", window_days=91)),
        ("within", SloSpec(job="a", indicator=Indicator.START)),
        ("within", SloSpec(job="a", within=1.0)),
        ("within", SloSpec(job="a", indicator=Indicator.FRESH, within=1.0)),
        ("job", SloSpec(job="")),
    ],
)
def test_a_bad_slo_is_refused_by_its_field(field: str, spec: SloSpec) -> None:
    with pytest.raises(InvalidInputError) as raised:
        check_slo("good", spec)

    assert raised.value.field == field


@given(st.lists(st.integers(1, 350), max_size=12), st.integers(5, 200), st.sampled_from([5, 30, 60, 300]))
def test_fresh_minutes_are_what_looking_at_each_minute_says(ago: list[int], within: int, window: int) -> None:
    """The oracle looks at each minute by itself."""
    rollups = [rollup((minutes, RunState.SUCCEEDED, 1)) for minutes in ago]
    ends = success_ends(rollups, [])
    good = sum(
        any(end <= at < end + within * MINUTE for end in ends)
        for at in (START - number * MINUTE for number in range(1, window + 1))
    )

    found = fresh_minutes(ends, within * MINUTE, since=START - window * MINUTE, until=START)
    assert found == (good, window - good)


def test_a_job_that_stopped_succeeding_burns_the_budget_of_its_freshness() -> None:
    spec = SloSpec(job="a", indicator=Indicator.FRESH, within=3600.0, objective=0.99)
    minutes = [rollup((ago, RunState.SUCCEEDED, 1)) for ago in range(125, 360, 10)]
    found = standing_of(spec, minutes, [], START)

    assert found.burns_at(FAST) is not None
    assert found.whole.bad == 125 - 60 - 1
    assert standing_of(spec, [], [], START).whole.total == 0


def test_a_success_before_the_minutes_counts_by_the_hour() -> None:
    spec = SloSpec(job="a", indicator=Indicator.FRESH, within=26 * 3600.0, objective=0.99)
    hours = coarser([rollup((20 * 60, RunState.SUCCEEDED, 1))], Resolution.HOUR)
    found = standing_of(spec, [], hours, START)

    assert found.whole.bad == 0
    assert found.whole.good > 18 * 60


def test_the_worst_days_are_those_with_most_bad_runs() -> None:
    """START is at noon: half a day before it, a day ends."""
    ends = {60: RunState.FAILED, 61: RunState.SUCCEEDED, 1500: RunState.FAILED, 1501: RunState.FAILED}
    hours = [rollup((ago, state, 1)) for ago, state in ends.items()]
    yesterday = (START - DAY).date()
    found = standing_of(SloSpec(job="a"), [], hours, START)

    assert found.worst == (SloDay(yesterday, 0, 2), SloDay(START.date(), 1, 1))
    assert (found.whole.good, found.whole.bad) == (1, 3)


def test_days_without_a_fresh_minute_are_the_worst_of_freshness() -> None:
    spec = SloSpec(job="a", indicator=Indicator.FRESH, within=3600.0)
    hours = [rollup((3 * 1440, RunState.SUCCEEDED, 1)), rollup((30, RunState.SUCCEEDED, 1))]
    found = standing_of(spec, [], hours, START)

    assert {one.day for one in found.worst[:2]} == {(START - DAY).date(), (START - 2 * DAY).date()}
    assert {one.bad for one in found.worst[:2]} == {1440}
    assert sum(one.bad for one in found.worst) == found.whole.bad
