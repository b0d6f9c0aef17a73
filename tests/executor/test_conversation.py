"""What the executor says and does, against a scripted server on a clock that stands still."""

import logging

import pytest

from mainspring.domain.ids import Token
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.link import outbox
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import (
    Beat,
    Holding,
    Inventory,
    Leased,
    Logs,
    Outcomes,
    Room,
    Settled,
    Stale,
)
from tests.executor.fakes import BEAT, TOKEN, Rig, pass_time, run_id, settle_down, start


async def test_it_greets_with_who_it_is_then_says_its_room_and_beats(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, hello = await rig.servers.welcome()

        assert (hello.executor, hello.protocol, hello.holding) == ("e1", 1, [])
        assert {job.name for job in hello.jobs} == {"noop", "plain"}
        assert (await line.hear(Room)).pools == {"loop": 10, "threads": 10}
        beat = await line.hear(Beat)
        assert (beat.load.cpu, beat.load.memory) == (0.5, 1000)


async def test_it_tells_the_triggers_of_its_code_once_and_says_which_are_not_applied(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with Rig(clock) as rig:
        line, first = await rig.servers.welcome(unapplied=["nightly"])
        await line.hear(Room)
        line.abort()
        await pass_time(clock, 1)
        _, second = await rig.servers.welcome()

        assert (first.triggers, second.triggers) == ({"nightly": "5f1d7a84db00d2fc"}, {})
        assert "triggers of this code are not applied: nightly; run 'mainspring apply'" in caplog.messages


async def test_attempts_go_to_the_pool_of_their_handler_and_outcomes_come_back(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(start(1, 2), start(3, name="plain", part=1))
        await settle_down()
        assert [attempt.run for attempt in rig.loop_pool.attempts] == [run_id(1), run_id(2)]
        assert [attempt.run for attempt in rig.pools[Pool.THREADS].attempts] == [run_id(3)]

        rig.loop_pool.end(1, 2)
        outcomes = await line.hear(Outcomes)

        assert outcomes.runs == [run_id(1), run_id(2)]
        assert not rig.runner.handed_in.is_set()


async def test_outcomes_are_sent_again_on_every_connection_until_settled(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(start(1))
        await settle_down()
        rig.loop_pool.end(1)
        first = await line.hear(Outcomes)
        line.abort()

        line, hello = await rig.servers.welcome()
        assert hello.holding == [Holding(TOKEN, [run_id(1)])]
        again = await line.hear(Outcomes)
        assert again == first
        line.say(Settled(again.seq, []))
        await settle_down()
        line.abort()

        line, hello = await rig.servers.welcome()
        await line.hear(Beat)
        await settle_down()
        assert hello.holding == []
        assert line.heard(Outcomes) == []
        assert rig.runner.handed_in.is_set()


async def test_a_start_seen_before_is_ignored(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(start(1))
        await settle_down()
        rig.loop_pool.end(1)
        line.say(start(1), start(1))
        line.say(start(2, part=1))
        await settle_down()

        assert [attempt.run for attempt in rig.loop_pool.attempts] == [run_id(2)]


async def test_a_repeat_is_remembered_for_two_leases_and_no_longer(clock: FakeClock) -> None:
    rig = Rig(clock)
    holdings = rig.runner.holdings
    assert not holdings.is_repeat(start(1), now=0.0, memory=20.0)
    assert not holdings.is_repeat(start(2, part=1), now=20.0, memory=20.0)
    assert holdings.is_repeat(start(1), now=20.0, memory=20.0)
    assert not holdings.is_repeat(start(2, part=2), now=20.1, memory=20.0)
    assert not holdings.is_repeat(start(1), now=20.1, memory=20.0)


async def test_a_run_that_is_held_is_not_started_again_under_another_token(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(start(1))
        line.say(start(1, 2, token=Token(b"u" * 16)))
        await settle_down()

        assert [(attempt.run, attempt.token) for attempt in rig.loop_pool.attempts] == [
            (run_id(1), TOKEN),
            (run_id(2), b"u" * 16),
        ]


async def test_stale_attempts_are_stopped_and_forgotten_without_an_outcome(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(start(1, 2, 3))
        line.say(Stale([Holding(TOKEN, [run_id(1), run_id(9)]), Holding(Token(b"u" * 16), [run_id(2)])]))
        await settle_down()
        assert [attempt.run for attempt in rig.loop_pool.abandoned] == [run_id(1)]

        rig.loop_pool.end(2)
        outcomes = await line.hear(Outcomes)

        assert outcomes.runs == [run_id(2)]
        assert outcomes.ended == []
        assert len(rig.runner.holdings) == 1


async def test_what_a_welcome_calls_stale_is_stopped_too(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(start(1, 2))
        await settle_down()
        line.abort()
        await rig.servers.welcome(stale=[Holding(TOKEN, [run_id(2)])])
        await settle_down()

        assert [attempt.run for attempt in rig.loop_pool.attempts] == [run_id(1)]


async def test_a_slot_that_a_forgotten_attempt_occupies_is_not_offered(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        await line.hear(Room)
        rig.loop_pool.obeys = False
        line.say(start(1, 2))
        line.say(Stale([Holding(TOKEN, [run_id(1), run_id(2)])]))
        assert (await line.hear(Room)).pools["loop"] == 8

        rig.loop_pool.end(1, 2)

        assert (await line.hear(Room)).pools["loop"] == 10


async def test_a_full_outbox_asks_for_less(clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "KEPT_MAX", 1)
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        await line.hear(Room)
        line.say(start(1, 2))
        await settle_down()
        rig.loop_pool.end(1, 2)
        assert (await line.hear(Room)).pools == {"loop": 1, "threads": 1}
        outcomes = await line.hear(Outcomes)

        line.say(Settled(outcomes.seq, []))

        assert (await line.hear(Room)).pools == {"loop": 10, "threads": 10}


async def test_a_handler_that_is_not_here_is_handed_back(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(start(1, name="nowhere"))

        (ended,) = (await line.hear(Outcomes)).ended

        assert (ended.run, ended.outcome, ended.failure) == (run_id(1), Outcome.RELEASED, None)
        assert "no handler 'nowhere'" in caplog.text


async def test_every_sixth_beat_brings_the_inventory(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(start(1))
        for beats in range(1, 7):
            line.say(Leased((await line.hear(Beat)).seq))
            assert (line.heard(Inventory) != []) == (beats == 6)
            await settle_down()
            clock.advance(BEAT)


async def test_logs_go_after_outcomes_and_not_more_often_than_their_period(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(start(1))
        await settle_down()
        (attempt,) = rig.loop_pool.attempts
        rig.telemetry.log(attempt, logging.INFO, "first")
        assert [entry.message for entry in (await line.hear(Logs)).entries] == ["first"]

        rig.telemetry.log(attempt, logging.INFO, "second")
        rig.loop_pool.end(1)
        await line.hear(Outcomes)
        assert line.heard(Logs) == []

        await pass_time(clock, 0.2, step=0.1)
        assert [entry.message for entry in (await line.hear(Logs)).entries] == ["second"]


async def test_columns_that_do_not_fit_break_the_connection_not_the_executor(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        broken = start(1, 2)
        broken.inputs.pop()
        line.say(broken)
        await settle_down()

        assert line.cut
        await rig.servers.welcome()
        assert len(rig.runner.holdings) == 0
