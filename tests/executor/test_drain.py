"""A drain finishes or hands back, leaves nothing unsaid, and calls none of it a failure."""

import asyncio

import pytest

from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import LATE
from mainspring.executor.process.drain import (
    END,
    HAND_BACK,
    HEED_MAX,
    INTERRUPT,
    LEAVE,
    SETTLE_MAX,
    TELL_EVERY,
    Timetable,
    drain,
)
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Goodbye, Leased, Outcomes, Room, Settled
from tests.executor.fakes import GRACE as STOP_GRACE
from tests.executor.fakes import Line, Rig, pass_time, run_id, settle_down, start

GRACE = 30.0
HEARD = Leased(99)
"""Answers every beat so far."""


def draining(rig: Rig, clock: FakeClock, grace: float = GRACE) -> "asyncio.Task[bool]":
    return asyncio.create_task(drain(rig.session, clock, Timetable.of(clock.monotonic(), grace)))


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


async def test_what_runs_nearly_as_long_as_the_grace_is_interrupted_and_handed_back(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        ending = draining(rig, clock)
        line.say(Settled((await line.hear(Outcomes)).seq, []), HEARD)
        await settle_down()
        clock.advance(GRACE - INTERRUPT)

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
        for seconds in (GRACE - INTERRUPT, INTERRUPT - HAND_BACK):
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

    assert await draining(rig, clock)


@pytest.mark.parametrize("grace", [30.0, 10.0, 3.0])
async def test_a_drain_is_over_before_its_grace_is_whatever_handlers_and_servers_do(
    clock: FakeClock, grace: float
) -> None:
    async with Rig(clock) as rig:
        await busy(rig)
        rig.loop_pool.obeys = False
        began, ending = clock.monotonic(), draining(rig, clock, grace)
        while not ending.done():
            await pass_time(clock, 0.1, step=0.1)

        assert not await ending
        assert clock.monotonic() - began < Timetable.of(0.0, grace).end


def test_half_of_a_short_grace_is_left_for_ending_by_oneself() -> None:
    assert Timetable.of(100.0, 30.0) == Timetable(130 - INTERRUPT, 130 - HAND_BACK, 130 - LEAVE, 130 - END)
    assert Timetable.of(100.0, 4.0) == Timetable(102.0, 102.8, 103.2, 103.8)
    assert Timetable.of(100.0, 0.0) == Timetable(100.0, 100.0, 100.0, 100.0)


def test_very_many_attempts_are_interrupted_earlier_so_that_all_can_be_handed_in() -> None:
    assert Timetable.of(100.0, 30.0, 100_000) == Timetable(115.0, 117.0, 128.0, 129.5)
    assert Timetable.of(100.0, 30.0, 1_000_000) == Timetable(110.0, 112.0, 128.0, 129.5)
    assert Timetable.of(100.0, 10.0, 100_000) == Timetable(100.0, 102.0, 108.0, 109.5)


async def test_attempts_may_tidy_up_and_outcomes_are_handed_in_however_short_the_grace_is(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        rig.loop_pool.obeys = False
        ending = draining(rig, clock, grace=0.0)
        first = await line.hear(Outcomes)
        await settle_down()
        assert [attempt.run for attempt in rig.loop_pool.abandoned] == [run_id(1)]
        rig.loop_pool.end(1)
        second = await line.hear(Outcomes)
        assert second.runs == [run_id(1)]
        line.say(Settled(first.seq, []), Settled(second.seq, []), HEARD)

        assert await ending


async def test_a_drain_ends_as_soon_as_the_time_of_its_last_attempt_is_up(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        clock.advance(1.0)
        line, _ = await rig.servers.welcome(lease=1_000.0)
        line.say(start(1, timeout=3.0))
        await settle_down()
        rig.loop_pool.attempts[0].begin(clock.monotonic())
        ending = draining(rig, clock)
        await settle_down()
        await pass_time(clock, 3.0)

        outcomes = await line.hear(Outcomes)
        assert [(ended.run, ended.outcome) for ended in outcomes.ended] == [(run_id(1), Outcome.TIMED_OUT)]
        line.say(Settled(outcomes.seq, []), HEARD)
        await settle_down()
        assert ending.done()
        assert await ending


async def test_a_deadline_ends_an_attempt_during_a_drain_as_well(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        clock.advance(1.0)
        line, _ = await rig.servers.welcome(lease=1_000.0)
        line.say(start(1))
        await settle_down()
        (attempt,) = rig.loop_pool.attempts
        attempt.begin(clock.monotonic())
        attempt.deadline = clock.monotonic() + 3.0
        rig.stops.expect([attempt])
        ending = draining(rig, clock)
        await settle_down()
        await pass_time(clock, 3.0)

        outcomes = await line.hear(Outcomes)
        assert [ended.failure for ended in outcomes.ended] == [LATE]
        line.say(Settled(outcomes.seq, []), HEARD)
        assert await ending


async def test_a_handler_that_cannot_be_stopped_is_given_up_during_a_drain_once_its_time_is_up(
    clock: FakeClock,
) -> None:
    async with Rig(clock) as rig:
        clock.advance(1.0)
        line, _ = await rig.servers.welcome(lease=1_000.0)
        line.say(start(1, timeout=3.0))
        await settle_down()
        rig.loop_pool.attempts[0].begin(clock.monotonic())
        rig.loop_pool.obeys = False
        ending = draining(rig, clock)
        await settle_down()
        await pass_time(clock, 3.0 + STOP_GRACE)

        outcomes = await line.hear(Outcomes)
        assert [ended.outcome for ended in outcomes.ended] == [Outcome.TIMED_OUT]
        line.say(Settled(outcomes.seq, []), HEARD)
        assert await ending


async def test_a_drain_counts_down_to_the_moment_at_which_attempts_are_interrupted(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="mainspring.executor.process.drain")
    async with Rig(clock) as rig:
        await busy(rig)
        ending = draining(rig, clock)
        for _ in range(int(GRACE / TELL_EVERY)):
            await pass_time(clock, TELL_EVERY)
        ending.cancel()

    told = [record.getMessage() for record in caplog.records]
    lefts = [int(said.split()[-2]) for said in told if "interrupted in" in said]
    assert [abs(left - due) <= 1 for left, due in zip(lefts, (25, 20, 15, 10, 5), strict=True)] == [True] * 5
    assert told[0].startswith("draining: attempts in hand: 1; they are interrupted in ")
    assert told[5] == "draining: attempts in hand: 1; they are interrupted now"
