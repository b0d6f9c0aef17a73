"""Whether triggers can be kept: their form, their jobs, and whether those take their input."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from mainspring.clock import Clock
from mainspring.domain.jobs.job import Job, JobSpec
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.birth import line_of
from mainspring.domain.suggest import did_you_mean
from mainspring.domain.triggers.checks import check_form
from mainspring.domain.triggers.spec import TriggerSpec, is_timed
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.operations.check_jobs import check_defaults
from mainspring.scheduler.triggers.inputs import CalendarSource
from mainspring.wire.arguments import completed

SLICE = 200
"""Triggers that are checked between two breaths."""

NONE: Mapping[str, JobSpec] = {}
Fit = Callable[[bytes], object]
"""Raises InvalidInputError for input that a job does not take."""


class CheckTriggers:
    """Checks against the jobs of the catalog. Parts that many triggers share are checked once."""

    def __init__(self, catalog: Catalog, clock: Clock, calendars: CalendarSource) -> None:
        self._catalog = catalog
        self._clock = clock
        self._calendars = calendars

    async def check(self, namespace: str, specs: Sequence[TriggerSpec]) -> None:
        """Raises InvalidInputError (its field prefixed `triggers[i].` when several) and NotFoundError."""
        lines = await self._check_each(namespace, specs)
        for name in await self.unknown_calendars(namespace, specs):
            raise NotFoundError("calendar", name)
        await self._catalog.make_lines(lines)

    async def check_all_but_calendars(
        self, namespace: str, specs: Sequence[TriggerSpec], *, beside: Mapping[str, JobSpec] = NONE
    ) -> None:
        """Raises as `check` does, though not for a calendar: that blocks its own trigger only.

        Jobs `beside` them count as if they were saved.
        """
        await self._catalog.make_lines(await self._check_each(namespace, specs, beside))

    async def unknown_calendars(self, namespace: str, specs: Sequence[TriggerSpec]) -> list[str]:
        """Names of calendars that these use and the store has not."""
        named = sorted({spec.calendar for spec in specs if spec.calendar})
        if any(self._calendars.of(namespace, name) is None for name in named):
            await self._calendars.refresh()
        return [name for name in named if self._calendars.of(namespace, name) is None]

    async def _check_each(
        self, namespace: str, specs: Sequence[TriggerSpec], beside: Mapping[str, JobSpec] = NONE
    ) -> list[Line]:
        """The lines that their runs wait in."""
        await self._refresh(namespace, specs)
        seen: set[str] = set()
        fits: dict[tuple[object, ...], Fit] = {}
        lines: list[Line] = []
        for position, spec in enumerate(specs):
            try:
                check_form(spec)
                count_in(spec.name, seen)
                kind = (spec.job, spec.queue, is_timed(spec))
                fit = fits.get(kind) or self._fit(namespace, spec, beside)
                fit(bytes(spec.input))
                if kind not in fits and spec.job not in beside:
                    lines.append(line_of(self._job(namespace, spec.job), spec.queue))
                fits[kind] = fit
            except InvalidInputError as error:
                raise at_place(error, position, specs) from None
            if position % SLICE == SLICE - 1:
                await self._clock.sleep(0)
        return lines

    async def _refresh(self, namespace: str, specs: Sequence[TriggerSpec]) -> None:
        """A job may have been registered through another server a moment ago."""
        if any((namespace, name) not in self._catalog.jobs for name in {spec.job for spec in specs}):
            await self._catalog.refresh()

    def _fit(self, namespace: str, spec: TriggerSpec, beside: Mapping[str, JobSpec]) -> Fit:
        if (coming := beside.get(spec.job)) is not None:
            defaults, schema = coming.input, coming.schema
        else:
            job = self._job(namespace, spec.job)
            defaults, schema = job.spec.input, self._catalog.schema_of(job)
        if is_timed(spec):
            return partial(completed, defaults, schema=schema)
        # What it is called with completes this; whether the whole fits is seen then.
        return check_defaults

    def _job(self, namespace: str, name: str) -> Job:
        job = self._catalog.jobs.get((namespace, name))
        if job is None:
            close = did_you_mean(name, (job for place, job in self._catalog.jobs if place == namespace))
            raise NotFoundError("job", name, f"no executor has registered it in this namespace yet{close}")
        return job


def count_in(name: str, seen: set[str]) -> None:
    if name in seen:
        raise InvalidInputError("name", f"{name!r} is there twice", code="bad_trigger")
    seen.add(name)


def at_place(error: InvalidInputError, position: int, specs: Sequence[object]) -> InvalidInputError:
    """The same error, saying of which of several triggers it is."""
    if len(specs) == 1:
        return error
    return type(error)(f"triggers[{position}].{error.field}", error.reason, code=error.code)
