"""Finding a server, staying with it, leaving it, and stopping in time when there is none."""

import logging

import pytest

from mainspring.discovery.directory import Directory
from mainspring.domain.cluster.server import ServerAddress
from mainspring.domain.ids import Token
from mainspring.errors import AccessDeniedError, ConfigError, VersionError
from mainspring.executor.link.link import ANSWER_MAX, BACKOFF, BACKOFF_MAX, FATAL_AT_FIRST, SILENT_MAX
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Beat, Hello, Holding, Leased, Leave, Outcomes, Refused, Settled, Welcome
from tests.executor.fakes import BEAT, LEASE, TOKEN, Line, Rig, pass_time, run_id, settle_down, start


async def answer_beats(line: Line, clock: FakeClock, beats: int) -> None:
    for _ in range(beats):
        line.say(Leased((await line.hear(Beat)).seq))
        await pass_time(clock, BEAT)


async def test_it_goes_on_to_the_next_server_with_what_it_holds(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, before = await rig.servers.welcome()
        line.say(start(1))
        await settle_down()
        rig.servers.down["a"] = ConnectionError("refused")
        line.abort()

        line, hello = await rig.servers.welcome()

        assert rig.servers.dialled == ["a", "b"]
        assert hello.session == before.session
        assert hello.holding == [Holding(TOKEN, [run_id(1)])]
        assert len(rig.loop_pool.attempts) == 1


async def test_it_tries_servers_in_turn_and_waits_longer_after_each_round(clock: FakeClock) -> None:
    rig = Rig(clock)
    rig.link = type(rig.link)(rig.session, ["a", "b"], rig.servers, clock=clock, entropy=lambda size: b"\xff" * size)
    rig.servers.down = {"a": ConnectionError("no"), "b": ConnectionError("no")}
    async with rig:
        await settle_down()
        await pass_time(clock, BACKOFF * 2 * 2, step=BACKOFF)
        assert rig.servers.dialled == ["a", "b", "a"]

        await pass_time(clock, BACKOFF * 4, step=BACKOFF)
        assert rig.servers.dialled == ["a", "b", "a", "b"]

        await pass_time(clock, 60.0)
        tries = len(rig.servers.dialled)
        await pass_time(clock, BACKOFF_MAX * 2)

        assert len(rig.servers.dialled) == tries + 2


async def test_a_server_that_leaves_is_left_and_attempts_go_on(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, before = await rig.servers.welcome()
        line.say(start(1))
        line.say(Leave())

        _, hello = await rig.servers.welcome()

        assert rig.servers.dialled == ["a", "b"]
        assert (hello.session, len(rig.loop_pool.attempts)) == (before.session, 1)


async def test_a_server_that_renews_nothing_is_left_before_the_lease_is_over(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, before = await rig.servers.welcome()
        line.say(start(1))
        await pass_time(clock, LEASE / 2)

        line, hello = await rig.servers.welcome()
        assert hello.session == before.session
        await answer_beats(line, clock, 3)

        assert rig.loop_pool.abandoned == []


async def test_without_renewal_it_stops_everything_in_time_and_comes_back_as_someone_new(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, before = await rig.servers.welcome()
        line.say(start(1, 2))
        await settle_down()
        rig.loop_pool.end(2)
        await settle_down()
        rig.servers.down = {"a": ConnectionError("no"), "b": ConnectionError("no")}
        line.abort()

        await pass_time(clock, LEASE * 0.75)
        assert rig.loop_pool.abandoned == []
        await pass_time(clock, LEASE * 0.1)
        assert [attempt.run for attempt in rig.loop_pool.abandoned] == [run_id(1)]
        assert len(rig.runner.holdings) == 0

        rig.servers.down = {}
        line, after = await rig.servers.welcome()
        assert after.session != before.session
        assert after.holding == [Holding(TOKEN, [run_id(2)])]
        outcomes = await line.hear(Outcomes)
        assert (outcomes.runs, outcomes.ended) == ([run_id(2)], [])


async def test_a_start_that_was_still_under_way_to_the_old_session_is_not_taken(clock: FakeClock) -> None:
    async with Rig(clock, urls=["a"]) as rig:
        line, _ = await rig.servers.welcome()
        await answer_beats(line, clock, 1)
        await settle_down()
        rig.session.fence()
        line.say(start(1))
        await settle_down()

        assert rig.loop_pool.attempts == []


async def test_a_session_that_the_server_has_given_up_is_replaced(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, before = await rig.servers.welcome()
        line.say(start(1))
        line.say(Refused("session_dead", "its lease was over"))

        _, after = await rig.servers.welcome()

        assert after.session != before.session
        assert after.holding == []
        assert len(rig.loop_pool.abandoned) == 1


@pytest.mark.parametrize("code", sorted(FATAL_AT_FIRST))
async def test_a_refusal_that_no_other_try_can_mend_ends_the_executor(clock: FakeClock, code: str) -> None:
    async with Rig(clock) as rig:
        line = await rig.servers.accept()
        await line.hear(Hello)
        line.say(Refused(code, "because"))
        await settle_down()

        with pytest.raises(ConfigError, match="because"):
            rig.receiving.result()


async def test_a_frame_that_is_refused_after_the_welcome_ends_only_the_connection(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome()
        line.say(Refused("bad_frame", "malformed frame"))

        await rig.servers.welcome()

        assert rig.servers.dialled == ["a", "b"]


async def test_any_other_refusal_is_tried_again(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await rig.servers.accept()
        await line.hear(Hello)
        line.say(Refused("store_unavailable", "the database is away"))

        await rig.servers.welcome()

        assert rig.servers.dialled == ["a", "b"]


async def test_a_bad_token_ends_the_executor(clock: FakeClock) -> None:
    rig = Rig(clock)
    rig.servers.down["a"] = AccessDeniedError("not this token")
    async with rig:
        await settle_down()

        with pytest.raises(AccessDeniedError):
            rig.receiving.result()


async def test_a_server_of_another_protocol_ends_the_executor(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        await rig.servers.welcome(protocol=2)
        await settle_down()

        with pytest.raises(VersionError):
            rig.receiving.result()


async def test_a_first_word_that_is_no_welcome_is_not_accepted(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await rig.servers.accept()
        line.say(Settled(1, []))
        await settle_down()

        assert line.cut
        await rig.servers.welcome()


async def test_a_server_that_does_not_answer_is_left(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await rig.servers.accept()
        await line.hear(Hello)
        await pass_time(clock, ANSWER_MAX)

        await rig.servers.welcome()

        assert rig.servers.dialled == ["a", "b"]


async def test_a_welcome_to_a_session_that_was_given_up_meanwhile_does_not_count(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await rig.servers.accept()
        before = await line.hear(Hello)
        rig.session.fence()
        line.say(Welcome(1, "s1", LEASE, BEAT, []), start(1))

        _, after = await rig.servers.welcome()

        assert after.session != before.session
        assert rig.loop_pool.attempts == []


async def test_what_comes_with_the_welcome_is_heard(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await rig.servers.accept()
        line.say(Welcome(1, "s1", LEASE, BEAT, []), start(1, token=Token(b"v" * 16)))
        await settle_down()

        assert len(rig.loop_pool.attempts) == 1


async def test_dialling_a_server_that_keeps_silent_leaves_time_for_another_within_a_short_lease(
    clock: FakeClock,
) -> None:
    lease = 2.0
    async with Rig(clock) as rig:
        await rig.servers.welcome(lease=lease)
        await pass_time(clock, lease / 2, step=0.05)
        await rig.servers.accept()
        await pass_time(clock, lease / 4, step=0.05)
        await rig.servers.accept()

        first, second, third, *_ = rig.servers.patience
        assert first == ANSWER_MAX / 2
        assert second < lease * 0.8 / 4
        assert third < second
        assert rig.servers.dialled[:3] == ["a", "b", "a"]


async def test_servers_that_all_failed_get_more_time_however_little_is_left_of_the_lease(clock: FakeClock) -> None:
    # Else hundreds that come back would each give a busy server up, and make it busier by dialling again.
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome(lease=10.0)
        rig.servers.down = {"a": ConnectionError("refused"), "b": ConnectionError("refused")}
        line.abort()
        await pass_time(clock, 7.0)

        assert rig.session.lease.left(clock.monotonic()) < ANSWER_MAX
        assert rig.servers.patience[-1] == ANSWER_MAX


async def test_the_log_tells_each_server_that_is_away_once_and_not_each_try(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with Rig(clock) as rig:
        rig.servers.down = {"a": ConnectionError("refused"), "b": ConnectionError("refused")}
        await pass_time(clock, 60.0)
        rig.servers.down = {"b": ConnectionError("refused")}
        await pass_time(clock, 5.0)
        line, _ = await rig.servers.welcome()
        rig.servers.down = {"a": ConnectionError("refused"), "b": ConnectionError("refused")}
        line.abort()
        await pass_time(clock, 60.0)

        assert len(rig.servers.dialled) > 20
        assert [one.getMessage() for one in caplog.records if one.name.endswith("link")] == [
            "no connection to a: refused; trying again",
            "no connection to b: refused; trying again",
            "connected to s1 (a)",
            "no connection to a: cut; trying again",
            "no connection to b: refused; trying again",
            "no connection to a: refused; trying again",
        ]


async def test_a_server_that_keeps_silent_does_not_hold_up_the_next(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        rig.servers.silent.add("a")
        await settle_down()
        await pass_time(clock, SILENT_MAX)

        await rig.servers.welcome()
        await settle_down()

        assert rig.servers.dialled == ["a", "b"]
        assert rig.servers.given_up == ["a"]


async def test_the_first_connection_that_opens_is_taken_and_the_others_are_closed(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        rig.servers.silent |= {"a", "b"}
        await settle_down()
        await pass_time(clock, SILENT_MAX)
        rig.servers.wake("a")
        rig.servers.wake("b")

        line, _ = await rig.servers.welcome()
        other = await rig.servers.accept()
        await settle_down()

        assert rig.servers.dialled == ["a", "b"]
        assert (line.cut, other.cut) == (False, True)
        assert other.heard(Hello) == []


async def test_the_new_session_goes_to_the_server_that_gave_the_old_one_up(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line = await rig.servers.accept()
        before = await line.hear(Hello)
        line.say(Refused("session_dead", "its lease was over"))

        _, after = await rig.servers.welcome()

        assert rig.servers.dialled == ["a", "a"]
        assert after.session != before.session


async def test_a_server_that_gives_up_every_session_is_left_for_another(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        said = []
        for _ in range(2):
            line = await rig.servers.accept()
            said.append((await line.hear(Hello)).session)
            line.say(Refused("session_dead", "never heard of it"))

        _, after = await rig.servers.welcome()

        assert rig.servers.dialled == ["a", "a", "b"]
        # A session that the store holds for dead would be refused by every server, for ever.
        assert len({*said, after.session}) == 3


async def test_a_stranger_out_of_an_address_book_cannot_end_attempts_by_a_word(clock: FakeClock) -> None:
    rig = Rig(clock)
    directory = Directory(["a"])
    rig.link = type(rig.link)(rig.session, directory, rig.servers, clock=clock, entropy=bytes)
    async with rig:
        line, before = await rig.servers.welcome()
        line.say(start(1))
        await settle_down()
        directory.learn("book", [ServerAddress("https://stranger:1")], clock.monotonic())
        rig.servers.down["a"] = ConnectionError("refused")
        line.abort()

        stranger = await rig.servers.accept()
        await stranger.hear(Hello)
        stranger.say(Refused("session_dead", "so they say"))
        await settle_down()

        assert rig.servers.dialled[:2] == ["a", "https://stranger:1"]
        assert rig.loop_pool.abandoned == []
        assert rig.session.id == before.session
