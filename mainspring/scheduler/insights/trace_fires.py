"""Exports a span for each fire of a trigger that begins a trace, once its run is given to an executor."""

from mainspring.clock import Clock
from mainspring.domain.metadata import read_metadata
from mainspring.domain.runs.attempt import Claim
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import Facts, RunsStarted
from mainspring.telemetry import names
from mainspring.telemetry.spans import fire_span
from mainspring.telemetry.switch import Tracing

FIRED, TRACED = b'"fire_at"', b'"traceparent"'


class TraceFires:
    """A run that was prepared may be withdrawn until it is started; so its span is told then, and only by the first attempt."""

    def __init__(self, clock: Clock, catalog: Catalog, facts: Facts) -> None:
        self._clock, self._catalog = clock, catalog
        if Tracing.is_on:
            facts.subscribe(RunsStarted, lambda fact: self._started(fact.claim))

    def _started(self, claim: Claim) -> None:
        for number, extra in enumerate(claim.extras):
            if extra is not None and claim.attempts[number] == 1 and FIRED in extra and TRACED in extra:
                self._tell(extra, claim, number)

    def _tell(self, extra: bytes, claim: Claim, number: int) -> None:
        known, job = read_metadata(extra), self._catalog.jobs_by_id.get(claim.jobs[number])
        line = self._catalog.lines.get(claim.lines[number])
        if known.fire_at is None or job is None:
            return
        attributes = {
            names.NAMESPACE: job.namespace,
            names.JOB: job.name,
            names.TRIGGER: known.trigger,
            names.FIRE_AT: known.fire_at.isoformat(),
            names.DESTINATION: "" if line is None else line.queue,
        }
        fire_span(known.traceparent, known.fire_at.timestamp(), self._clock.now().timestamp(), attributes)
