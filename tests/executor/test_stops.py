"""Cancels and deadlines on the executor's side: every attempt is stopped once, and reported whatever it does."""

import asyncio

import pytest

from mainspring.domain.ids import Token
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.process.drain import Timetable, drain
from mainspring.testing.clock import FakeClock
from mainspring.wire.base import Message
from mainspring.wire.messages import Cancel, Holding, Inventory, Leased, Outcomes, Room, Settled
from tests.executor.fakes import BEAT, GRACE, TOKEN, Line, Rig, pass_time, run_id, settle_down, start


def cancel(*numbers: int, token: Token = TOKEN) -> Cancel:
    return Cancel([Holding(token, [run_id(number) for number in numbers])])


async def working(rig: Rig, *numbers: int) -> Line:
    """A server that has started these attempts."""
    line, _ = await rig.servers.welcome(lease=1_000.0)
    await line.hear(Room)
    line.say(start(*numbers))
    await settle_down()
    rig.loop_pool.begin()
    return line


async def say(line: Line, message: Message) -> None:
    """Say it, and have it dealt with before any time passes."""
    line.say(message)
    await settle_down()


async def ended(line: Line) -> list[tuple[bytes, Outcome]]:
    return [(one.run, one.outcome) for one in (await line.hear(Outcomes)).ended]


async def test_a_cancelled_attempt_is_interrupted_and_reported_as_cancelled(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1, 2)
        await say(line, cancel(1))

        assert await ended(line) == [(run_id(1), Outcome.CANCELLED)]
        assert [attempt.run for attempt in rig.loop_pool.interrupted] == [run_id(1)]
        assert [attempt.run for attempt in rig.runner.holdings.all()] == [run_id(2)]
        assert not rig.loop_pool.attempts[0].stopping


