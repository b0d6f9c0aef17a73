"""Who can run what, over the whole cluster: jobs, lines and live sessions as last read.

Dispatch asks it which lines its executors serve; explaining why a run waits asks it the same question, so the answer cannot
differ from what is done.
"""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from mainspring.clock import Clock
from mainspring.domain.breakers.breaker import Breaker
from mainspring.domain.cluster.session import Cordon, Session, SessionState
from mainspring.domain.jobs.job import NOBODY, Job, JobSpec, Speaker
from mainspring.domain.limits.gates import Gate, LimitRule, gates_of
from mainspring.domain.limits.gates import Place as LimitPlace
from mainspring.domain.limits.lanes import LaneRule, lane_rule
from mainspring.domain.limits.obstacles import LineFacts, Serving, obstacles, switches
from mainspring.domain.queues.line import ADDRESS_ANY, JOB_ANY, Line
from mainspring.domain.queues.queue import Place, QueueRule
from mainspring.domain.routing.fit import fits, is_unrouted, served_by
from mainspring.domain.routing.own_route import executor_of
from mainspring.domain.runs.run import Run, RunState, WaitReason
from mainspring.domain.workflows.spec import HANDLER as WORKFLOW
from mainspring.scheduler.facts import CatalogChanged, Facts, HintReceived
from mainspring.scheduler.lost_lines import LostLines
from mainspring.store.interface import Store

# Names that nobody knows must not keep the store busy.
REFRESH_MIN = 0.1
"""Seconds between two reads that callers ask for."""
SCHEMA_NONE = b"{}"


