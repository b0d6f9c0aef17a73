"""What a case is played on: a database, stores to act with, and for every play runs, sessions and a line of its own."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.cluster.session import Abilities, PoolSize, Session, SessionState
from mainspring.domain.ids import Ids, RunId, SessionId, Token
from mainspring.domain.jobs.job import JobSpec, Pool
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.run import NewRun
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings.explorer import Explorer, Trace
from proof.interleavings.stepping import Actor, stepped_store

NAMESPACE = "default"
LATER = START + timedelta(seconds=5)
LAPSE = START + timedelta(seconds=10)
"""When the sessions' leases end."""
NAMES = "abc"

ids = Ids()


class Facts(msgspec.Struct):
    """What is there before the first step of a play."""

    number: int
    job: int
    line: int
    sessions: list[SessionId]
    runs: list[RunId] = []
    """In the end each of these must exist once."""
    pairs: list[tuple[RunId, Token]] = []
    """Attempts under way."""
    bundles: Any = None
    """What the store that prepared this remembers of its bundles."""
    revives: bool = False
    """Whether a run that has ended may come back to life."""
    scene: Any = None
    """What a case with more than runs and sessions has put there."""

    @property
    def name(self) -> str:
        """Unique to this play: for executors, keys, queues and jobs."""
        return f"play-{self.number}"

    def new_run(self, *, key: str | None = None, digest: bytes = b"one", deadline_at: datetime | None = None) -> NewRun:
        return NewRun(
            id=ids.runs(1, START)[0],
            job=self.job,
            line=self.line,
            priority=5,
            due_at=START,
            input=b"{}",
            key=key,
            digest=digest if key else None,
            deadline_at=deadline_at,
        )


Act = Callable[[Store, Facts], Awaitable[object]]
Prepare = Callable[[Store, Facts], Awaitable[None]]


class Play(msgspec.Struct):
    """One order of a case, and how it came out."""

    facts: Facts
    trace: Trace
    answers: dict[str, Any]
    seen: list[dict[RunId, int]]
    """The committed states of the runs, before the first step and after the last."""


class Stage:
    """Stores for three actors, one to prepare with, and a connection to look from."""

    def __init__(self, url: str, control: "asyncpg.Connection[Any]", plain: Store) -> None:
        moved = asyncio.Event()
        self.url = url
        self.control = control
        self.plain = plain
        self.actors = [Actor(name, moved) for name in NAMES]
        self.explorer = Explorer(control, moved)
        self._stores = [stepped_store(url, actor) for actor in self.actors]
        self.plays = 0

    async def play(self, prepare: Prepare, acts: Sequence[Act], prefix: Sequence[str]) -> Play:
        """Let the acts meet in the order that begins with the prefix."""
        facts = await self.new_facts()
        await prepare(self.plain, facts)
        before = await self.states(facts.runs)
        actors = self.actors[: len(acts)]
        for actor, store, act in zip(actors, self._stores, acts, strict=False):
            actor.begin(awaited(act, store, facts))
        trace = await self.explorer.play(actors, prefix)
        answers = {actor.name: await actor.finish() for actor in actors}
        return Play(facts, trace, answers, [before, await self.states(facts.runs)])

    async def states(self, runs: Sequence[RunId]) -> dict[RunId, int]:
        rows = await self.control.fetch(
            "SELECT id, state FROM mainspring.live WHERE id = ANY ($1::uuid[])"
            " UNION ALL SELECT id, state FROM mainspring.history WHERE id = ANY ($1::uuid[])",
            runs,
        )
        return {row["id"]: row["state"] for row in rows}

    async def close(self) -> None:
        for actor in self.actors:
            await actor.stop()
        for store in (self.plain, *self._stores):
            await store.close()
        await self.control.close()

    async def new_facts(self) -> Facts:
        self.plays += 1
        number, name = self.plays, f"play-{self.plays}"
        spec = JobSpec(name=name, handler="work", queue=name)
        [job] = await self.plain.jobs.register(NAMESPACE, [spec], now=START)
        [line] = await self.plain.jobs.lines([Line(NAMESPACE, name, "work")])
        facts = Facts(number, job.id, line, [])
        for _ in range(2):
            facts.sessions.append(await self.open_session(f"{name}-{len(facts.sessions)}"))
        return facts

    async def open_session(self, executor: str) -> SessionId:
        session = Session(
            id=ids.session(),
            namespace=NAMESPACE,
            executor=executor,
            server=ids.server(),
            state=SessionState.LIVE,
            lease_until=LAPSE,
            abilities=Abilities(queues=["*"], handlers={"work": Pool.LOOP}, pools=[PoolSize(Pool.LOOP, 1, 9, 0)]),
        )
        await self.plain.cluster.open_session(session, now=START)
        return session.id


async def awaited(act: Act, store: Store, facts: Facts) -> object:
    return await act(store, facts)


@asynccontextmanager
async def open_stage(url: str) -> AsyncIterator[Stage]:
    """A stage on a migrated database."""
    control = await asyncpg.connect(url)
    await control.set_type_codec("uuid", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary")
    plain = await open_store(url)
    await plain.cluster.prepare_history(now=START, days=1)
    # The day before goes at once: a partition is dropped outside transactions, so that no case can draw it out.
    await plain.cluster.prune(before=START)
    stage = Stage(url, control, plain)
    try:
        yield stage
    finally:
        await stage.close()
