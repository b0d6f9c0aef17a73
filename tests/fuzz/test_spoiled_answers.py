"""Whatever a server sends: the executor leaves it for another one, and its attempts go on."""

import random

import pytest

from mainspring.domain.ids import Token
from mainspring.errors import FrameError
from mainspring.testing.clock import FakeClock
from mainspring.wire.codec import decode_from_server, encode
from mainspring.wire.messages import PROTOCOL, Outcomes, Settled, Welcome
from tests.executor.fakes import Line, Rig, pass_time, run_id, settle_down, start
from tests.fuzz.spoiling import CORPUS_SERVER, spoiled

CONNECTIONS = 60
FRAMES_MAX = 6


def token_of(number: int) -> Token:
    return Token(run_id(number))


def say_bytes(line: Line, frame: bytes) -> None:
    line._to_executor.put_nowait(frame)


def assert_all_go_on(rig: Rig) -> None:
    """Reading, writing, watching the lease and stopping attempts: none of them has come to an end."""
    assert [part for part in rig._serving if part.done()] == []


@pytest.mark.parametrize("seed", range(4))
async def test_spoiled_answers_end_the_connection_and_nothing_else(clock: FakeClock, seed: int) -> None:
    draw = random.Random(seed)
    corpus = {name: frame for name, frame in CORPUS_SERVER.items() if name != "refused"}
    async with Rig(clock) as rig:
        for number in range(1, CONNECTIONS):
            line, _ = await rig.servers.welcome()
            line.say(start(number, token=token_of(number)))
            for _ in range(draw.randrange(1, FRAMES_MAX)):
                say_bytes(line, spoiled(draw, corpus))
            await settle_down()
            assert_all_go_on(rig)
            line.abort()
            await pass_time(clock, 1)

        line, _ = await rig.servers.welcome()
        line.say(start(9_999, token=token_of(9_999)))
        await settle_down()
        rig.loop_pool.end(9_999)
        await settle_down()
        # Earlier outcomes are on their way, so this one waits a moment for company.
        await pass_time(clock, 1)
        outcomes = await line.hear(Outcomes)
        while run_id(9_999) not in outcomes.runs:
            outcomes = await line.hear(Outcomes)
        line.say(Settled(outcomes.seq, []))
        await settle_down()

        assert_all_go_on(rig)


@pytest.mark.parametrize("seed", range(4))
async def test_a_spoiled_welcome_is_no_welcome(clock: FakeClock, seed: int) -> None:
    draw = random.Random(seed)
    async with Rig(clock) as rig:
        for _ in range(CONNECTIONS):
            line = await rig.servers.accept()
            say_bytes(line, spoiled(draw, {"welcome": CORPUS_SERVER["welcome"]}))
            await settle_down()
            assert_all_go_on(rig)
            line.abort()
            await pass_time(clock, 12)

        await rig.servers.welcome()
        await settle_down()
        assert_all_go_on(rig)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), 1e300])
@pytest.mark.parametrize("field", ["lease", "beat"])
def test_times_that_are_none_are_refused(field: str, seconds: float) -> None:
    """A beat every 0 seconds would be a flood, and a lease without end no lease."""
    times = {"lease": 10.0, "beat": 2.0} | {field: seconds}

    with pytest.raises(FrameError):
        decode_from_server(encode([Welcome(PROTOCOL, "s1", times["lease"], times["beat"], stale=[])]))
