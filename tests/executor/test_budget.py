"""An executor that is to run so many attempts in all begins no more than these."""

import asyncio

from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.runner import Runner
from tests.executor.fakes import FakePool, handlers, start


def runner_of(runs: int) -> tuple[Runner, FakePool, FakePool]:
    runner = Runner(handlers(), asyncio.Event(), runs)
    loop, threads = (FakePool(PoolSize(pool, 0, 2, 0), runner.ended) for pool in (Pool.LOOP, Pool.THREADS))
    runner.attach({Pool.LOOP: loop, Pool.THREADS: threads})
    return runner, loop, threads


def is_spent(runner: Runner) -> bool:
    assert runner.budget is not None
    return runner.budget.is_spent


def outcomes(runner: Runner) -> list[Outcome]:
    return [one.outcome for batch in runner.outbox.take(None) for one in batch.ended]


async def test_the_room_shrinks_with_each_attempt_that_ended() -> None:
    runner, loop, _ = runner_of(2)
    runner.start(start(1, 2), 0.0)
    assert runner.room() == {"loop": 2, "threads": 2}
    loop.begin()
    loop.end(1)
    assert runner.room() == {"loop": 1, "threads": 1}
    loop.end(2)

    assert runner.room() == {"loop": 0, "threads": 0}
    assert is_spent(runner)


async def test_what_two_pools_were_sent_beyond_it_is_handed_back() -> None:
    runner, loop, threads = runner_of(2)
    runner.start(start(1, 2), 0.0)
    kept = runner.start(start(3, 4, name="plain", part=1), 0.0)

    assert (len(loop.attempts), threads.attempts, kept) == (2, [], [])
    assert outcomes(runner) == [Outcome.RELEASED, Outcome.RELEASED]
    assert not is_spent(runner)


async def test_an_attempt_that_never_began_does_not_count() -> None:
    runner, loop, _ = runner_of(1)
    runner.start(start(1), 0.0)
    loop.end(1, outcome=Outcome.RELEASED)

    assert not is_spent(runner)
    assert runner.room() == {"loop": 1, "threads": 1}


async def test_without_a_bound_there_is_no_budget() -> None:
    runner, loop, _ = runner_of(0)
    runner.start(start(1, 2), 0.0)
    loop.begin()
    loop.end(1, 2)

    assert runner.budget is None
    assert runner.room() == {"loop": 2, "threads": 2}
