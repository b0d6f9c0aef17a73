"""How many executors a queue wants."""

import math

from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.queues.scaling import NOTHING, Demand, demand_of, demands_together, wanted

counts = st.integers(0, 10_000)
rates = st.floats(0, 1_000)


def queue(due: int = 0, running: int = 0, arrivals: float = 0.0, duration: float | None = 1.0) -> Demand:
    return Demand(due=due, running=running, arrivals=arrivals, duration=duration)


def test_an_empty_queue_wants_none_and_a_burst_wants_enough_to_be_through_in_time() -> None:
    assert wanted([NOTHING], slots=8, within=60) == 0
    assert wanted([queue(due=10_000, duration=0.5)], slots=4, within=60) == 21
    assert wanted([queue(due=10_000, duration=None)], slots=4, within=60) == 42


def test_one_due_run_wants_one_executor() -> None:
    assert wanted([queue(due=1, duration=0.01)], slots=8, within=60) == 1


@given(counts, counts, rates, rates, st.integers(1, 64), st.booleans())
def test_it_is_never_below_the_work_under_way(
    due: int, running: int, finished: float, duration: float, slots: int, is_paused: bool
) -> None:
    demand = demand_of(due=due, running=running, finished=finished, grown=0.0, duration=duration, is_paused=is_paused)

    assert wanted([demand], slots=slots, within=60) >= math.ceil(running / slots)
    if is_paused:
        assert wanted([demand], slots=slots, within=60) == math.ceil(running / slots)


@given(st.lists(st.builds(queue, counts, counts, rates, st.none() | rates), max_size=5), st.integers(1, 64))
def test_several_queues_want_at_least_what_each_alone_does(demands: list[Demand], slots: int) -> None:
    together = wanted(demands, slots=slots, within=60)

    assert all(together >= wanted([one], slots=slots, within=60) for one in demands)


def test_a_few_long_runs_are_not_hidden_by_many_short_ones() -> None:
    long, short = queue(due=300, arrivals=5.0, duration=None), queue(arrivals=100.0, duration=0.01)

    assert wanted([long, short], slots=4, within=10) == wanted([long], slots=4, within=10) == 9
    assert demands_together([queue(due=30, duration=2.0), queue(due=10, duration=1.0)]).duration == 1.75
    assert demands_together([]).duration is None


def test_executors_that_follow_it_work_a_burst_off_and_are_let_go() -> None:
    due, running, slots, most = 10_000, 0, 4, 8
    fewest = most
    for _ in range(600):
        executors = min(most, max(1, wanted([queue(due, running, duration=0.5)], slots=slots, within=60)))
        running = min(executors * slots, due)
        due = max(0, due - 2 * executors * slots)
        if due > 1_000:
            fewest = min(fewest, executors)
        running = min(running, due)

    assert (due, fewest) == (0, most)
    assert min(most, max(1, wanted([queue(0, 0)], slots=slots, within=60))) == 1
