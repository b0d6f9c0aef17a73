"""Who can run what, over the whole cluster: jobs, lines and live sessions as last read.

Dispatch asks it which lines its executors serve; explaining why a run waits asks it the same question, so the answer cannot
differ from what is done.
"""

import asyncio
from collections.abc import Iterable

import msgspec

from mainspring.clock import Clock
from mainspring.domain.cluster.session import Cordon, Session, SessionState
from mainspring.domain.jobs.job import NOBODY, Job, JobSpec, Speaker
from mainspring.domain.queues.line import ADDRESS_ANY, Line
from mainspring.domain.queues.queue import Place, QueueRule
from mainspring.domain.runs.attempt import Claim
from mainspring.domain.runs.run import Run, RunState, WaitReason
from mainspring.scheduler.dispatch.start_frames import start_frames
from mainspring.scheduler.facts import CatalogChanged, Facts, HintReceived
from mainspring.store.interface import Store

REFRESH_MIN = 0.1
"""Seconds between two reads that callers ask for: names that nobody knows must not keep the store busy."""
SCHEMA_NONE = b"{}"


class Catalog:
    """A cache of what changes rarely, refreshed by polling and by hints."""

    name = "refresh_catalog"

    def __init__(self, store: Store, clock: Clock, facts: Facts, *, period: float) -> None:
        self.period = period
        self.wake = asyncio.Event()
        self.version = 0
        """Grows when jobs or lines have changed."""
        self.jobs: dict[tuple[str, str], Job] = {}
        self.jobs_by_id: dict[int, Job] = {}
        self.timeouts: dict[int, float] = {}
        """By job, of those whose attempts may take only so many seconds."""
        self.lines: dict[int, Line] = {}
        self.numbers: dict[Line, int] = {}
        self.cordons: dict[tuple[str, str], Cordon] = {}
        """By namespace and executor: who is to take nothing new."""
        self.rules: dict[Place, QueueRule] = {}
        self.paused: frozenset[Place] = frozenset()
        """Queues whose lines are not asked for."""
        self.sessions: list[Session] = []
        """Of executors that are there, cordoned or not."""
        self._schemas: dict[tuple[str, str], bytes] = {}
        self._served: set[tuple[str, str, str]] = set()
        self._withheld: set[tuple[str, str, str]] = set()
        """What cordoned executors would serve."""
        self._stuck: set[tuple[str, str, str]] = set()
        """What executors would serve whose pool for it has no usable slot."""
        self._edits = 0
        """Grows with what is put in here by hand: a read that was under way meanwhile is too old."""
        self._lost: dict[int, Line] = {}
        """Lines that were known once and are no more."""
        self._missing_jobs: set[int] = set()
        """Jobs of runs that were looked for in vain: a fail-over can lose a definition."""
        self._store = store
        self._clock = clock
        self._facts = facts
        self._read_at = clock.monotonic() - REFRESH_MIN
        self._reading = asyncio.Lock()
        facts.subscribe(HintReceived, self._hinted)

    def frames(self, claim: Claim) -> list[bytes]:
        """What starts the attempts of a claim."""
        return start_frames(claim, self.lines, self.timeouts)

    async def refresh(self) -> None:
        """Know what the store knew when this was asked for: one read for all who ask within a moment."""
        asked = self._clock.monotonic()
        async with self._reading:
            if self._read_at < asked:
                await self._clock.sleep(self._read_at + REFRESH_MIN - self._clock.monotonic())
                await self._read()

    async def ensure_jobs(self, jobs: Iterable[int]) -> None:
        """Have heard of these jobs, one of which may have been made through another server a moment ago."""
        unheard = set(jobs) - self.jobs_by_id.keys() - self._missing_jobs
        if unheard:
            await self.refresh()
            self._missing_jobs |= unheard - self.jobs_by_id.keys()

    async def tick(self) -> bool:
        async with self._reading:
            return await self._read()

    async def _read(self) -> bool:
        began = self._clock.monotonic()
        edits = self._edits
        jobs, lines = await self._store.jobs.all(), await self._store.jobs.all_lines()
        rules = await self._store.queues.rules()
        if edits == self._edits:
            self._set_jobs(jobs)
            self._lost |= {number: line for number, line in self.lines.items() if number not in lines}
            self._set_lines(lines)
            self._set_rules(rules)
            await self._move_lost()
        self._set_cordons(await self._store.executors.cordons())
        await self._set_sessions(await self._store.cluster.sessions())
        # Only now: a read that failed half-way must not keep the next one from being made.
        self._read_at = began
        return edits != self._edits

    async def _move_lost(self) -> None:
        """A fail-over can lose a line that servers still know; what they put into it meanwhile goes where it belongs."""
        for number, line in self._lost.items():
            if line in self.numbers and number not in self.lines:
                await self._store.jobs.move_queued(number, self.numbers[line])

    async def register(self, namespace: str, specs: Iterable[JobSpec], by: Speaker = NOBODY) -> None:
        """Hear what an executor's code says; known at once on this server, elsewhere within a poll."""
        news = [spec for spec in specs if not self.follows(namespace, spec)]
        if news:
            self.put(await self._store.jobs.register(namespace, news, by=by, now=self._clock.now()))

    def put(self, jobs: Iterable[Job]) -> None:
        """Take in definitions that were changed here, before the next refresh."""
        self._edits += 1
        known = self.jobs_by_id
        newer = [job for job in jobs if job.id not in known or job.version >= known[job.id].version]
        self._set_jobs([*known.values(), *newer])

    def put_rule(self, rule: QueueRule) -> None:
        """Take in what was said of a queue here, before the next refresh."""
        self._edits += 1
        self._set_rules({**self.rules, rule.place: rule}.values())

    def follows(self, namespace: str, spec: JobSpec) -> bool:
        """Whether this is what code said last of the job, as far as is known here."""
        job = self.jobs.get((namespace, spec.name))
        return job is not None and job.code == spec

    def schema_of(self, job: Job) -> bytes:
        """Of its arguments: its own, or if people made it, that of the code which has its handler."""
        return job.spec.schema if job.code is not None else self.schema_for(job.namespace, job.spec)

    def schema_for(self, namespace: str, spec: JobSpec) -> bytes:
        """The same for a job that people make."""
        if spec.schema != SCHEMA_NONE:
            return spec.schema
        return self._schemas.get((namespace, spec.handler), SCHEMA_NONE)

    def cordon_of(self, session: Session) -> Cordon | None:
        return self.cordons.get((session.namespace, session.executor))

    async def make_lines(self, lines: Iterable[Line]) -> None:
        """Know the numbers of these lines, which are made on first use, all in one go."""
        new = list(dict.fromkeys(line for line in lines if line not in self.numbers))
        if new:
            numbers = await self._store.jobs.lines(new)
            self._edits += 1
            self._set_lines({**self.lines, **dict(zip(numbers, new, strict=True))})

    def add_session(self, session: Session) -> None:
        """Count an executor in before the next refresh."""
        self.sessions = [*(one for one in self.sessions if one.id != session.id), session]
        if self.cordon_of(session) is None:
            self._served |= served_by(session)

    def explained(self, run: Run) -> Run:
        """The run with its true state: queued in a line that nobody asks for, or that no live executor serves, is waiting."""
        if run.state is not RunState.QUEUED:
            return run
        reason = self._obstacle(run.namespace, run.queue, run.handler)
        return run if reason is None else msgspec.structs.replace(run, state=RunState.WAITING, reason=reason.value)

    def parked(self, namespace: str) -> tuple[int, ...]:
        """The lines of a namespace whose queued runs are waiting."""
        mine = [(number, line) for number, line in self.lines.items() if line.namespace == namespace]
        return tuple(number for number, line in mine if self._obstacle(namespace, line.queue, line.handler) is not None)

    def _obstacle(self, namespace: str, queue: str, handler: str) -> WaitReason | None:
        """Why nobody takes the runs of a line at present."""
        if (namespace, queue) in self.paused:
            return WaitReason.PAUSED
        if (namespace, queue, handler) in self._served:
            return None
        if (namespace, queue, handler) in self._stuck:
            return WaitReason.STUCK
        return WaitReason.CORDONED if (namespace, queue, handler) in self._withheld else WaitReason.NO_EXECUTOR

    def _set_jobs(self, jobs: Iterable[Job]) -> None:
        by_id = {job.id: job for job in jobs}
        if by_id != self.jobs_by_id:
            self.jobs_by_id = by_id
            self.jobs = {(job.namespace, job.name): job for job in by_id.values() if not job.deleted}
            self.timeouts = {job.id: job.spec.timeout for job in by_id.values() if job.spec.timeout is not None}
            coded = [(job.namespace, job.code) for job in self.jobs.values() if job.code is not None]
            self._schemas = {(namespace, code.handler): code.schema for namespace, code in coded}
            self._changed()

    def _set_lines(self, lines: dict[int, Line]) -> None:
        if lines != self.lines:
            self.lines = lines
            self.numbers = {line: number for number, line in lines.items()}
            self._changed()

    def _set_rules(self, rules: Iterable[QueueRule]) -> None:
        found = {rule.place: rule for rule in rules if rule.pause is not None or rule.max_queued is not None}
        if found != self.rules:
            self.rules = found
            self.paused = frozenset(place for place, rule in found.items() if rule.pause is not None)
            self._changed()

    def _set_cordons(self, cordons: list[Cordon]) -> None:
        found = {(cordon.namespace, cordon.executor): cordon for cordon in cordons}
        if found != self.cordons:
            self.cordons = found
            self._changed()

    async def _set_sessions(self, sessions: list[Session]) -> None:
        there = [one for one in sessions if one.state in (SessionState.LIVE, SessionState.CORDONED)]
        self.sessions = there
        cordoned = [self.cordon_of(one) is not None for one in there]
        taking = [one for one, held in zip(there, cordoned, strict=True) if not held]
        self._served = set().union(*map(served_by, taking))
        self._stuck = set().union(*(served_by(one, stuck=True) for one in taking))
        self._withheld = set().union(*(served_by(one) for one, held in zip(there, cordoned, strict=True) if held))
        if cordoned != [one.state is SessionState.CORDONED for one in there]:
            await self._store.executors.apply_cordons()

    def _changed(self) -> None:
        self.version += 1
        self._facts.publish(CatalogChanged())

    def _hinted(self, hint: HintReceived) -> None:
        """Read again if another server knows lines that this one does not."""
        if hint.lines is None or any(line not in self.lines for line in hint.lines):
            self.wake.set()


def served_by(session: Session, *, stuck: bool = False) -> set[tuple[str, str, str]]:
    """What it serves; with `stuck`, what it would if its pool for that had a usable slot."""
    return {
        (session.namespace, queue, handler)
        for queue in session.abilities.queues
        for handler, pool in session.abilities.handlers.items()
        if (pool in session.stuck) is stuck
    }


def serves(session: Session, line: Line) -> bool:
    """Whether the session may take runs of the line."""
    return (
        line.namespace == session.namespace
        and line.handler in session.abilities.handlers
        and line.queue in session.abilities.queues
        and line.address in (ADDRESS_ANY, session.executor)
    )
