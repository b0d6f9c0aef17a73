"""Frames to an executor: which leave at once, and that none overtakes another."""

import asyncio
from contextlib import suppress

from mainspring.domain.ids import RunId
from mainspring.domain.routing.resources import Needs
from mainspring.scheduler.dispatch.claim_groups import ClaimRequest
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.sessions.bookings import Bookings
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.testing.clock import START
from mainspring.wire.messages import Load
from tests.factories import session, token


class Narrow:
    """A link that at times has no room."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.room = asyncio.Event()
        self.room.set()
        self.tried, self.all = asyncio.Event(), asyncio.Event()

    def send_now(self, frame: bytes) -> bool:
        if not self.room.is_set():
            return False
        self.sent.append(frame)
        return True

    async def send(self, frame: bytes) -> None:
        self.tried.set()
        await self.room.wait()
        self.sent.append(frame)
        if len(self.sent) == 3:
            self.all.set()

    async def receive(self) -> bytes:
        raise NotImplementedError

    async def close(self, code: int, reason: str) -> None:
        raise NotImplementedError


def attach(link: Narrow) -> ExecutorConnection:
    return ExecutorConnection(session(), link, Facts())


async def started(attached: ExecutorConnection) -> "asyncio.Task[None]":
    writing = asyncio.create_task(attached.write())
    await asyncio.sleep(0)
    return writing


async def stopped(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_a_frame_leaves_at_once_where_nothing_is_in_its_way() -> None:
    attached = attach(link := Narrow())
    writing = await started(attached)
    attached.send_frame(b"1")

    assert link.sent == [b"1"]
    await stopped(writing)


async def test_frames_wait_until_somebody_carries_them() -> None:
    attached = attach(link := Narrow())
    attached.send_frame(b"1")
    before = list(link.sent)
    writing = await started(attached)

    assert (before, link.sent) == ([], [b"1"])
    await stopped(writing)


async def test_no_frame_overtakes_one_that_waits_for_room() -> None:
    attached = attach(link := Narrow())
    writing = await started(attached)
    link.room.clear()
    attached.send_frame(b"1")
    attached.send_frame(b"2")
    await link.tried.wait()
    # There is room again, and nobody has used it yet.
    link.room.set()
    attached.send_frame(b"3")
    await link.all.wait()

    assert link.sent == [b"1", b"2", b"3"]
    await stopped(writing)


def test_an_executor_is_busy_from_the_claim_of_an_attempt_until_its_last_outcome() -> None:
    attached = attach(Narrow())
    [credit] = attached.credits.values()
    one, other = token(), token()
    busy = [attached.busy]
    attached.take(credit, one, [RunId(bytes(16)), RunId(bytes(15) + b"1")])
    attached.take(credit, other, [RunId(bytes(15) + b"2")])
    for ended in ([one, other], [one]):
        busy.append(attached.busy)
        attached.give_back(ended)

    assert [*busy, attached.busy] == [False, True, True, False]


def test_what_is_only_reserved_is_not_free_and_does_not_show_as_used() -> None:
    attached = attach(Narrow())
    attached.load = Load(running=0, waiting=0, cpu=0.0, memory=0)
    [credit] = attached.credits.values()
    with ClaimRequest([1], [(credit, credit.room)]).reserved():
        free, shown = credit.free, attached.load_at(START)

    assert shown is not None
    assert (free, credit.free) == (0, credit.room)
    assert [pool.taken for pool in shown.pools] == [0]


def test_resources_are_reserved_with_their_slots() -> None:
    attached = attach(Narrow())
    attached.bookings = Bookings({"gpu": 1.0})
    [credit] = attached.credits.values()
    needs = Needs(amounts=(("gpu", 1.0),))
    with ClaimRequest([1], [(credit, 1)], needs).reserved():
        during = credit.fits(needs)

    assert (during, credit.fits(needs)) == (0, 1)
