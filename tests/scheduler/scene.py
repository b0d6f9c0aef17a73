"""A server's engine on a real store, with executors that say what the test tells them to."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from mainspring.domain.cluster.session import Abilities, PoolSize
from mainspring.domain.ids import Ids, RunId, SessionId, Token
from mainspring.domain.jobs.job import JobSpec, Pool, RetryPolicy
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.birth import Accepted, RunRequest
from mainspring.domain.runs.run import Failure, Run
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.base import Message
from mainspring.wire.codec import decode_from_server, encode
from mainspring.wire.messages import (
    PROTOCOL,
    FromServer,
    Hello,
    Holding,
    Inventory,
    Outcomes,
    Settled,
    Stale,
    Start,
    Welcome,
)

NAMESPACE = "default"
M = TypeVar("M", bound=Message)


class MemoryLink:
    """The server's end of a connection that exists only in memory."""

    def __init__(self) -> None:
        self.heard: list[FromServer] = []
        self.closed: tuple[int, str] | None = None
        self.deaf = False
        """Whether nobody is there any more to hear what the server says; what was said before that can still be read."""
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._news = asyncio.Event()

    async def send(self, frame: bytes) -> None:
        if not self.send_now(frame):
            raise ConnectionError("deaf")

    def send_now(self, frame: bytes) -> bool:
        if self.deaf:
            return False
        self.heard.extend(decode_from_server(frame))
        self._news.set()
        return True

    async def receive(self) -> bytes:
        frame = await self._inbox.get()
        if frame is None:
            raise ConnectionError("cut")
        return frame

    async def close(self, code: int, reason: str) -> None:
        self.closed = (code, reason)
        self._inbox.put_nowait(None)
        self._news.set()

    def say(self, *messages: Message) -> None:
        self._inbox.put_nowait(encode(messages))

    def say_bytes(self, frame: bytes) -> None:
        self._inbox.put_nowait(frame)

    def cut(self) -> None:
        self._inbox.put_nowait(None)

    async def expect(self, kind: type[M]) -> M:
        """The next message of that kind, taken off what was heard."""
        while True:
            for message in self.heard:
                if isinstance(message, kind):
                    self.heard.remove(message)
                    return message
            self._news.clear()
            await self._news.wait()

    def count(self, kind: type[Message]) -> int:
        return sum(isinstance(message, kind) for message in self.heard)


class ScriptedExecutor:
    """An executor that does only what it is told."""

    def __init__(self, scene: "Scene", name: str, session: SessionId, room: int, handlers: Sequence[str]) -> None:
        self.session = session
        self.secret = scene.ids.noise(32)
        self.namespace = NAMESPACE
        self.link = MemoryLink()
        self._scene = scene
        self._name = name
        self._room = room
        self._handlers = handlers
        self.jobs = [JobSpec(name=name, handler=name, retry=RetryPolicy(attempts=2, backoff=4)) for name in handlers]
        self.triggers: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.resources: dict[str, float] = {}
        self.code_version = ""
        self.queues = ["default"]
        self._seq = 0
        self.serving: asyncio.Task[None] | None = None

    def hello(self, holding: Sequence[Holding] = (), *, protocol: int = PROTOCOL) -> Hello:
        abilities = Abilities(
            queues=self.queues,
            handlers=dict.fromkeys(self._handlers, Pool.LOOP),
            pools=[PoolSize(Pool.LOOP, 0, self._room, 0)],
            labels=self.labels,
            resources=self.resources,
            code_version=self.code_version,
        )
        return Hello(
            protocol,
            self.session,
            self.secret,
            self._name,
            self.namespace,
            abilities,
            self.jobs,
            list(holding),
            self.triggers,
        )

    async def connect(self, holding: Sequence[Holding] = ()) -> Welcome:
        self.link = MemoryLink()
        self.serving = asyncio.create_task(self._scene.scheduler.attach(self.link))
        self.link.say(self.hello(holding))
        return await self.link.expect(Welcome)

    async def answer_welcome(self) -> None:
        """Say something, as an executor that hears the server does at once, and wait until that was heard."""
        ids = self._scene.ids
        self.link.say(Inventory([Holding(ids.token(), ids.runs(1, self._scene.clock.now()))]))
        await self.link.expect(Stale)

    async def disconnect(self) -> None:
        self.link.cut()
        assert self.serving is not None
        await self.serving

    def report(self, start: Start, *, result: bytes = b"null", runs: Sequence[RunId] | None = None) -> int:
        """Say that these attempts succeeded; return the frame's number."""
        done = list(start.runs if runs is None else runs)
        return self.say_outcomes(done, [start.token] * len(done), [result] * len(done), [])

    def report_failure(self, start: Start, outcome: Outcome = Outcome.FAILED, message: str = "it broke") -> int:
        failure = Failure(error="ValueError", message=message) if outcome is Outcome.FAILED else None
        ended = [Ended(run=run, token=start.token, outcome=outcome, failure=failure) for run in start.runs]
        return self.say_outcomes([], [], [], ended)

    def say_outcomes(
        self, runs: list[RunId], tokens: list[Token], results: list[bytes], ended: list[Ended], *, wait: int = 0
    ) -> int:
        self._seq += 1
        self.link.say(Outcomes(self._seq, runs, tokens, results, [wait] * len(runs), [0] * len(runs), ended))
        return self._seq

    async def settled(self, seq: int) -> Settled:
        """Let the server read and settle that frame."""
        settling = self._scene.scheduler.settling
        while not self.link.count(Settled):
            await settling.wake.wait()
            settling.wake.clear()
            await settling.tick()
        answer = await self.link.expect(Settled)
        assert answer.seq == seq
        return answer


