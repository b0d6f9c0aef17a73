"""A store with one job, one line and one live session, and short ways to move runs through it."""

from datetime import datetime, timedelta

import msgspec

from mainspring.domain.cluster.session import Session
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.jobs.job import Job
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.attempt import Claim, Decision, Ended, Held
from mainspring.domain.runs.run import Run, RunState
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests import factories
from tests.factories import LEASE, NAMESPACE, job_spec, new_run, session, successes


class Scene(msgspec.Struct):
    store: Store
    job: Job
    line: int
    session: Session

    @property
    def now(self) -> datetime:
        return START

    async def add_line(self, queue: str, *, namespace: str = NAMESPACE) -> int:
        return (await self.store.jobs.lines([Line(namespace, queue, "report")]))[0]

    async def add_session(self, executor: str = "executor-2", *, lease: timedelta = LEASE) -> SessionId:
        added = session(executor, lease_until=START + lease)
        await self.store.cluster.open_session(added, now=START)
        return added.id

    async def add(
        self, count: int = 1, *, line: int | None = None, priority: int = 5, due_at: datetime = START
    ) -> list[RunId]:
        place = self.line if line is None else line
        runs = [new_run(self.job.id, place, priority=priority, due_at=due_at) for _ in range(count)]
        await self.store.runs.create(NAMESPACE, runs, now=START)
        return [run.id for run in runs]

    async def claim(
        self, slots: int = 1, *, lines: list[int] | None = None, now: datetime = START, token: Token | None = None
    ) -> list[Claim]:
        mine = [self.session.id] * slots
        return await self.store.runs.claim(lines or [self.line], mine, token=token or factories.token(), now=now)

    async def claimed(
        self, slots: int = 1, *, lines: list[int] | None = None, now: datetime = START
    ) -> list[tuple[RunId, Token]]:
        """The pairs of run and token that a claim takes, in order."""
        return pairs(await self.claim(slots, lines=lines, now=now))

    async def started(self, count: int = 1) -> list[tuple[RunId, Token]]:
        """New runs, already claimed."""
        await self.add(count)
        return await self.claimed(count)

    async def succeed(self, pairs: list[tuple[RunId, Token]], *, now: datetime = START) -> int:
        return await self.store.runs.succeed(successes(pairs), now=now)

    async def settle(
        self, ended: list[Ended], decision: Decision | None = None, *, now: datetime = START
    ) -> dict[RunId, RunState]:
        chosen = decision or Decision(RunState.QUEUED, failures=1)
        return await self.store.runs.settle(ended, lambda _held, _ended: chosen, now=now)

    async def get(self, run: RunId) -> Run:
        found = await self.store.runs.get(NAMESPACE, run)
        assert found is not None
        return found

    async def held(self, session: SessionId | None = None) -> list[Held]:
        later = START + timedelta(days=1)
        return await self.store.runs.held_by(session or self.session.id, claimed_before=later, limit=1000)


def pairs(claims: list[Claim]) -> list[tuple[RunId, Token]]:
    return [(run, claim.token) for claim in claims for run in claim.runs]


async def set_scene(store: Store) -> Scene:
    (job,) = await store.jobs.register(NAMESPACE, [job_spec()], now=START)
    (line,) = await store.jobs.lines([Line(NAMESPACE, "default", "report")])
    live = session()
    await store.cluster.open_session(live, now=START)
    await store.cluster.prepare_history(now=START, days=1)
    return Scene(store, job, line, live)
