"""Counts what is published on this server."""

from collections import Counter
from collections.abc import Callable
from operator import attrgetter

from mainspring.clock import Clock
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.caps import Caps
from mainspring.domain.metrics.family import Series
from mainspring.domain.metrics.numbers import Histogram, Totals
from mainspring.domain.queues.rollup import Rollup, Spread
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import (
    AttemptsEnded,
    AttemptsSucceeded,
    Facts,
    HintReceived,
    RunsAccepted,
    RunsRefused,
    RunsRolledUp,
    SessionDied,
    TriggersMoved,
)

line_of = attrgetter("line")
MICROSECONDS = 1_000_000
FIRED = "fired"


class CountFacts:
    """The counters and histograms of this process."""

    def __init__(self, clock: Clock, catalog: Catalog, caps: Caps, facts: Facts, *, jobs: bool) -> None:
        self._clock, self._catalog, self._caps, self._jobs = clock, catalog, caps, jobs
        self._accepted: Counter[int] = Counter()
        """By line: turned into queues when a scrape asks."""
        self._queued = Totals(declared.ACCEPTED)
        self._refused, self._finished = Totals(declared.REFUSED), Totals(declared.FINISHED)
        self._waits, self._durations = Histogram(declared.RUN_WAIT), Histogram(declared.RUN_DURATION)
        self._job_finished, self._job_durations = Totals(declared.JOB_FINISHED), Histogram(declared.JOB_DURATION)
        self._attempts, self._fires = Totals(declared.ATTEMPTS), Totals(declared.FIRES)
        self._stale, self._lost, self._hints = (
            Totals(metric) for metric in (declared.STALE, declared.LEASES_LOST, declared.HINTS)
        )
        for total in (self._stale, self._lost, self._hints):
            total.add(amount=0)
        facts.subscribe(RunsAccepted, lambda fact: self._accepted.update(map(line_of, fact.runs)))
        facts.subscribe(RunsRefused, self._refuse)
        facts.subscribe(RunsRolledUp, self._roll_up)
        facts.subscribe(AttemptsSucceeded, self._succeed)
        facts.subscribe(AttemptsEnded, self._end)
        facts.subscribe(TriggersMoved, self._fire)
        facts.subscribe(SessionDied, lambda _: self._lost.add())
        facts.subscribe(HintReceived, lambda _: self._hints.add())

    def series(self) -> list[Series]:
        self._sort_accepted()
        shown: list[Totals | Histogram] = [
            *(self._queued, self._refused, self._finished, self._waits, self._durations),
            *(self._attempts, self._fires, self._stale, self._lost, self._hints),
        ]
        if self._jobs:
            shown += [self._job_finished, self._job_durations]
        return [each.series() for each in shown]

    def drop(self, gone_queue: Callable[..., bool], gone_job: Callable[..., bool]) -> None:
        for each in (self._queued, self._finished, self._waits, self._durations):
            each.drop(gone_queue)
        for each in (self._job_finished, self._job_durations):
            each.drop(gone_job)

    def _sort_accepted(self) -> None:
        now, accepted, self._accepted = self._clock.monotonic(), self._accepted, Counter()
        for number, runs in accepted.items():
            if (line := self._catalog.lines.get(number)) is not None:
                self._queued.add(self._caps.queue(line.namespace, line.queue, now), runs)

    def _refuse(self, fact: RunsRefused) -> None:
        place = self._caps.namespace(fact.namespace, self._clock.monotonic())
        self._refused.add((place, fact.reason), fact.runs)

    def _roll_up(self, fact: RunsRolledUp) -> None:
        now = self._clock.monotonic()
        for rollup in fact.rolled.minutes:
            if (line := self._catalog.lines.get(rollup.line)) is not None:
                place = self._caps.queue(line.namespace, line.queue, now)
                self._finished.add((*place, rollup.state.label), rollup.runs)
                self._waits.merge(coarse(rollup.wait), rollup.wait.sum / MICROSECONDS, place)
                self._durations.merge(coarse(rollup.duration), rollup.duration.sum / MICROSECONDS, place)
            if self._jobs:
                self._count_job(rollup, now)

    def _count_job(self, rollup: Rollup, now: float) -> None:
        if (job := self._catalog.jobs_by_id.get(rollup.job)) is not None:
            subject = self._caps.job(job.namespace, job.name, now)
            self._job_finished.add((*subject, rollup.state.label), rollup.runs)
            self._job_durations.merge(coarse(rollup.duration), rollup.duration.sum / MICROSECONDS, subject)

    def _succeed(self, fact: AttemptsSucceeded) -> None:
        if fact.stale:
            self._stale.add(amount=sum(run in fact.stale for run in fact.runs))

    def _end(self, fact: AttemptsEnded) -> None:
        for outcome, attempts in Counter(end.outcome for end in fact.ended if end.run in fact.states).items():
            self._attempts.add((outcome.label,), attempts)
        if stale := sum(end.run not in fact.states for end in fact.ended):
            self._stale.add(amount=stale)

    def _fire(self, fact: TriggersMoved) -> None:
        now = self._clock.monotonic()
        for move in fact.moves:
            place = self._caps.namespace(move.trigger.namespace, now)
            if move.fires:
                self._fires.add((place, FIRED), len(move.fires))
            for span in move.skips:
                self._fires.add((place, span.reason.name.lower()))


def coarse(spread: Spread) -> list[int]:
    """The counts of a spread by every second of its edges: the first bucket, then pairs, then all beyond."""
    counts = [*spread.counts, *[0] * (2 * len(declared.RUN_EDGES) - len(spread.counts))]
    return [counts[0], *(sum(counts[start : start + 2]) for start in range(1, len(counts) - 1, 2)), counts[-1]]
