"""Whatever an executor sends: its connection goes on or is closed with a code, and nobody else notices."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from mainspring.domain.runs.run import RunState
from mainspring.scheduler.sessions.gateway import CLOSE_AWAY, CLOSE_FORBIDDEN, CLOSE_PROTOCOL, CLOSE_SESSION
from mainspring.store.interface import Store
from mainspring.store.interface.executors import PresenceFilter
from mainspring.testing.clock import FakeClock
from mainspring.wire.codec import encode
from mainspring.wire.messages import Beat, Holding, Leased, Load, Start, Welcome
from tests.fuzz.spoiling import CORPUS_EXECUTOR, spoiled
from tests.scheduler.scene import NAMESPACE, MemoryLink, Scene, ScriptedExecutor, until_idle

CLOSES = {CLOSE_PROTOCOL, CLOSE_SESSION, CLOSE_FORBIDDEN, CLOSE_AWAY}
CONVERSATIONS = 50
FRAMES_MAX = 6


@pytest.fixture
async def scene(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    made = Scene(store, clock)
    await made.start()
    yield made
    await made.stop()


class Good:
    """An executor that does its work all the while."""

    def __init__(self, scene: Scene, executor: ScriptedExecutor) -> None:
        self.scene = scene
        self.executor = executor
        self.beats = 0

    async def works(self) -> None:
        """It is given what is enqueued, what it says is settled, and its lease is renewed."""
        [run] = await self.scene.enqueue()
        await self.scene.dispatch()
        start = await self.executor.link.expect(Start)
        assert start.runs == [run]
        await self.executor.settled(self.executor.report(start))
        assert (await self.scene.run(run)).state is RunState.SUCCEEDED
        self.beats += 1
        self.executor.link.say(Beat(self.beats, Load(0, 0, 0.0, 0)))
        await until_idle()
        await self.scene.scheduler.sessions.renewing.tick()
        assert (await self.executor.link.expect(Leased)).seq == self.beats
        assert self.executor.link.closed is None


async def every_duty(scene: Scene) -> None:
    """What one executor said must not make a duty fail: it would fail for everybody, again and again."""
    await until_idle()
    for duty in scene.scheduler.duties:
        await duty.tick()
    await until_idle()


async def ended(scene: Scene, link: MemoryLink, serving: "asyncio.Task[None]") -> None:
    """The connection was closed with a code, or still stands; in no case did serving it fail."""
    if not serving.done():
        link.cut()
    await serving
    assert link.closed is None or link.closed[0] in CLOSES


@pytest.mark.parametrize("seed", range(2))
async def test_spoiled_frames_disturb_nobody_else(scene: Scene, seed: int) -> None:
    draw = random.Random(seed)
    good = Good(scene, await scene.attach("good"))
    for number in range(CONVERSATIONS):
        bad = scene.executor(f"bad-{number}", handlers=["elsewhere"])
        await bad.connect()
        for _ in range(draw.randrange(1, FRAMES_MAX)):
            bad.link.say_bytes(spoiled(draw, CORPUS_EXECUTOR))
        await every_duty(scene)
        assert bad.serving is not None
        await ended(scene, bad.link, bad.serving)
        if number % 10 == 0:
            await good.works()
        await scene.store.executors.list(PresenceFilter(namespace=NAMESPACE))

    await good.works()


async def test_a_spoiled_greeting_is_refused_or_understood(scene: Scene) -> None:
    draw = random.Random(7)
    good = Good(scene, await scene.attach("good"))
    for _ in range(CONVERSATIONS):
        link = MemoryLink()
        serving = asyncio.create_task(scene.scheduler.attach(link))
        link.say_bytes(spoiled(draw, {"hello": CORPUS_EXECUTOR["hello"]}))
        await every_duty(scene)
        await ended(scene, link, serving)
        await scene.store.executors.list(PresenceFilter(namespace=NAMESPACE))

    await good.works()


async def test_frames_of_an_old_connection_change_nothing_on_a_new_one(scene: Scene) -> None:
    """Replayed: hello, room, beat and outcomes that were settled long ago."""
    executor = await scene.attach("again")
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await executor.settled(executor.report(start, result=b"1"))
    await executor.disconnect()
    await executor.connect()

    executor._seq = 0
    answer = await executor.settled(executor.report(start, result=b"2"))

    assert answer.stale == []
    assert (await scene.run(run)).result == b"1"
    executor.link.say_bytes(encode([executor.hello()]))
    await until_idle()
    assert executor.link.closed is not None
    assert executor.link.closed[0] == CLOSE_PROTOCOL


async def test_outcomes_of_attempts_that_never_were_are_stale(scene: Scene) -> None:
    stranger = await scene.attach("stranger")
    runs = [scene.ids.runs(1, scene.clock.now())[0] for _ in range(3)]
    tokens = [scene.ids.token() for _ in runs]

    answer = await stranger.settled(stranger.say_outcomes(runs, tokens, [b"null"] * 3, []))

    assert sorted(answer.stale) == sorted(runs)


async def test_a_welcome_is_all_that_a_stranger_hears(scene: Scene) -> None:
    """Whatever it says it holds: nothing of others is shown to it."""
    good = await scene.attach("good")
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await good.link.expect(Start)
    stranger = scene.executor("stranger", handlers=["elsewhere"])
    welcome = await stranger.connect([Holding(start.token, [run])])

    assert isinstance(welcome, Welcome)
    assert welcome.stale == [Holding(start.token, [run])]
    assert (await scene.run(run)).state is RunState.RUNNING
