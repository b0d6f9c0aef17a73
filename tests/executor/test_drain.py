"""A drain finishes or hands back, leaves nothing unsaid, and calls none of it a failure."""

import asyncio

from mainspring.domain.attempt import Outcome
from mainspring.executor.drain import HEED_MAX, INTERRUPT_MAX, SETTLE_MAX, drain
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Goodbye, Leased, Outcomes, Room, Settled
from tests.executor.fakes import Line, Rig, pass_time, run_id, settle_down, start

GRACE = 30.0
HEARD = Leased(99)
"""Answers every beat so far."""


def draining(rig: Rig, clock: FakeClock) -> "asyncio.Task[bool]":
    return asyncio.create_task(drain(rig.conversation, clock, grace=GRACE))


async def busy(rig: Rig) -> Line:
    """One attempt under way, one that has not begun."""
    line, _ = await rig.servers.welcome(lease=1_000.0)
    await line.hear(Room)
    line.say(start(1))
    await settle_down()
    rig.loop_pool.begin()
    line.say(start(2, part=1))
    await settle_down()
    return line


async def test_what_has_not_begun_is_handed_back_and_the_rest_may_finish(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        ending = draining(rig, clock)
        assert (await line.hear(Room)).pools == {"loop": 0, "threads": 0}
        first = await line.hear(Outcomes)
        assert [(ended.run, ended.outcome) for ended in first.ended] == [(run_id(2), Outcome.RELEASED)]
        (attempt,) = rig.loop_pool.attempts
        assert attempt.stopping

        await pass_time(clock, GRACE / 2)
        rig.loop_pool.end(1)
        second = await line.hear(Outcomes)
        assert second.runs == [run_id(1)]
        await settle_down()
        assert not ending.done()
        line.say(Settled(first.seq, []), Settled(second.seq, []))
        await settle_down()
        assert not ending.done(), "the server may not have heard of it yet"
        line.say(HEARD)

        assert await ending
        await rig.link.goodbye()
        assert await line.hear(Goodbye)


async def test_what_runs_longer_than_the_grace_is_interrupted_and_handed_back(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        ending = draining(rig, clock)
        line.say(Settled((await line.hear(Outcomes)).seq, []), HEARD)
        await settle_down()
        clock.advance(GRACE)

        outcomes = await line.hear(Outcomes)

        assert [(ended.run, ended.outcome) for ended in outcomes.ended] == [(run_id(1), Outcome.RELEASED)]
        line.say(Settled(outcomes.seq, []))
        assert await ending


async def test_what_cannot_be_interrupted_is_handed_back_all_the_same(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        rig.loop_pool.obeys = False
        ending = draining(rig, clock)
        line.say(Settled((await line.hear(Outcomes)).seq, []), HEARD)
        for seconds in (GRACE, INTERRUPT_MAX):
            await settle_down()
            clock.advance(seconds)

        outcomes = await line.hear(Outcomes)

        assert [ended.outcome for ended in outcomes.ended] == [Outcome.RELEASED]
        line.say(Settled(outcomes.seq, []))
        assert await ending


async def test_a_start_that_crosses_the_drain_is_handed_back(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        ending = draining(rig, clock)
        await line.hear(Outcomes)
        line.say(start(3, part=2))

        outcomes = await line.hear(Outcomes)

        assert [(ended.run, ended.outcome) for ended in outcomes.ended] == [(run_id(3), Outcome.RELEASED)]
        ending.cancel()


async def test_a_drain_without_a_server_does_not_last_for_ever(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        rig.servers.down = {"a": ConnectionError("no"), "b": ConnectionError("no")}
        line.abort()
        await settle_down()
        rig.loop_pool.end(1)
        ending = draining(rig, clock)
        await settle_down()
        for seconds in (HEED_MAX, SETTLE_MAX):
            clock.advance(seconds)
            await settle_down()

        assert not await ending
        await rig.link.goodbye()


async def test_an_idle_executor_drains_at_once(clock: FakeClock) -> None:
    rig = Rig(clock)

    assert await drain(rig.conversation, clock, grace=GRACE)
