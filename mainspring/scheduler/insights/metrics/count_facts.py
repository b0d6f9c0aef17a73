"""Counts what is published on this server."""

from collections import Counter
from operator import attrgetter

from mainspring.clock import Clock
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.caps import Caps, Gone
from mainspring.domain.metrics.family import Series
from mainspring.domain.metrics.numbers import Histogram, Totals
from mainspring.domain.queues.rollup import Rollup, Spread
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import (
    AttemptsEnded,
    AttemptsSucceeded,
    Facts,
    HintReceived,
    RunsAccepted,
    RunsRefused,
    RunsRolledUp,
    RunsStarted,
    ServersSeen,
    SessionDied,
    TriggersMoved,
)

line_of = attrgetter("line")
MICROSECONDS = 1_000_000
FIRED, SUCCEEDED = "fired", Outcome.SUCCEEDED.label
IN = "in"


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
        for total in (self._stale, self._lost):
            total.add(amount=0)
        self._hints.add((IN,), 0)
        self._delays, self._batches = Histogram(declared.FIRE_DELAY), Histogram(declared.BATCH_RUNS)
        self._offset = 0.0
        facts.subscribe(RunsAccepted, self._accept)
        facts.subscribe(RunsStarted, lambda fact: self._batches.observe(len(fact.claim.runs), ("claim",)))
        facts.subscribe(ServersSeen, self._see)
        facts.subscribe(RunsRefused, self._refuse)
        facts.subscribe(RunsRolledUp, self._roll_up)
        facts.subscribe(AttemptsSucceeded, self._succeed)
        facts.subscribe(AttemptsEnded, self._end)
        facts.subscribe(TriggersMoved, self._fire)
        facts.subscribe(SessionDied, lambda _: self._lost.add())
        facts.subscribe(HintReceived, lambda _: self._hints.add((IN,)))

    def series(self) -> list[Series]:
        self._sort_accepted()
        shown: list[Totals | Histogram] = [
            *(self._queued, self._refused, self._finished, self._waits, self._durations),
            *(self._attempts, self._fires, self._delays, self._stale, self._lost, self._batches),
        ]
        if self._jobs:
            shown += [self._job_finished, self._job_durations]
        return [*(each.series() for each in shown), Series(declared.CLOCK_OFFSET, [((), self._offset)])]

    def hints(self, told: int) -> Series:
        """Hints heard, and those that this server has told."""
        return Series(declared.HINTS, [*self._hints.series().values, (("out",), told)])

    def drop(self, gone: Gone) -> None:
        for each in (self._refused, self._fires, self._delays):
            each.drop(gone.namespace)
        for each in (self._queued, self._finished, self._waits, self._durations, self._attempts):
            each.drop(gone.queue)
        for each in (self._job_finished, self._job_durations):
            each.drop(gone.job)

    def _accept(self, fact: RunsAccepted) -> None:
        self._accepted.update(map(line_of, fact.runs))
        self._batches.observe(len(fact.runs), ("create",))

    def _see(self, fact: ServersSeen) -> None:
        self._offset = fact.clock_apart

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
                if rollup.state is RunState.SUCCEEDED:
                    # Each of them by one attempt: a settlement need not count them by queue.
                    self._attempts.add((*place, SUCCEEDED), rollup.runs)
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
        self._batches.observe(len(fact.runs), ("settle",))
        if fact.stale:
            self._stale.add(amount=sum(run in fact.stale for run in fact.runs))

    def _end(self, fact: AttemptsEnded) -> None:
        self._batches.observe(len(fact.ended), ("settle",))
        now = self._clock.monotonic()
        written = ((fact.lines.get(end.run, 0), end.outcome) for end in fact.ended if end.run in fact.states)
        for (number, outcome), attempts in Counter(written).items():
            if (line := self._catalog.lines.get(number)) is not None:
                self._attempts.add((*self._caps.queue(line.namespace, line.queue, now), outcome.label), attempts)
        if stale := sum(end.run not in fact.states for end in fact.ended):
            self._stale.add(amount=stale)

    def _fire(self, fact: TriggersMoved) -> None:
        now, moved_at = self._clock.monotonic(), self._clock.now()
        for move in fact.moves:
            place = self._caps.namespace(move.trigger.namespace, now)
            if move.fires:
                self._fires.add((place, FIRED), len(move.fires))
            for at, _ in move.fires:
                self._delays.observe(max(0.0, (moved_at - at).total_seconds()), (place,))
            for span in move.skips:
                self._fires.add((place, span.reason.name.lower()))


def coarse(spread: Spread) -> list[int]:
    """The counts of a spread by every second of its edges: the first bucket, then pairs, then all beyond."""
    counts = [*spread.counts, *[0] * (2 * len(declared.RUN_EDGES) - len(spread.counts))]
    return [counts[0], *(sum(counts[start : start + 2]) for start in range(1, len(counts) - 1, 2)), counts[-1]]
