"""Gates: limits and rates without a key, that whole lines lead through."""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum

import msgspec

from mainspring.domain.breakers.breaker import Breaker, BreakerState
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.bucket import RATE_MAX, bucket_of
from mainspring.domain.limits.policy import Blocking, Limit, Rate
from mainspring.domain.queues.line import Line


class Scope(StrEnum):
    """The scope of a limit."""

    JOB = "job"
    QUEUE = "queue"
    NAMESPACE = "namespace"
    NAMED = "limit"
    BREAKER = "breaker"


class LimitRule(msgspec.Struct, frozen=True, kw_only=True):
    """A limit that operators have set on a queue, on a namespace, or under a name that jobs share."""

    namespace: str
    scope: Scope
    name: str
    """Of the queue or the limit; of a namespace, its own."""
    at_once: int | None = None
    rate: Rate | None = None
    key: tuple[str, ...] = ()
    """Places in the input: of each key so many; only of limits with a name."""
    revision: int = 1
    """Grows with every change."""
    updated_at: datetime | None = None

    @property
    def place(self) -> "Place":
        return self.namespace, self.scope, self.name


Place = tuple[str, Scope, str]
NO_BREAKERS: Mapping[tuple[str, str], Breaker] = {}


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """A limit or rate as claims see it; the store keeps how much of it is taken."""

    id: int
    namespace: str
    scope: Scope
    name: str
    at_once: int | None = None
    gap: int | None = None
    """Microseconds between two starts in the long run."""
    burst: int | None = None
    revision: int = 1


class GateState(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a gate is taken."""

    id: int
    at_once: int | None
    held: int
    opens_at: datetime | None = None
    """When its rate lets the next one start; None: now."""

    @property
    def full(self) -> bool:
        return self.at_once is not None and self.held >= self.at_once


def gates_of(
    line: Line,
    job: Job | None,
    rules: Mapping[Place, LimitRule],
    breakers: Mapping[tuple[str, str], Breaker] = NO_BREAKERS,
) -> tuple[Gate, ...]:
    """The gates that a line leads through, by id; `job` is the one that the line is for, if it is for one only."""
    found = [*job_gates(job, rules)] if job is not None else []
    if job is not None and job.spec.policy.breaker:
        found.append(gate_of_breaker(job, breakers))
    for scope, name in ((Scope.QUEUE, line.queue), (Scope.NAMESPACE, line.namespace)):
        if (rule := rules.get((line.namespace, scope, name))) is not None:
            found.append(gate(line.namespace, scope, name, rule.at_once, rule.rate, rule.revision))
    return tuple(sorted({one.id: one for one in found}.values(), key=lambda one: one.id))


def job_gates(job: Job, rules: Mapping[Place, LimitRule]) -> Iterator[Gate]:
    policy = job.spec.policy
    own = [limit for limit in policy.all_limits if not limit.key and not limit.name]
    if policy.blocking is not Blocking.QUEUE and not policy.key:
        # Its runs stand in one lane, which has the limit.
        own = []
    at_once = min((limit.at_once for limit in own if limit.at_once is not None), default=None)
    rate = policy.rate if policy.rate is not None and not policy.rate.key else None
    if at_once is not None or rate is not None:
        yield gate(job.namespace, Scope.JOB, job.name, at_once, rate, job.version)
    for limit in policy.all_limits:
        shared = rules.get((job.namespace, Scope.NAMED, limit.name))
        if limit.name and (shared is None or not shared.key):
            yield named_gate(job.namespace, limit, rules)


def named_gate(namespace: str, limit: Limit, rules: Mapping[Place, LimitRule]) -> Gate:
    """A named limit that is gone holds nothing back: the gate stays, and lets all pass."""
    rule = rules.get((namespace, Scope.NAMED, limit.name))
    if rule is None:
        return gate(namespace, Scope.NAMED, limit.name, None, None, 0)
    return gate(namespace, Scope.NAMED, limit.name, rule.at_once, rule.rate, rule.revision)


def gate_of_breaker(job: Job, breakers: Mapping[tuple[str, str], Breaker]) -> Gate:
    """A breaker that is not there holds nothing back."""
    name = job.spec.policy.breaker
    breaker = breakers.get((job.namespace, name))
    return gate(job.namespace, Scope.BREAKER, name, None, None, 0) if breaker is None else breaker_gate(breaker)


def breaker_gate(breaker: Breaker) -> Gate:
    """Open, it has no room; half open, room for its probes, once; in a wave, the rate of that."""
    if breaker.state is BreakerState.HALF_OPEN:
        return probe_gate(breaker)
    at_once = 0 if breaker.state.refuses else None
    waving = breaker.state is BreakerState.CLOSED and breaker.wave
    rate = Rate(f"{min(breaker.wave, RATE_MAX)}/s") if waving else None
    return gate(breaker.namespace, Scope.BREAKER, breaker.name, at_once, rate, breaker.revision)


def probe_gate(breaker: Breaker) -> Gate:
    """Room for as many attempts as there are probes, and no second time: a probe that has ended makes no room for another."""
    probes = breaker.spec.probes
    room = gate(breaker.namespace, Scope.BREAKER, breaker.name, probes, None, breaker.revision)
    return msgspec.structs.replace(room, gap=round(breaker.spec.probe_within * 1_000_000), burst=probes)


def gate(namespace: str, scope: Scope, name: str, at_once: int | None, rate: Rate | None, revision: int) -> Gate:
    bucket = None if rate is None else bucket_of(rate.of, rate.burst)
    return Gate(
        id=number_of(namespace, scope, name),
        namespace=namespace,
        scope=scope,
        name=name,
        at_once=at_once,
        gap=None if bucket is None else bucket.gap,
        burst=None if bucket is None else bucket.burst,
        revision=revision,
    )


def number_of(*parts: str) -> int:
    """The same on every server: the first 63 bits of a digest."""
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:8], "big") >> 1
