"""Attempts of jobs that name a breaker, counted as calls of it."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.breakers.window import Calls, counted_call, joined
from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import (
    AttemptsEnded,
    AttemptsSucceeded,
    CatalogChanged,
    Facts,
    Listening,
    RunsStarted,
    SessionsChanged,
)

COUNTED = (Outcome.FAILED, Outcome.TIMED_OUT)
"""Ends that say something of the downstream; a run that is cancelled, lost or put off says nothing."""
TIMEOUT_KINDS = ("TimeoutError", "OSError", "Exception")

Place = tuple[str, str]
"""Namespace and name of a breaker."""
Epoch = tuple[Place, int]


class CountedCall(msgspec.Struct, frozen=True):
    """An attempt under way, as a call of a breaker."""

    place: Place
    epoch: int
    session: bytes


class CountAttempts:
    """Notes what starts and how it ends; without a job that names a breaker it listens to nothing."""

    def __init__(self, clock: Clock, catalog: Catalog, facts: Facts, wake: asyncio.Event) -> None:
        self._wake = wake
        """Set whenever there is something to take."""
        self._clock = clock
        self._catalog = catalog
        self._lines: dict[int, Place] = {}
        """The breakers of lines."""
        self._under_way: dict[tuple[RunId, Token], CountedCall] = {}
        self._counted: dict[Epoch, list[Calls]] = defaultdict(list)
        self._listening = (
            Listening(facts, self._started, RunsStarted),
            Listening(facts, self._succeeded, AttemptsSucceeded),
            Listening(facts, self._ended, AttemptsEnded),
            Listening(facts, self._left, SessionsChanged),
        )
        facts.subscribe(CatalogChanged, lambda _: self._follow())

    def _follow(self) -> None:
        guarded = {
            place: job.spec.policy.breaker for place, job in self._catalog.jobs.items() if job.spec.policy.breaker
        }
        self._lines = {
            number: (line.namespace, guarded[line.namespace, line.job])
            for number, line in (self._catalog.lines.items() if guarded else ())
            if (line.namespace, line.job) in guarded
        }
        for each in self._listening:
            each.switch(bool(guarded))

    def take(self) -> Mapping[Epoch, Sequence[Calls]]:
        """What was counted since the last time, by breaker and epoch."""
        taken, self._counted = self._counted, defaultdict(list)
        return {epoch: joined(calls) for epoch, calls in taken.items()}

    def add(self, place: Place, epoch: int, calls: Calls) -> None:
        """Count calls that were let through in an epoch."""
        self._counted[place, epoch].append(calls)
        self._wake.set()

    @property
    def any(self) -> bool:
        return bool(self._counted)

    def _started(self, started: RunsStarted) -> None:
        claim = started.claim
        if self._lines.keys().isdisjoint(claim.lines):
            return
        for run, line in zip(claim.runs, claim.lines, strict=True):
            place = self._lines.get(line)
            breaker = None if place is None else self._catalog.breakers.get(place)
            if place is not None and breaker is not None and breaker.state.counts:
                self._under_way[run, claim.token] = CountedCall(place, breaker.epoch, claim.session)

    def _succeeded(self, succeeded: AttemptsSucceeded) -> None:
        if not self._under_way:
            return
        durations = succeeded.durations or [0] * len(succeeded.runs)
        for run, token, duration in zip(succeeded.runs, succeeded.tokens, durations, strict=True):
            call = self._under_way.pop((run, token), None)
            if call is not None and run not in succeeded.stale:
                self._count(call, (), duration / 1_000_000)

    def _ended(self, fact: AttemptsEnded) -> None:
        for end in fact.ended:
            call = self._under_way.pop((end.run, end.token), None)
            if call is not None and end.run in fact.states and end.outcome in COUNTED:
                self._count(call, kinds_of(end), end.duration / 1_000_000, retry_in=end.after)

    def _left(self, changed: SessionsChanged) -> None:
        """Forget attempts of executors that are attached here no more: another server hears how they end."""
        self._under_way = {key: call for key, call in self._under_way.items() if call.session in changed.sessions}

    def _count(self, call: CountedCall, kinds: Sequence[str], seconds: float, retry_in: float | None = None) -> None:
        breaker = self._catalog.breakers.get(call.place)
        if breaker is None or breaker.epoch != call.epoch:
            return
        now = self._clock.now()
        told = None if retry_in is None else now + timedelta(seconds=retry_in)
        self.add(call.place, call.epoch, counted_call(breaker.spec, call.session.hex(), kinds, seconds, told, now))


def kinds_of(end: Ended) -> Sequence[str]:
    """The names that a failure goes by; one that has none goes by its code."""
    if end.kinds:
        return end.kinds
    if end.outcome is Outcome.TIMED_OUT:
        return TIMEOUT_KINDS
    return (end.failure.code if end.failure is not None else "error",)
