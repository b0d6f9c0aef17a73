"""What another limit or rate would have done to past runs: their attempts stand in line again, with their own lengths."""

from collections.abc import Sequence
from datetime import datetime
from heapq import heappop, heappush
from typing import Any

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.jobs.replay import Affected, PastRun, ReplayEffect, fates
from mainspring.domain.limits.bucket import bucket_of, parse_rate
from mainspring.domain.limits.policy import Blocking, Policy
from mainspring.domain.runs.run import RunState

SLIGHT = 0.001
"""Seconds of waiting that are none."""
MICROSECONDS = 1_000_000
JUDGED = frozenset({"retry", "timeout", "deadline", "start_within", "on_lost", "losses_max"})
OF_POLICY = frozenset({"at_once", "rate", "blocking", "limit_key"})


class BusyStretch(msgspec.Struct, frozen=True, order=True):
    """One attempt: when it started, and how many seconds it took."""

    begin: float
    took: float
    run: RunId


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """Past runs under another definition."""

    runs: int
    succeeded: int
    failed: int
    since: datetime | None
    until: datetime | None
    at_once: int
    """How many of their attempts were under way at most."""
    effects: list[Affected]
    unjudged: list[str]
    """Changes whose effect cannot be told from past runs."""


def replay(past: Sequence[PastRun], before: JobSpec, spec: JobSpec) -> Replay:
    """What the definition would have made of the runs; `before` is the one that counts now."""
    stretches = sorted(stretches_of(past))
    found = {**fates(past, spec), **held_up(stretches, spec.policy)}
    states = [one.run.state for one in past]
    ended = [one.run.created_at for one in past]
    return Replay(
        runs=len(past),
        succeeded=states.count(RunState.SUCCEEDED),
        failed=states.count(RunState.FAILED),
        since=min(ended, default=None),
        until=max(ended, default=None),
        at_once=most_at_once(stretches),
        effects=[found[effect] for effect in ReplayEffect if effect in found],
        unjudged=unjudged(before, spec),
    )


def stretches_of(past: Sequence[PastRun]) -> list[BusyStretch]:
    found = []
    for one in past:
        spans = [(each.started_at, each.ended_at) for each in one.judged]
        if one.run.state is RunState.SUCCEEDED:
            spans.append((one.run.started_at, one.run.finished_at))  # type: ignore[arg-type]
        found += [
            BusyStretch(begin.timestamp(), max((end - begin).total_seconds(), 0.0), one.run.id)
            for begin, end in spans
            if begin is not None and end is not None
        ]
    return found


def most_at_once(stretches: Sequence[BusyStretch]) -> int:
    ends: list[float] = []
    most = 0
    for one in stretches:
        while ends and ends[0] <= one.begin:
            heappop(ends)
        heappush(ends, one.begin + one.took)
        most = max(most, len(ends))
    return most


def held_up(stretches: Sequence[BusyStretch], policy: Policy) -> dict[ReplayEffect, Affected]:
    """The runs that a limit at once or a rate, both without a key, would have kept waiting or skipped."""
    waited, skipped = Affected(effect=ReplayEffect.WAITED), Affected(effect=ReplayEffect.SKIPPED)
    at_once = policy.at_once if not policy.limit_key else None
    turns = LimitTurns(policy)
    ends: list[float] = []
    for one in stretches if at_once is not None or turns.counts else ():
        begin = one.begin
        while ends and ends[0] <= begin:
            heappop(ends)
        if at_once is not None and len(ends) >= at_once:
            if policy.blocking is Blocking.DISCARD:
                note(skipped, one.run, 0.0)
                continue
            begin = max(begin, heappop(ends))
        begin = turns.next(begin)
        heappush(ends, begin + one.took)
        if begin - one.begin > SLIGHT:
            note(waited, one.run, begin - one.begin)
    return {one.effect: one for one in (waited, skipped) if one.runs}


class LimitTurns:
    """Starts by the rate of a policy, if it has one that is the same for all keys."""

    def __init__(self, policy: Policy) -> None:
        rate = policy.rate
        self.counts = rate is not None and not rate.key and parse_rate(rate.of) is not None
        self._bucket = bucket_of(rate.of, rate.burst) if rate is not None and self.counts else None
        self._full_at = 0

    def next(self, at: float) -> float:
        """When one that is ready at that time starts."""
        if self._bucket is None:
            return at
        now = max(int(at * MICROSECONDS), self._bucket.opens_at(self._full_at))
        self._full_at = self._bucket.taken(self._full_at, now, 1)
        return max(at, now / MICROSECONDS)


def note(affected: Affected, run: RunId, seconds: float) -> None:
    if run not in affected.runs[-1:]:
        affected.runs.append(run)
    affected.seconds += seconds
    affected.longest = max(affected.longest, seconds)


def unjudged(before: JobSpec, spec: JobSpec) -> list[str]:
    """The fields that differ, and say nothing that past runs could be judged by."""
    found = [name for name in changed_fields(before, spec) if name not in JUDGED and name != "policy"]
    policy = set(changed_fields(before.policy, spec.policy))
    policy -= judged(spec.policy)
    return found + [f"policy.{name}" for name in Policy.__struct_fields__ if name in policy]


def judged(policy: Policy) -> frozenset[str]:
    """What `held_up` goes by: no keys, which stand in inputs, and no runs that give way to others."""
    if policy.limit_key or policy.blocking not in (Blocking.QUEUE, Blocking.DISCARD):
        return frozenset()
    return OF_POLICY - {"rate"} if policy.rate is not None and policy.rate.key else OF_POLICY


def changed_fields(before: Any, after: Any) -> list[str]:
    return [name for name in type(before).__struct_fields__ if getattr(before, name) != getattr(after, name)]
