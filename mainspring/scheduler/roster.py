"""Who can run what, over the whole cluster: jobs, lines and live sessions as last read.

Dispatch asks it which lines its executors serve; explaining why a run waits asks it the same question, so the answer cannot
differ from what is done.
"""

import asyncio
from collections.abc import Callable, Iterable

import msgspec

from mainspring.clock import Clock
from mainspring.domain.job import Job, JobSpec
from mainspring.domain.line import ADDRESS_ANY, Line
from mainspring.domain.run import Run, RunState, WaitReason
from mainspring.domain.session import Session, SessionState
from mainspring.store.interface import Store

REFRESH_MIN = 0.1


class Roster:
    """A cache of what changes rarely, refreshed by polling and by hints."""

    name = "refresh_roster"

    def __init__(self, store: Store, clock: Clock, *, period: float) -> None:
        self.period = period
        self.wake = asyncio.Event()
        self.version = 0
        """Grows when jobs or lines have changed."""
        self.jobs: dict[tuple[str, str], Job] = {}
        self.jobs_by_id: dict[int, Job] = {}
        self.lines: dict[int, Line] = {}
        self.numbers: dict[Line, int] = {}
        self._served: set[tuple[str, str, str]] = set()
        self._store = store
        self._clock = clock
        self._on_change: list[Callable[[], None]] = []
        self._read_at = clock.monotonic() - REFRESH_MIN

    def on_change(self, listener: Callable[[], None]) -> None:
        self._on_change.append(listener)

    async def refresh(self) -> None:
        """Read again, unless that was done a moment ago."""
        if self._clock.monotonic() - self._read_at >= REFRESH_MIN:
            await self.tick()

    async def tick(self) -> bool:
        self._read_at = self._clock.monotonic()
        self._set_jobs(await self._store.jobs.all())
        self._set_lines(await self._store.jobs.all_lines())
        self._set_sessions(await self._store.cluster.sessions())
        return False

    async def register(self, namespace: str, specs: list[JobSpec]) -> None:
        """Keep what an executor advertises; known at once on this server, elsewhere within a poll."""
        changed = [spec for spec in specs if not self._knows(namespace, spec)]
        if changed:
            jobs = await self._store.jobs.register(namespace, changed, now=self._clock.now())
            self._set_jobs([*self.jobs_by_id.values(), *jobs])

    async def line(self, line: Line) -> int:
        """The number of a line, made on first use."""
        number = self.numbers.get(line)
        if number is None:
            [number] = await self._store.jobs.lines([line])
            self._set_lines({**self.lines, number: line})
        return number

    def add_session(self, session: Session) -> None:
        """Count an executor in before the next refresh."""
        self._served |= served_by(session)

    def explained(self, run: Run) -> Run:
        """The run with its true state: queued in a line that no live executor serves is waiting for one."""
        place = (run.namespace, run.queue, run.handler)
        if run.state is not RunState.QUEUED or place in self._served:
            return run
        return msgspec.structs.replace(run, state=RunState.WAITING, reason=WaitReason.NO_EXECUTOR.value)

    def _knows(self, namespace: str, spec: JobSpec) -> bool:
        job = self.jobs.get((namespace, spec.name))
        return job is not None and job.spec == spec

    def _set_jobs(self, jobs: Iterable[Job]) -> None:
        by_id = {job.id: job for job in jobs}
        if by_id != self.jobs_by_id:
            self.jobs_by_id = by_id
            self.jobs = {(job.namespace, job.name): job for job in by_id.values()}
            self._changed()

    def _set_lines(self, lines: dict[int, Line]) -> None:
        if lines != self.lines:
            self.lines = lines
            self.numbers = {line: number for number, line in lines.items()}
            self._changed()

    def _set_sessions(self, sessions: list[Session]) -> None:
        live = [session for session in sessions if session.state is SessionState.LIVE]
        self._served = set().union(*map(served_by, live))

    def _changed(self) -> None:
        self.version += 1
        for listener in self._on_change:
            listener()


def served_by(session: Session) -> set[tuple[str, str, str]]:
    return {
        (session.namespace, queue, handler)
        for queue in session.abilities.queues
        for handler in session.abilities.handlers
    }


def serves(session: Session, line: Line) -> bool:
    """Whether the session may take runs of the line."""
    return (
        line.namespace == session.namespace
        and line.handler in session.abilities.handlers
        and line.queue in session.abilities.queues
        and line.address in (ADDRESS_ANY, session.executor)
    )