class Scene:
    """One server whose duties tick when the test says so."""

    def __init__(self, store: Store, clock: FakeClock, settings: SchedulerSettings | None = None) -> None:
        self.store = store
        self.clock = clock
        self.ids = Ids()
        named = settings or SchedulerSettings(name="s1")
        self.scheduler = Scheduler(store, named, clock, self.ids, vault=Vault([bytes(32)]))
        self._executors: list[ScriptedExecutor] = []

    async def start(self) -> None:
        await self.store.cluster.prepare_history(now=self.clock.now(), days=1)
        await self.scheduler.catalog.tick()
        self.scheduler.begin()

    def executor(self, name: str = "e1", *, room: int = 100, handlers: Sequence[str] = ("report",)) -> ScriptedExecutor:
        executor = ScriptedExecutor(self, name, self.ids.session(), room, handlers)
        self._executors.append(executor)
        return executor

    async def attach(
        self, name: str = "e1", *, room: int = 100, handlers: Sequence[str] = ("report",)
    ) -> ScriptedExecutor:
        executor = self.executor(name, room=room, handlers=handlers)
        await executor.connect()
        return executor

    async def accept(self, *requests: RunRequest) -> list[Accepted]:
        """Enqueue, with the commit that it waits for."""
        [accepted] = await self.committed(self.scheduler.accept(NAMESPACE, list(requests)))
        if isinstance(accepted, BaseException):
            raise accepted
        return accepted

    async def committed(self, *requests: Coroutine[Any, Any, list[Accepted]]) -> list[list[Accepted] | BaseException]:
        """Several requests at once, with the commits that they wait for."""
        asking = asyncio.gather(*requests, return_exceptions=True)
        accepting = self.scheduler.accepting
        while not asking.done():
            woken = asyncio.ensure_future(accepting.wake.wait())
            await asyncio.wait((woken, asking), return_when=asyncio.FIRST_COMPLETED)
            woken.cancel()
            accepting.wake.clear()
            await accepting.tick()
        return await asking

    async def enqueue(self, job: str = "report", *, count: int = 1, priority: int | None = None) -> list[RunId]:
        requests = [RunRequest(job=job, priority=priority) for _ in range(count)]
        return [accepted.id for accepted in await self.accept(*requests)]

    async def dispatch(self) -> None:
        """Let dispatch look everywhere, as its poll would."""
        self.scheduler.dispatch.woken_all()
        while await self.scheduler.dispatch.tick():
            pass
        await until_idle()

    async def let_pass(self, seconds: float) -> None:
        """Time passes, and reclaiming looks around as it would."""
        for _ in range(int(seconds)):
            self.clock.advance(1)
            await self.scheduler.sessions.reclaiming.tick()
        self.clock.advance(seconds - int(seconds))
        await self.scheduler.sessions.reclaiming.tick()

    async def waited_for(self, run: RunId) -> None:
        """Until a caller waits for the run's end and has found it not over."""
        while run not in self.scheduler._watch._waiting or not self.clock._sleepers:  # noqa: ASYNC110 nobody says so
            await asyncio.sleep(0)

    async def run(self, run: RunId) -> Run:
        return await self.scheduler.get(NAMESPACE, run)

    async def stop(self) -> None:
        for executor in self._executors:
            if executor.serving is not None and not executor.serving.done():
                await executor.disconnect()


async def until_idle() -> None:
    """Let everything that can run without waiting do so."""
    for _ in range(20):
        await asyncio.sleep(0)
