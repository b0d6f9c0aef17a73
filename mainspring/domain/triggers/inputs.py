"""The inputs of an evaluation: the time, and the jobs, lines and calendars as one server knows them."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.ids import RunId
from mainspring.domain.jobs.input import completed_input
from mainspring.domain.jobs.job import Job
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.birth import line_of, new_run
from mainspring.domain.runs.run import NewRun
from mainspring.domain.runs.trace import fire_place
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger, request_of


class UnknownError(Exception):
    """A job, a calendar or a line is missing from the inputs, and another server may have just created it."""

    def __init__(self, line: Line | None = None) -> None:
        super().__init__()
        self.line = line


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an evaluation depends on besides the trigger."""

    now: datetime
    look_ahead: timedelta
    ids: Iterator[RunId]
    """Ids for new runs, in growing order."""
    jobs: Mapping[tuple[str, str], Job]
    """By namespace and name."""
    lines: Mapping[Line, int]
    calendars: Mapping[tuple[str, str], Calendar]
    """By namespace and name."""
    complete: bool = True
    """Whether a job or a calendar that is missing here does not exist."""
    traced: bytes = b""
    """Which fires begin a trace (`domain/runs/trace.py`); empty: none, as this server exports no spans."""

    def calendar_for(self, namespace: str, spec: TriggerSpec) -> Calendar | None:
        """None if the trigger names no calendar, or one that does not exist; raises UnknownError."""
        if not spec.calendar:
            return None
        calendar = self.calendars.get((namespace, spec.calendar))
        if calendar is None and not self.complete:
            raise UnknownError
        return calendar

    def lacks_calendar(self, trigger: Trigger) -> bool:
        """Whether the trigger names a calendar that does not exist; raises UnknownError."""
        return bool(trigger.spec.calendar) and self.calendar_for(trigger.namespace, trigger.spec) is None

    def new_run(
        self,
        trigger: Trigger,
        fire_at: datetime,
        due_at: datetime,
        *,
        priority: int | None = None,
        by: str = "",
        backfill: str = "",
    ) -> NewRun | None:
        """The run of a fire time; None if the trigger's job does not exist. Raises UnknownError."""
        spec = trigger.spec
        job = self.jobs.get((trigger.namespace, spec.job))
        if job is None:
            if not self.complete:
                raise UnknownError
            return None
        line = line_of(job, spec.queue)
        number = self.lines.get(line)
        if number is None:
            raise UnknownError(line)
        place = fire_place(trigger.namespace, trigger.name, fire_at, self.traced) if self.traced else None
        request = request_of(
            spec,
            bytes(spec.input),
            fire_at=fire_at,
            due_at=due_at,
            priority=priority,
            by=by,
            backfill=backfill,
            traceparent="" if place is None else place.traceparent,
        )
        arguments = completed_input(job.spec.input, request.input)
        return new_run(request, job, number, self.now, identifier=next(self.ids), arguments=arguments)