class Catalog:
    """A cache of rows that change rarely, refreshed by polling and by hints."""

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
        self.has_workflows = False
        """Whether any run may have had steps, or a handler that waits."""
        self.lines: dict[int, Line] = {}
        self.numbers: dict[Line, int] = {}
        self.cordons: dict[tuple[str, str], Cordon] = {}
        """By namespace and executor: who is to take nothing new."""
        self.rules: dict[Place, QueueRule] = {}
        self.limits: dict[LimitPlace, LimitRule] = {}
        """Limits that operators have set on queues and namespaces, and under names that jobs share."""
        self.breakers: dict[tuple[str, str], Breaker] = {}
        self.closed: dict[tuple[str, str], datetime | None] = {}
        """Calendars by which nothing may start now, with the instant at which they open."""
        self.serving = Serving()
        """What executors that are there can take."""
        self.sessions: list[Session] = []
        """Of executors that are there, cordoned or not."""
        self._schemas: dict[tuple[str, str], bytes] = {}
        self._edits = 0
        """Grows with what is put in here by hand: a read that was under way meanwhile is too old."""
        self._lost = LostLines(store, clock)
        self._missing_jobs: set[int] = set()
        """Jobs of runs that were looked for in vain: a fail-over can lose a definition."""
        self._store = store
        self._clock = clock
        self._facts = facts
        self._read_at = clock.monotonic() - REFRESH_MIN
        self._reading = asyncio.Lock()
        facts.subscribe(HintReceived, self._hinted)

    async def refresh(self) -> None:
        """Refresh to the store's state at the time of the call: one read for all callers of a moment."""
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
        rules, limits = await self._store.queues.rules(), await self._store.limits.rules()
        breakers = await self._store.breakers.all()
        if edits == self._edits:
            self._set_jobs(jobs)
            self._lost.note(self.lines, lines)
            self._set_lines(lines)
            self._set_rules(rules)
            self._set_limits(limits)
            self._set_breakers(breakers)
            await self._lost.mend(self.lines, self.numbers, self.jobs)
        self._set_cordons(await self._store.executors.cordons())
        await self._set_sessions(await self._store.cluster.sessions())
        # Only now: a read that failed half-way must not keep the next one from being made.
        self._read_at = began
        return edits != self._edits

    async def register(self, namespace: str, specs: Iterable[JobSpec], by: Speaker = NOBODY) -> None:
        """Register the jobs of an executor's code; known at once on this server, elsewhere within a poll."""
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
        """Take in a queue's settings changed here, before the next refresh."""
        self._edits += 1
        self._set_rules({**self.rules, rule.place: rule}.values())

    def put_limit(self, rule: LimitRule | None, place: LimitPlace) -> None:
        """Take in a limit that was set or (None) removed here, before the next refresh."""
        self._edits += 1
        kept = {key: value for key, value in self.limits.items() if key != place}
        self._set_limits([*kept.values(), *([] if rule is None else [rule])])

    def put_breaker(self, breaker: Breaker | None, place: tuple[str, str]) -> None:
        """Take in a breaker that was changed or (None) deleted here, before the next refresh."""
        self._edits += 1
        kept = {key: value for key, value in self.breakers.items() if key != place}
        self._set_breakers([*kept.values(), *([] if breaker is None else [breaker])])

    def follows(self, namespace: str, spec: JobSpec) -> bool:
        """Whether this is the job's last definition by code, as far as is known here."""
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
            served = {*self.serving.served, *served_by(session)}
            self.serving = msgspec.structs.replace(self.serving, served=served)

    @property
    def line_facts(self) -> LineFacts:
        """The facts from which obstacles of lines are found."""
        return LineFacts(**{field: getattr(self, field) for field in LineFacts.__struct_fields__})

    def gates(self, line: Line) -> tuple[Gate, ...]:
        """The gates that a line leads through; runs that begin with steps pass none, their steps do."""
        if line.handler == WORKFLOW:
            return ()
        return gates_of(line, self.job_of(line), self.limits, self.breakers)

    def lane_rule(self, job: Job, executor: str = "") -> LaneRule | None:
        """The rule by which the job's runs stand in lanes; `executor`: the one that they are for."""
        return lane_rule(job, self.limits, executor) if job.own_line else None

    def lane_rule_of(self, line: Line) -> LaneRule | None:
        job = self.job_of(line)
        if job is None or line.handler == WORKFLOW or is_unrouted(line, job):
            return None
        return self.lane_rule(job, executor_of(line))

    def job_of(self, line: Line) -> Job | None:
        """The job that a line is for, if it is for one only."""
        return self.jobs.get((line.namespace, line.job)) if line.job else None

    def takers(self, line: Line) -> list[Session]:
        """The executors of the cluster that may take runs of a line at present."""
        job = self.job_of(line)
        taking = (one for one in self.sessions if self.cordon_of(one) is None)
        return [one for one in taking if fits(one, line, job)]

    def asks_for(self, line: Line) -> bool:
        """Whether operators let the runs of a line be started, and its runs have executors if their job routes them."""
        job = self.job_of(line)
        return not is_unrouted(line, job) and next(switches(line, self.line_facts), None) is None

    def explained(self, run: Run) -> Run:
        """The run with its true state: one that is queued in a line with an obstacle is waiting."""
        if run.state is not RunState.QUEUED:
            return run
        job = self.jobs.get((run.namespace, run.job))
        own = run.job if job is not None and job.own_line else JOB_ANY
        reason = self._obstacle(Line(run.namespace, run.queue, run.handler, ADDRESS_ANY, own))
        return run if reason is None else msgspec.structs.replace(run, state=RunState.WAITING, reason=reason.value)

    def parked(self, namespace: str) -> tuple[int, ...]:
        """The lines of a namespace whose queued runs are waiting."""
        mine = [(number, line) for number, line in self.lines.items() if line.namespace == namespace]
        return tuple(number for number, line in mine if self._obstacle(line) is not None)

    def _obstacle(self, line: Line) -> WaitReason | None:
        """Why no executor takes the runs of a line at present."""
        first = next(obstacles(line, self.line_facts), None)
        return None if first is None else first.reason

    def _set_jobs(self, jobs: Iterable[Job]) -> None:
        by_id = {job.id: job for job in jobs}
        if by_id != self.jobs_by_id:
            self.jobs_by_id = by_id
            self.jobs = {(job.namespace, job.name): job for job in by_id.values() if not job.deleted}
            self.timeouts = {job.id: job.spec.timeout for job in by_id.values() if job.spec.timeout is not None}
            coded = [(job.namespace, job.code) for job in self.jobs.values() if job.code is not None]
            # All workflows have one handler, and each its own arguments.
            own = [(namespace, code) for namespace, code in coded if code.handler != WORKFLOW]
            self._schemas = {(namespace, code.handler): code.schema for namespace, code in own}
            self._changed()

    def _set_lines(self, lines: dict[int, Line]) -> None:
        if lines != self.lines:
            self.lines = lines
            self.numbers = {line: number for number, line in lines.items()}
            self.has_workflows |= any(line.handler == WORKFLOW for line in self.numbers)
            self._changed()

    def _set_rules(self, rules: Iterable[QueueRule]) -> None:
        found = {rule.place: rule for rule in rules if rule.says_something}
        if found != self.rules:
            self.rules = found
            self._changed()

    def set_closed(self, closed: Mapping[tuple[str, str], datetime | None]) -> None:
        self._learn("closed", closed)

    def _set_limits(self, limits: Iterable[LimitRule]) -> None:
        self._learn("limits", {rule.place: rule for rule in limits})

    def _set_breakers(self, breakers: Iterable[Breaker]) -> None:
        self._learn("breakers", {(breaker.namespace, breaker.name): breaker for breaker in breakers})

    def _set_cordons(self, cordons: list[Cordon]) -> None:
        self._learn("cordons", {(cordon.namespace, cordon.executor): cordon for cordon in cordons})

    def _learn(self, field: str, found: Mapping[Any, Any]) -> None:
        if found != getattr(self, field):
            setattr(self, field, found)
            self._changed()

    async def _set_sessions(self, sessions: list[Session]) -> None:
        there = [one for one in sessions if one.state in (SessionState.LIVE, SessionState.CORDONED)]
        self.sessions = there
        cordoned = [self.cordon_of(one) is not None for one in there]
        taking = [one for one, held in zip(there, cordoned, strict=True) if not held]
        self.serving = Serving(
            served=set().union(*map(served_by, taking)),
            stuck=set().union(*(served_by(one, stuck=True) for one in taking)),
            withheld=set().union(*(served_by(one) for one, held in zip(there, cordoned, strict=True) if held)),
        )
        if cordoned != [one.state is SessionState.CORDONED for one in there]:
            await self._store.executors.apply_cordons()

    def _changed(self) -> None:
        self.version += 1
        self._facts.publish(CatalogChanged())

    def _hinted(self, hint: HintReceived) -> None:
        """Read again if another server knows lines that this one does not."""
        if hint.lines is None or any(line not in self.lines for line in hint.lines):
            self.wake.set()
