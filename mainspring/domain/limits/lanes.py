"""Lanes: the runs of one key, which stand under a limit, a rate or a share of their own."""

from collections.abc import Mapping

import msgspec

from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.bucket import Bucket, bucket_of
from mainspring.domain.limits.gates import Gate, LimitRule, Place, Scope, gate, number_of
from mainspring.domain.limits.policy import Blocking, Debounce, Limit, Policy, Rate
from mainspring.domain.limits.rules import place_of
from mainspring.domain.webhooks.json_path import parse_place, take
from mainspring.errors import InvalidInputError

KEY_MAX = 500
NONE = b"null"
FIRST, LAST = -1, 2**63 - 1
"""Numbers that are smaller and not smaller than that of any lane."""


class LaneRule(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for each key of a job, or of all jobs that share a limit by name."""

    gate: Gate
    """Its number and its rate, for each key; no line leads through it."""
    key: tuple[str, ...]
    """Places in the input; empty: all runs of the job stand in one lane."""
    fair: bool = False
    """Whether keys take turns by weight."""
    blocking: Blocking = Blocking.QUEUE
    executor: str = ""
    """Whose lane it is, if every executor has one."""
    debounce: Debounce | None = None
    throttle: Bucket | None = None

    @property
    def sifts(self) -> bool:
        """Whether not every run that comes is started."""
        return self.blocking is not Blocking.QUEUE or self.debounce is not None or self.throttle is not None


class Lane(msgspec.Struct, frozen=True):
    """The lane of one run."""

    id: int
    key: str


def lane_rule(job: Job | None, rules: Mapping[Place, LimitRule], executor: str = "") -> LaneRule | None:
    """The rule by which a job's runs stand in lanes; None: they stand in none. `executor`: the one that they are for."""
    if job is None:
        return None
    policy = job.spec.policy
    if policy.blocks_executors:
        made = lane_gate(job.namespace, Scope.JOB, job.name, policy.executor_limit, None, job.version)
        return LaneRule(gate=made, key=(), blocking=policy.blocking, executor=executor)
    fair = policy.fair is not None
    rate = policy.rate if policy.rate is not None and policy.rate.key else None
    for limit in policy.all_limits:
        shared = rules.get((job.namespace, Scope.NAMED, limit.name)) if limit.name else None
        if shared is not None and shared.key:
            return sifting(msgspec.structs.replace(shared_lanes(shared), fair=fair), policy)
    keyed = next((limit for limit in policy.all_limits if limit.key), None)
    sifts = policy.debounce is not None or policy.throttle is not None
    if keyed is None and rate is None and not fair and not sifts and not alone(policy):
        return None
    at_once = own_number(policy, keyed)
    made = lane_gate(job.namespace, Scope.JOB, job.name, at_once, rate, job.version)
    return sifting(LaneRule(gate=made, key=policy.key, fair=fair), policy)


def shared_lanes(rule: LimitRule) -> LaneRule:
    """The rule for each key of a limit that jobs share."""
    made = lane_gate(rule.namespace, Scope.NAMED, rule.name, rule.at_once, rule.rate, rule.revision)
    return LaneRule(gate=made, key=rule.key)


def sifting(rule: LaneRule, policy: Policy) -> LaneRule:
    """The rule with what decides whether runs that come are started at all."""
    throttle = None if policy.throttle is None else bucket_of(policy.throttle.of, policy.throttle.burst or 1)
    return msgspec.structs.replace(rule, blocking=policy.blocking, debounce=policy.debounce, throttle=throttle)


def alone(policy: Policy) -> bool:
    """Whether a limit without a key is kept by a lane, because runs that find it taken do not simply wait."""
    return policy.blocking is not Blocking.QUEUE and not policy.key


def own_number(policy: Policy, keyed: Limit | None) -> int | None:
    if keyed is not None:
        return keyed.at_once
    if not alone(policy):
        return None
    return min((limit.at_once for limit in policy.all_limits if limit.at_once is not None), default=None)


def lane_gate(namespace: str, scope: Scope, name: str, at_once: int | None, rate: Rate | None, revision: int) -> Gate:
    made = gate(namespace, scope, name, at_once, rate, revision)
    return msgspec.structs.replace(made, id=number_of("lanes", namespace, scope, name))


def lane_of(rule: LaneRule, arguments: bytes) -> Lane:
    """The lane of a run with these arguments; a part that they lack counts as null."""
    if rule.executor:
        return lane_named(rule, rule.executor)
    return lane_named(rule, key_of(rule.key, arguments))


def lane_named(rule: LaneRule, key: str) -> Lane:
    """The lane of a key as people write it."""
    return Lane(number_of(str(rule.gate.id), key), key)


def key_of(places: tuple[str, ...], arguments: bytes) -> str:
    """The values at these places as people read them: `42`, or `acme, 7`."""
    return ", ".join(shown(take(arguments, parse_place(place_of(place)))) for place in places)[:KEY_MAX]


def shown(value: bytes | None) -> str:
    if value is None or value == NONE:
        return "null"
    read = msgspec.json.decode(value)
    return read if isinstance(read, str) else value.decode()


def check_key(places: tuple[str, ...], arguments: bytes, field: str) -> None:
    """Raises InvalidInputError if the arguments have nothing at one of these places."""
    for place in places:
        if take(arguments, parse_place(place_of(place))) in (None, NONE):
            reason = f"has nothing at {place!r}, by which its {field} tells runs apart"
            raise InvalidInputError("input", reason, code="missing_key")
