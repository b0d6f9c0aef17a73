"""A drain that a server asks for: the executor comes to an end with what it has, and stays."""

from mainspring.domain.runs.attempt import Outcome
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Cancel, Drain, Goodbye, Holding, Outcomes, Room, Start
from tests.executor.fakes import TOKEN, Line, Rig, pass_time, run_id, settle_down, start

GRACE = 30.0


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


async def say(line: Line, message: Drain | Start | Cancel) -> None:
    line.say(message)
    await settle_down()


async def ended(line: Line) -> list[tuple[bytes, Outcome]]:
    return [(one.run, one.outcome) for one in (await line.hear(Outcomes)).ended]


async def test_what_has_not_begun_is_handed_back_and_the_rest_may_finish(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        await say(line, Drain(GRACE))
        assert await ended(line) == [(run_id(2), Outcome.RELEASED)]
        (attempt,) = rig.loop_pool.attempts
        assert attempt.stopping

        await pass_time(clock, GRACE / 2)
        rig.loop_pool.end(1)
        assert (await line.hear(Outcomes)).runs == [run_id(1)]
        await pass_time(clock, GRACE)
        assert rig.loop_pool.abandoned == []


async def test_what_runs_longer_than_the_grace_is_interrupted_and_handed_back(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        await say(line, Drain(GRACE))
        await line.hear(Outcomes)
        await pass_time(clock, GRACE - 1)
        assert rig.loop_pool.abandoned == []
        await pass_time(clock, 1)

        assert await ended(line) == [(run_id(1), Outcome.RELEASED)]


async def test_what_cannot_be_interrupted_is_waited_for_lest_its_run_goes_on_twice(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        rig.loop_pool.obeys = False
        await say(line, Drain(GRACE))
        await line.hear(Outcomes)
        await pass_time(clock, 10 * GRACE)
        assert line.heard(Outcomes) == []
        assert [attempt.run for attempt in rig.runner.holdings.all()] == [run_id(1)]

        rig.loop_pool.end(1)
        assert (await line.hear(Outcomes)).runs == [run_id(1)]


async def test_it_stays_and_takes_what_comes_afterwards(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        await say(line, Drain(0.0))
        await pass_time(clock, 1)
        line.heard(Outcomes)
        await say(line, start(3, part=2))
        await pass_time(clock, GRACE)

        assert [attempt.run for attempt in rig.loop_pool.attempts] == [run_id(3)]
        assert not rig.loop_pool.attempts[0].stopping
        assert not rig.runner.draining
        assert line.heard(Goodbye) == []
        assert not line.cut


async def test_a_drain_that_is_repeated_after_a_reconnect_grants_no_second_grace(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        await say(line, Drain(GRACE))
        await pass_time(clock, GRACE - 1)
        line.abort()
        await pass_time(clock, 1)
        again, hello = await rig.servers.welcome(lease=1_000.0)
        assert hello.session == rig.session.id
        await say(again, Drain(GRACE))
        await pass_time(clock, 1)

        assert [attempt.run for attempt in rig.loop_pool.abandoned] == [run_id(1)]


async def test_a_cancel_during_a_drain_is_a_cancel(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await busy(rig)
        await say(line, Drain(GRACE))
        await line.hear(Outcomes)
        await say(line, Cancel([Holding(TOKEN, [run_id(1)])]))

        assert await ended(line) == [(run_id(1), Outcome.CANCELLED)]


async def test_an_idle_executor_has_nothing_to_do_about_a_drain(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome(lease=1_000.0)
        await line.hear(Room)
        await say(line, Drain(GRACE))
        await pass_time(clock, 2 * GRACE)

        assert line.heard(Outcomes) == []
        assert not line.cut


async def test_timeouts_hold_during_a_drain(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        clock.advance(1.0)
        line, _ = await rig.servers.welcome(lease=1_000.0)
        await say(line, start(1, timeout=3.0))
        rig.loop_pool.attempts[0].begin(clock.monotonic())
        await say(line, Drain(GRACE))
        await pass_time(clock, 3.0)

        assert await ended(line) == [(run_id(1), Outcome.TIMED_OUT)]
