"""Tries another rule of a breaker on the attempts that are kept of its jobs."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.clock import Clock
from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.breakers.replay import BreakerReplay, PastCall, try_rule
from mainspring.domain.breakers.spec import BreakerSpec, check_breaker
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.query import RunFilter
from mainspring.domain.runs.run import Attempt, Run, RunState
from mainspring.scheduler.breakers.count_attempts import COUNTED, TIMEOUT_KINDS
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.off_loop import off_loop
from mainspring.store.interface import Store

ENDED = (RunState.SUCCEEDED, RunState.FAILED)
ATTEMPTS_READ = 200
"""Runs whose single attempts are read; of older ones that failed before, only the last attempt is known."""
JOBS_MAX = 20
CHANGES_MAX = 1000
LABELS = frozenset(one.label for one in COUNTED)


class TriedRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule would have done, and how much of the past that is."""

    trial: BreakerReplay
    jobs: Sequence[str]
    """Whose attempts were looked at."""
    since: datetime | None
    until: datetime | None
    opened_then: int
    """How often it really opened in that time."""
    unknown: Sequence[str]
    """Codes of what the past does not tell."""


class Past(msgspec.Struct):
    """What is read of the past."""

    calls: list[PastCall] = []
    since: datetime | None = None
    """From when on all of the jobs are known; None: from their beginning, as far as history is kept."""
    is_partial: bool = False
    """Whether there are runs of which only the last attempt is known."""


class TryRules:
    """Reads a bounded number of runs, and writes nothing."""

    def __init__(self, store: Store, clock: Clock, catalog: Catalog) -> None:
        self._store, self._clock, self._catalog = store, clock, catalog

    async def __call__(self, namespace: str, name: str, spec: BreakerSpec, *, runs: int) -> TriedRule:
        """Raises InvalidInputError for a rule that could not be saved."""
        check_breaker(name, spec)
        every = [job for job in self._catalog.jobs.values() if job.namespace == namespace]
        named = sorted(job.name for job in every if job.spec.policy.breaker == name)
        past = await self._read(namespace, named[:JOBS_MAX], runs)
        since = past.since
        calls = [call for call in past.calls if since is None or call.began >= since]
        trial = await off_loop(try_rule(spec, calls), self._clock) or BreakerReplay()
        first = min((call.began for call in calls), default=None)
        opened = await self._opened(namespace, name, first)
        return TriedRule(
            trial=trial,
            jobs=named[:JOBS_MAX],
            since=first,
            until=max((call.ended for call in calls), default=None),
            opened_then=opened,
            unknown=unknown_of(spec, past, trial, opened=opened, left_out=len(named) > JOBS_MAX),
        )

    async def _read(self, namespace: str, jobs: Sequence[str], runs: int) -> Past:
        past, read, share = Past(), 0, -(-runs // max(1, len(jobs)))
        for job in jobs:
            page = await self._store.runs.list(RunFilter(namespace=namespace, job=job, states=ENDED, limit=share))
            if page.next is not None and page.runs:
                oldest = page.runs[-1].created_at
                past.since = oldest if past.since is None else max(past.since, oldest)
            for run in page.runs:
                tried = bool(run.failures or run.losses or run.state is RunState.FAILED)
                known = tried and read < ATTEMPTS_READ
                read += known
                past.is_partial |= tried and not known
                past.calls += calls_of(run, await self._store.runs.attempts(run.id) if known else None)
        return past

    async def _opened(self, namespace: str, name: str, since: datetime | None) -> int:
        breaker = self._catalog.breakers.get((namespace, name))
        if breaker is None or since is None:
            return 0
        changes = await self._store.breakers.changes(breaker.id, limit=CHANGES_MAX)
        return sum(one.state is BreakerState.OPEN and one.at >= since for one in changes)


def calls_of(run: Run, attempts: Sequence[Attempt] | None) -> list[PastCall]:
    """The attempts of a run, as far as they say something of the downstream; `attempts`: None if they were not read."""
    found = [call_of(one) for one in attempts or () if one.outcome in LABELS]
    if run.finished_at is None or run.started_at is None:
        return found
    last = PastCall(began=run.started_at, ended=max(run.started_at, run.finished_at), executor=run.executor or "")
    if run.state is RunState.SUCCEEDED:
        return [*found, last]
    if attempts is None and run.failure is not None:
        return [msgspec.structs.replace(last, kinds=(run.failure.error or "error",))]
    return found


def call_of(attempt: Attempt) -> PastCall:
    began = attempt.started_at or attempt.ended_at
    error = attempt.failure.error if attempt.failure is not None else ""
    kinds = TIMEOUT_KINDS if attempt.outcome == Outcome.TIMED_OUT.label else (error or "error",)
    return PastCall(began=began, ended=max(began, attempt.ended_at), executor=attempt.executor, kinds=kinds)


def unknown_of(spec: BreakerSpec, past: Past, trial: BreakerReplay, *, opened: int, left_out: bool) -> list[str]:
    holds = {
        # Handlers count these by themselves; of them, servers keep only what is in the window now.
        "handler_calls": True,
        "held_calls": trial.held > 0,
        "open_then": opened > 0,
        "kinds": bool(spec.record or spec.ignore),
        "retry_after": spec.open_on_retry_after,
        "older_attempts": past.is_partial,
        "jobs": left_out,
    }
    return [code for code, is_so in holds.items() if is_so]
