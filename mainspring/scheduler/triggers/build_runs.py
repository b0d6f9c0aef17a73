"""Runs of triggers: what a request of somebody who knows the job would have become, made without asking the store."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Protocol

import msgspec

from mainspring.clock import Clock
from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.ids import Ids, RunId
from mainspring.domain.jobs.definition import with_defaults
from mainspring.domain.jobs.job import Job
from mainspring.domain.metadata import Extra, add_start_deadline, marks_of, write_extra
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.run import NewRun
from mainspring.domain.triggers.evaluate import Terms
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger
from mainspring.scheduler.catalog import Roster
from mainspring.scheduler.intake.check_input import INPUT_NONE

IDS_MAX = 256
TRUST = 1.0
"""Seconds for which what was read anew is taken for the whole truth: a job that is not there then is gone."""


class UnsureError(Exception):
    """A job, a calendar or a line is not known here, which another server may have made a moment ago."""

    def __init__(self, line: Line | None = None) -> None:
        super().__init__()
        self.line = line


class Calendars(Protocol):
    """The calendars of all namespaces, as last read."""

    def of(self, namespace: str, name: str) -> Calendar | None:
        """None: there is none, as far as is known here."""

    async def refresh(self) -> None:
        """Read again, unless that was done a moment ago."""


class TriggerRuns:
    """Makes runs by the roster. What it does not know stops the move; whoever moves learns it, and moves again."""

    def __init__(self, roster: Roster, calendars: Calendars, clock: Clock, ids: Ids, *, look_ahead: float) -> None:
        self._roster = roster
        self._clock = clock
        self._ids = ids
        self._look_ahead = timedelta(seconds=look_ahead)
        self._calendars = calendars
        self._sure_until = 0.0

    def terms(self, now: datetime) -> Terms:
        ids = self._fresh(now)
        return Terms(
            now=now,
            look_ahead=self._look_ahead,
            make=lambda trigger, instant, due_at: self.make(trigger, instant, due_at, now, ids),
            calendar_of=self.calendar,
        )

    def _fresh(self, now: datetime) -> Iterator[RunId]:
        """Ids in their order, made some at a time."""
        size = 1
        while True:
            yield from self._ids.runs(size, now)
            size = min(2 * size, IDS_MAX)

    def make(
        self, trigger: Trigger, instant: datetime, due_at: datetime, now: datetime, ids: Iterator[RunId]
    ) -> NewRun | None:
        """None: there is no such job. Raises UnsureError."""
        spec = trigger.spec
        job = self._roster.jobs.get((trigger.namespace, spec.job))
        if job is None:
            self._be_sure()
            return None
        line = line_of(job, spec)
        number = self._roster.numbers.get(line)
        if number is None:
            raise UnsureError(line)
        extra = Extra(labels=spec.labels, tags=spec.tags, trigger=spec.name, fire_at=instant)
        run = NewRun(
            id=next(ids),
            job=job.id,
            line=number,
            priority=job.spec.priority if spec.priority is None else spec.priority,
            due_at=due_at,
            input=completed(job.spec.input, bytes(spec.input)),
            extra=write_extra(extra),
        )
        if spec.labels or spec.tags:
            run.marks = marks_of(spec.labels, spec.tags)
        add_limits(run, job, spec, now)
        return run

    def calendar(self, namespace: str, name: str) -> Calendar | None:
        """Raises UnsureError."""
        found = self._calendars.of(namespace, name)
        if found is None:
            self._be_sure()
        return found

    def is_blind(self, trigger: Trigger) -> bool:
        """Whether nobody knows the days on which it may fire, so that it must not."""
        return bool(trigger.spec.calendar) and self.calendar(trigger.namespace, trigger.spec.calendar) is None

    def _be_sure(self) -> None:
        if self._clock.monotonic() >= self._sure_until:
            raise UnsureError

    async def learn(self, error: UnsureError) -> None:
        """Find out what was not known."""
        if error.line is not None:
            await self._roster.make_lines([error.line])
            return
        await self._roster.refresh()
        await self._calendars.refresh()
        self._sure_until = self._clock.monotonic() + TRUST


def line_of(job: Job, spec: TriggerSpec) -> Line:
    return Line(job.namespace, job.spec.queue if spec.queue is None else spec.queue, job.spec.handler)


def add_limits(run: NewRun, job: Job, spec: TriggerSpec, now: datetime) -> None:
    begin = max(run.due_at, now)
    if job.spec.deadline is not None:
        run.deadline_at = begin + timedelta(seconds=job.spec.deadline)
    ends = []
    if job.spec.start_within is not None:
        ends.append(begin + timedelta(seconds=job.spec.start_within))
    if spec.start_deadline is not None:
        # However late the run was made, the trigger's own limit counts from when it was to begin.
        ends.append(run.due_at + timedelta(seconds=spec.start_deadline))
    if ends:
        add_start_deadline(run, min(ends))


@lru_cache(maxsize=4096)
def completed(defaults: bytes, raw: bytes) -> bytes:
    """The arguments of a trigger, completed by those of its job; read once, not at every fire."""
    if defaults == INPUT_NONE:
        return raw
    try:
        return with_defaults(defaults, raw)
    except (msgspec.DecodeError, RecursionError):
        # It was checked when it was saved; whatever this is, the executor says so of the run.
        return raw
