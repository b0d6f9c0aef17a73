"""A server's clock never runs ahead of the database's, however slowly that answers, and is not far behind it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain, repeat

import pytest

from mainspring.clock import SystemClock
from mainspring.domain.ids import Ids
from mainspring.scheduler.engine import Scheduler
from mainspring.scheduler.settlement.follows import Arrivals
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.testing.clock import START

SLOW, QUICK = 0.034, 0.0003


class Machines:
    """The database's clock and a server's, which was set wrongly, over a network that takes its time."""

    def __init__(self, ways: Iterator[tuple[float, float]]) -> None:
        self.elapsed = 0.0
        self._ways = ways
        self.clock = SystemClock(lambda: START + timedelta(seconds=3), lambda: self.elapsed)

    @property
    def database_now(self) -> datetime:
        return START + timedelta(seconds=self.elapsed)

    async def answer(self) -> datetime:
        there, back = next(self._ways)
        self.elapsed += there
        said = self.database_now
        self.elapsed += back
        return said

    @property
    def ahead(self) -> float:
        """Seconds by which the server's clock is ahead."""
        return (self.clock.now() - self.database_now).total_seconds()


def attach(store: Store, machines: Machines, monkeypatch: pytest.MonkeyPatch) -> Scheduler:
    monkeypatch.setattr(store, "clock", machines.answer)
    return Scheduler(store, SchedulerSettings(name="s"), machines.clock, Ids(), follow=machines.clock.shift)


@pytest.mark.parametrize("ways", [(SLOW, 0.0), (0.0, SLOW), (SLOW / 2, SLOW / 2)], ids=["there", "back", "both"])
async def test_a_clock_is_never_ahead_of_a_database_that_answers_slowly(
    store: Store, monkeypatch: pytest.MonkeyPatch, ways: tuple[float, float]
) -> None:
    machines = Machines(repeat(ways))
    scheduler = attach(store, machines, monkeypatch)
    for _ in range(20):
        await scheduler.joining.set_clock()
        assert -sum(ways) - 1e-5 <= machines.ahead <= 1e-5
        machines.elapsed += 3.0


async def test_one_quick_answer_is_enough_to_be_nearly_right(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    machines = Machines(chain([(0.0, SLOW), (0.0, QUICK)], repeat((0.0, SLOW))))
    scheduler = attach(store, machines, monkeypatch)
    await scheduler.joining.set_clock()
    first = machines.ahead
    machines.elapsed += 3.0
    await scheduler.joining.set_clock()

    assert -2 * QUICK <= first <= 1e-5
    assert -0.005 <= machines.ahead <= 1e-5


@pytest.mark.parametrize("ways", [(SLOW, 0.0), (0.0, SLOW), (SLOW / 2, SLOW / 2)], ids=["there", "back", "both"])
async def test_an_arrival_is_not_dated_before_it_was_though_the_clock_is_corrected_after_it(
    store: Store, monkeypatch: pytest.MonkeyPatch, ways: tuple[float, float]
) -> None:
    machines = Machines(chain(repeat(ways, 3), repeat((QUICK, QUICK))))
    scheduler = attach(store, machines, monkeypatch)
    arrivals = Arrivals(machines.clock, scheduler.facts)
    await scheduler.joining.tick()
    arrived_at, mark = machines.database_now, machines.clock.monotonic()
    dated = arrivals.instant(mark)
    await scheduler.joining.tick()

    for instant in (dated, arrivals.instant(mark)):
        assert -1e-5 <= (instant - arrived_at).total_seconds() <= SLOW + 0.01