async def test_a_success_that_was_faster_stands(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        rig.loop_pool.obeys = False
        await say(line, cancel(1))
        rig.loop_pool.end(1)

        outcomes = await line.hear(Outcomes)
        assert (outcomes.runs, outcomes.ended) == ([run_id(1)], [])
        await pass_time(clock, GRACE)
        assert line.heard(Outcomes) == []


async def test_a_cancel_that_is_repeated_changes_nothing(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        rig.loop_pool.obeys = False
        await say(line, cancel(1))
        await pass_time(clock, GRACE / 2)
        await say(line, cancel(1))
        await pass_time(clock, GRACE / 2)

        assert await ended(line) == [(run_id(1), Outcome.CANCELLED)]
        assert len(rig.loop_pool.interrupted) == 1


async def test_an_attempt_that_does_not_stop_is_given_up_after_the_grace(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        rig.loop_pool.obeys = False
        await say(line, cancel(1))
        await pass_time(clock, GRACE - 0.5)
        assert line.heard(Outcomes) == []
        await pass_time(clock, 0.5)

        outcomes = await line.hear(Outcomes)
        assert [(one.run, one.outcome) for one in outcomes.ended] == [(run_id(1), Outcome.CANCELLED)]
        assert [attempt.run for attempt in rig.loop_pool.given_up] == [run_id(1)]
        line.say(Settled(outcomes.seq, []))
        rig.loop_pool.end(1)
        await settle_down()
        assert line.heard(Outcomes) == []
        assert rig.runner.room()["loop"] == 10


async def test_a_forgotten_attempt_that_ends_together_with_another_gives_its_slot_back(clock: FakeClock) -> None:
    rig = Rig(clock)
    rig.loop_pool.obeys = False
    rig.runner.start(start(1, 2), 0.0)
    attempts = list(rig.loop_pool.attempts)
    rig.runner.forget([Holding(TOKEN, [run_id(1)])])
    assert rig.runner.room()["loop"] == 9

    rig.runner.ended(attempts)

    assert rig.runner.room()["loop"] == 10


async def test_what_its_handler_writes_later_does_not_reach_the_report(clock: FakeClock) -> None:
    rig = Rig(clock)
    rig.runner.start(start(1), 0.0)
    (attempt,) = rig.loop_pool.attempts
    attempt.stop(Outcome.CANCELLED)
    rig.runner.give_up([attempt], 7.0)
    attempt.succeed("too late")
    attempt.outcome = Outcome.SUCCEEDED

    (batch,) = rig.runner.outbox.take()
    assert batch.ended == [Ended(run=run_id(1), token=TOKEN, outcome=Outcome.CANCELLED, duration=7_000_000)]


async def test_slots_that_nothing_replaces_are_not_offered(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        rig.loop_pool.obeys = False
        rig.loop_pool.lost = 3
        await say(line, cancel(1))
        await pass_time(clock, GRACE)

        assert (await line.hear(Room)).pools["loop"] == 7


async def test_a_pool_without_a_slot_that_will_be_free_takes_nothing_and_keeps_nothing(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        line.say(start(2, part=1))
        await settle_down()
        rig.loop_pool.obeys = False
        rig.loop_pool.lost = 10
        await say(line, cancel(1))
        await pass_time(clock, GRACE)

        assert (await line.hear(Room)).pools == {"loop": 0, "threads": 10}
        assert await ended(line) == [(run_id(1), Outcome.CANCELLED), (run_id(2), Outcome.RELEASED)]
        line.say(start(3, part=2))
        assert await ended(line) == [(run_id(3), Outcome.RELEASED)]
        rig.loop_pool.lost = 9
        await pass_time(clock, BEAT)
        assert (await line.hear(Room)).pools["loop"] == 1


async def test_an_executor_all_of_whose_slots_are_lost_says_that_it_is_of_no_use(clock: FakeClock) -> None:
    rig = Rig(clock)
    for pool in rig.pools.values():
        pool.lost = 10

    assert rig.runner.room() == {"loop": 0, "threads": 0}


async def test_slots_that_forgotten_attempts_occupy_for_now_do_not_make_an_executor_leave(clock: FakeClock) -> None:
    rig = Rig(clock, room=2)
    for pool in rig.pools.values():
        pool.obeys = False
    rig.runner.start(start(1, 2), 0.0)
    rig.runner.abandon(rig.runner.holdings.all())
    assert rig.runner.room() == {"loop": 0, "threads": 2}

    rig.runner.start(start(3, 4, name="plain", part=1), 0.0)
    rig.runner.abandon(rig.runner.holdings.all())
    assert rig.runner.room() == {"loop": 1, "threads": 1}


async def test_an_attempt_that_never_arrived_is_reported_and_never_started(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        await say(line, cancel(2))
        assert await ended(line) == [(run_id(2), Outcome.CANCELLED)]
        line.say(start(2, 3, part=1))
        await settle_down()

        assert [attempt.run for attempt in rig.loop_pool.attempts] == [run_id(1), run_id(3)]
        line.say(start(2, token=Token(b"u" * 16)))
        await settle_down()
        assert rig.loop_pool.attempts[-1].run == run_id(2), "the pair was barred, not the run"


async def test_an_attempt_whose_outcome_is_on_its_way_is_not_reported_again(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        rig.loop_pool.end(1)
        await line.hear(Outcomes)
        await say(line, cancel(1))

        assert line.heard(Outcomes) == []


async def test_a_cancel_under_another_token_is_not_for_this_attempt(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        await say(line, cancel(1, token=Token(b"u" * 16)))

        assert rig.loop_pool.interrupted == []
        assert len(rig.runner.holdings) == 1


async def test_a_cancel_during_a_drain_ends_as_cancelled_and_not_as_a_hand_back(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        rig.loop_pool.obeys = False
        draining = asyncio.create_task(drain(rig.session, clock, Timetable.of(clock.monotonic(), 1.0)))
        await settle_down()
        await say(line, cancel(1))
        for seconds in (1.0, 2.0):
            clock.advance(seconds)
            await settle_down()

        outcomes = await line.hear(Outcomes)
        assert [one.outcome for one in outcomes.ended] == [Outcome.CANCELLED]
        line.say(Settled(outcomes.seq, []), Leased(99))
        assert await draining


async def test_an_attempt_is_stopped_when_its_deadline_comes(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1, 2)
        first, second = rig.loop_pool.attempts
        first.deadline, second.deadline = 8.0, 3.0
        rig.stops.expect([first, second])
        await pass_time(clock, 2.5)
        assert line.heard(Outcomes) == []
        await pass_time(clock, 0.5)

        (late,) = (await line.hear(Outcomes)).ended
        assert (late.run, late.outcome) == (run_id(2), Outcome.TIMED_OUT)
        assert late.failure is not None
        assert late.failure.error == "deadline_passed"
        await pass_time(clock, 5.0)
        assert await ended(line) == [(run_id(1), Outcome.TIMED_OUT)]


@pytest.mark.parametrize("first", ["cancel", "deadline"])
async def test_what_stops_it_first_says_how_it_ends(clock: FakeClock, first: str) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        rig.loop_pool.obeys = False
        (attempt,) = rig.loop_pool.attempts
        attempt.deadline = 1.0 if first == "deadline" else 3.0
        rig.stops.expect([attempt])
        await pass_time(clock, 2.0)
        await say(line, cancel(1))
        await pass_time(clock, GRACE)

        expected = Outcome.TIMED_OUT if first == "deadline" else Outcome.CANCELLED
        assert await ended(line) == [(run_id(1), expected)]


async def test_deadlines_of_attempts_that_are_over_are_not_kept_for_ever(clock: FakeClock) -> None:
    rig = Rig(clock, room=10_000)
    for number in range(1_000):
        attempts = rig.runner.start(start(number, part=number), 0.0)
        for attempt in attempts:
            attempt.deadline = 1e6
        rig.stops.expect(attempts)
        rig.loop_pool.end(number)

    assert len(rig.stops._deadlines) <= 100


async def test_a_deadline_is_kept_while_no_server_can_be_reached(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        (attempt,) = rig.loop_pool.attempts
        attempt.deadline = 4.0
        rig.stops.expect([attempt])
        rig.servers.down = {"a": ConnectionError("no"), "b": ConnectionError("no")}
        line.abort()
        await pass_time(clock, 4.0)

        assert rig.loop_pool.interrupted == [attempt]


@pytest.mark.parametrize("outcome", [Outcome.CANCELLED, Outcome.TIMED_OUT])
def test_an_error_of_a_stopped_handler_is_told_but_does_not_change_the_outcome(outcome: Outcome) -> None:
    attempt = Rig(FakeClock()).runner.start(start(1), 0.0)[0]
    attempt.stop(outcome)
    attempt.fail_by(ValueError("the connection was closed"))

    assert attempt.outcome is outcome
    assert attempt.failure is not None
    assert attempt.failure.error == "ValueError"


def test_an_error_during_a_drain_is_an_ordinary_failure() -> None:
    attempt: Attempt = Rig(FakeClock()).runner.start(start(1), 0.0)[0]
    attempt.stopping = True
    attempt.fail_by(ValueError("its own"))

    assert attempt.outcome is Outcome.FAILED


async def test_a_cancelled_attempt_stays_in_the_inventory_until_it_is_settled(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await working(rig, 1)
        await say(line, cancel(1))
        await line.hear(Outcomes)

        assert rig.runner.inventory() == [Holding(TOKEN, [run_id(1)])]
        assert line.heard(Inventory) == []
