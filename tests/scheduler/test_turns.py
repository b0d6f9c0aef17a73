"""Many who follow changes read them one after the other, and none of them later than a round."""

import asyncio
from contextlib import ExitStack
from itertools import pairwise

import pytest

from mainspring.domain.feed import ChangeKind, FeedChange, Wanted
from mainspring.domain.ids import ServerId
from mainspring.scheduler.insights.feed import Changes, Follower
from mainspring.scheduler.insights.turns import EACH, FEW, ROUND_MAX, SOON, Turns
from mainspring.testing.clock import FakeClock

WANTED = Wanted(namespace="default")
STEP = 0.01


class Readers:
    """Followers, each in a task that reads one change."""

    def __init__(self, changes: Changes, clock: FakeClock, opened: ExitStack, count: int) -> None:
        self.clock = clock
        self.read: list[FeedChange] = []
        self.tasks = [
            asyncio.ensure_future(self._read(opened.enter_context(changes.follow(WANTED)))) for _ in range(count)
        ]

    async def _read(self, follower: Follower) -> None:
        while not (found := await follower.next(seconds=60)):
            pass
        self.read += [one for one in found if isinstance(one, FeedChange)]

    async def settle(self) -> int:
        """How many have read by now."""
        for _ in range(4):
            await asyncio.sleep(0)
        return len(self.read)

    async def pass_round(self, seconds: float) -> list[int]:
        """How many read in each step of so much time."""
        counts, before = [], await self.settle()
        for _ in range(round(seconds / STEP)):
            self.clock.advance(STEP)
            now = await self.settle()
            counts.append(now - before)
            before = now
        return counts


def publish(changes: Changes) -> None:
    changes.publish(ChangeKind.QUEUE_RESUMED, "default", {}, queue="q")


@pytest.fixture
def changes(clock: FakeClock) -> Changes:
    return Changes(clock, ServerId(bytes(16)))


async def test_few_read_a_change_at_once(changes: Changes, clock: FakeClock) -> None:
    with ExitStack() as opened:
        readers = Readers(changes, clock, opened, FEW)
        await readers.settle()
        publish(changes)

        assert await readers.settle() == FEW


async def test_many_read_it_one_after_the_other_within_a_round(changes: Changes, clock: FakeClock) -> None:
    with ExitStack() as opened:
        readers = Readers(changes, clock, opened, 200)
        await readers.settle()
        publish(changes)
        at_once = await readers.settle()
        counts = await readers.pass_round(200 * EACH + SOON + STEP)

    assert at_once == 0
    assert sum(counts) == 200
    # Two come in a step on average.
    assert max(counts) <= 4


async def test_all_read_the_rest_in_turn_when_the_server_drains(changes: Changes, clock: FakeClock) -> None:
    with ExitStack() as opened:
        readers = Readers(changes, clock, opened, 50)
        await readers.settle()
        publish(changes)
        changes.close()

        assert sum(await readers.pass_round(50 * EACH + SOON + STEP)) == 50


@pytest.mark.parametrize("early", [0.0, 0.0005, 0.002])
def test_who_is_woken_a_little_early_has_had_its_turn(early: float) -> None:
    """A loop that counts in milliseconds wakes early, and would do so again and again until the very moment."""
    turns = Turns()
    turns.share(200)
    place, now = turns.place(), 1234.5
    turn = now + turns.wait(place, now)

    assert turns.wait(place, turn - early) == pytest.approx(ROUND_MAX + early, abs=1e-6)


@pytest.mark.parametrize("followers", [FEW + 1, 40, 200, 500])
def test_turns_come_once_in_a_round_and_lie_evenly(followers: int) -> None:
    turns = Turns()
    turns.share(followers)
    length = min(followers * EACH, ROUND_MAX)
    waits = sorted(turns.wait(turns.place(), now=1234.5) for _ in range(followers))
    gaps = [later - earlier for earlier, later in pairwise(waits)]

    assert waits[0] > SOON
    assert waits[-1] <= length + SOON
    assert max(gaps) < 3 * length / followers


def test_with_few_nobody_takes_turns() -> None:
    turns = Turns()
    turns.share(FEW + 1)
    assert turns.taken
    turns.share(FEW)
    assert not turns.taken
