"""Pools that are given another size while they run: more slots at once, fewer as attempts end, and the server is told."""

import asyncio
import threading
from queue import SimpleQueue

from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.link.pool_sizes import FollowSizes
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import (
    Room,
)
from mainspring.wire.pools import Resize, Resized
from tests.executor.fakes import Rig, pass_time, settle_down
from tests.executor.test_loop_pool import Stage as LoopStage
from tests.executor.test_thread_pool import Stage
from tests.support.limits import HANG

LARGE, SMALL = PoolSize(Pool.THREADS, 0, 4, 100), PoolSize(Pool.THREADS, 0, 1, 100)


class Counter:
    """A handler that says when it begins, and goes on when it is let."""

    def __init__(self) -> None:
        self.begun: SimpleQueue[None] = SimpleQueue()
        self.go = threading.Semaphore(0)
        self.lock = threading.Lock()
        self.now = 0

    def __call__(self) -> int:
        with self.lock:
            self.now += 1
            seen = self.now
        self.begun.put(None)
        self.go.acquire(timeout=HANG)
        with self.lock:
            self.now -= 1
        return seen


def test_a_thread_pool_that_grows_begins_waiting_attempts_at_once() -> None:
    stage, counter = Stage(most=1), Counter()

    def handler() -> int:
        return counter()

    stage.start(handler, count=4)
    counter.begun.get(timeout=HANG)
    assert stage.pool.running == 1
    stage.pool.resize(LARGE)
    for _ in range(3):
        counter.begun.get(timeout=HANG)

    assert stage.pool.running == 4
    counter.go.release(4)
    assert {one.outcome for one in stage.outcomes(4)} == {Outcome.SUCCEEDED}
    stage.pool.close()


def test_a_thread_pool_that_shrinks_lets_what_runs_end_and_begins_no_more_than_its_slots() -> None:
    stage, counter = Stage(most=4), Counter()

    def handler() -> int:
        return counter()

    stage.start(handler, count=10)
    for _ in range(4):
        counter.begun.get(timeout=HANG)
    stage.pool.resize(SMALL)
    counter.go.release(10)
    stage.outcomes(4)
    late = stage.outcomes(6)

    # Of those that were running one goes on; the three others rest, whatever waits.
    assert {one.result for one in late} == {b"1"}
    assert stage.pool.running <= 1
    stage.pool.close()


def test_threads_above_the_new_size_are_used_again_when_it_grows() -> None:
    stage, counter = Stage(most=4), Counter()

    def handler() -> int:
        return counter()

    stage.start(handler, count=4)
    for _ in range(4):
        counter.begun.get(timeout=HANG)
    stage.pool.resize(SMALL)
    stage.pool.resize(LARGE)
    counter.go.release(4)
    stage.outcomes(4)
    stage.start(handler, count=4)
    for _ in range(4):
        counter.begun.get(timeout=HANG)
    assert stage.pool.running == 4
    counter.go.release(4)
    stage.outcomes(4)
    stage.pool.close()


def test_slots_that_strays_keep_are_free_again_when_the_pool_grows() -> None:
    stage, counter = Stage(most=1), Counter()

    def handler() -> int:
        return counter()

    first = stage.start(handler)
    counter.begun.get(timeout=HANG)
    stage.pool.give_up(first)
    second = stage.start(handler)
    counter.begun.get(timeout=HANG)
    stage.pool.give_up(second)
    assert (stage.pool.strays, stage.pool.lost) == (2, 1)

    stage.pool.resize(LARGE)
    assert (stage.pool.strays, stage.pool.lost) == (2, 0)
    counter.go.release(2)
    for _ in range(2):
        stage.freed.get(timeout=HANG)
    assert (stage.pool.strays, stage.pool.threads) == (0, 0)
    stage.pool.close()


async def test_a_loop_pool_grows_and_shrinks_with_what_it_runs() -> None:
    stage, gate = LoopStage(size=1), asyncio.Semaphore(0)
    running: list[int] = []

    async def handler() -> None:
        running.append(stage.pool.running)
        await gate.acquire()

    stage.start(handler, count=12)
    await settle_down()
    assert len(running) == 1
    stage.pool.resize(PoolSize(Pool.LOOP, 0, 5, 100))
    await settle_down()
    assert len(running) == 5

    stage.pool.resize(PoolSize(Pool.LOOP, 0, 2, 100))
    for _ in range(3):
        gate.release()
        await settle_down()
    assert (len(running), stage.pool.running) == (5, 2)
    for _ in range(9):
        gate.release()
        await settle_down()
    assert running[5:] == [2] * 7
    await settle_down()
    assert stage.pool.running == 0


async def test_a_wish_is_followed_said_again_on_the_next_connection_and_given_up_when_it_is_taken_back(
    clock: FakeClock,
) -> None:
    async with Rig(clock) as rig:
        line, hello = await rig.servers.welcome()
        own = hello.abilities.pools
        await line.hear(Room)
        wish = PoolSize(Pool.LOOP, 1, 3, 4)
        line.say(Resize([wish]))
        said = await line.hear(Resized)
        assert (said.pools, said.wanted) == ([wish, own[1]], [wish])
        assert (await line.hear(Room)).pools == {"loop": 7, "threads": 10}
        assert rig.loop_pool.size == wish

        line.abort()
        await pass_time(clock, 1)
        line, hello = await rig.servers.welcome()
        assert hello.abilities.pools == [wish, own[1]]
        assert (await line.hear(Resized)).wanted == [wish]
        line.say(Resize([]))
        assert (await line.hear(Resized)).pools == own
        assert rig.loop_pool.size == own[0]


async def test_an_executor_that_was_never_resized_says_nothing_of_it(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        await line.hear(Room)
        assert line.heard(Resized) == []


async def test_a_pool_that_the_executor_has_not_is_left_out_and_one_that_ends_after_some_runs_takes_no_more(
    clock: FakeClock,
) -> None:
    async with Rig(clock) as rig:
        own = [size for pool in rig.pools.values() for size in [pool.size]]
        sizes = FollowSizes(own, rig.runner, most=5)
        sizes.receive(Resize([PoolSize(Pool.PROCESSES, 0, 2, 0), PoolSize(Pool.LOOP, 8, 64, 128)]))

        assert sizes.sizes == [PoolSize(Pool.LOOP, 5, 5, 0), own[1]]
