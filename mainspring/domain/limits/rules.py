"""Checks of a policy, and of policies together: one rule for code, executors and operators."""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.bucket import BURST_MAX, RATE_MAX, parse_rate
from mainspring.domain.limits.policy import USUAL, Blocking, Limit, Policy
from mainspring.domain.names import QUEUE_MAX, check_text
from mainspring.domain.queues.policy import check_weight
from mainspring.domain.routing.canary import VERSION
from mainspring.domain.routing.route import Route, Strategy
from mainspring.domain.routing.rules import check_placing, check_route, check_spread, refused
from mainspring.domain.suggest import did_you_mean
from mainspring.domain.webhooks.json_path import parse_place
from mainspring.errors import InvalidInputError

AT_ONCE_MAX = 1_000_000
LIMITS_MAX = 20
KEYS_MAX = 5
DEBOUNCE_MAX = 86_400.0


def check_policy(spec: JobSpec) -> None:
    """Raises InvalidInputError, with the field and the reason."""
    policy = spec.policy
    if policy == USUAL:
        return
    check_numbers(policy)
    check_weight(policy.weight, "policy.weight")
    check_rates(policy)
    check_keys(policy, spec.schema)
    check_together(policy)
    check_placing(policy)
    check_spread(spec)
    if policy.breaker:
        check_text(policy.breaker, "policy.breaker", most=QUEUE_MAX, code="bad_breaker")
    if policy.stop_when_open and not policy.breaker:
        raise refused("stop_when_open", "needs a breaker: nothing would open", "incompatible")
    if policy.blackout:
        check_text(policy.blackout, "policy.blackout", most=QUEUE_MAX, code="bad_blackout")


def check_numbers(policy: Policy) -> None:
    check_at_once(policy.at_once, "policy.at_once")
    check_at_once(policy.executor_limit, "policy.executor_limit")
    if len(policy.limits) > LIMITS_MAX:
        raise refused("limits", f"{len(policy.limits)} are more than {LIMITS_MAX}", "bad_limits")
    for position, limit in enumerate(policy.limits):
        field = f"limits[{position}]"
        check_at_once(limit.at_once, f"policy.{field}.at_once")
        if limit.name:
            check_text(limit.name, f"policy.{field}.name", most=QUEUE_MAX, code="bad_limit")
            if limit.at_once is not None or limit.key:
                raise refused(
                    field, "a limit that is named has its number and its key where it is defined", "incompatible"
                )
        elif limit.at_once is None:
            raise refused(f"{field}.at_once", "is missing: say how many, or name a limit", "bad_at_once")
    if policy.debounce is not None:
        check_period(policy.debounce.period, "debounce.period")
        if policy.debounce.at_most is not None:
            check_period(policy.debounce.at_most, "debounce.at_most")


def check_at_once(number: int | None, field: str) -> None:
    if number is not None and not 1 <= number <= AT_ONCE_MAX:
        raise InvalidInputError(field, f"{number} is outside 1 to {AT_ONCE_MAX}", code="bad_at_once")


def check_period(seconds: Any, field: str) -> None:
    if not isinstance(seconds, int | float) or not 0 < seconds <= DEBOUNCE_MAX:
        reason = f"{seconds} is not more than 0 and at most {DEBOUNCE_MAX:.0f} seconds"
        raise refused(field, reason, "bad_debounce")


def check_rates(policy: Policy) -> None:
    for field, rate in (("rate", policy.rate), ("throttle", policy.throttle)):
        if rate is not None:
            check_rate(rate.of, rate.burst, f"policy.{field}")


def check_rate(text: str, burst: int | None, field: str) -> None:
    parsed = parse_rate(text)
    code = f"bad_{field.rpartition('.')[2]}"
    if parsed is None:
        raise InvalidInputError(f"{field}.of", f"{text!r} is no rate, such as 100/s, 30/m or 500/10m", code=code)
    count, seconds = parsed
    if count > RATE_MAX * seconds:
        raise InvalidInputError(f"{field}.of", f"is more than {RATE_MAX} a second", code=code)
    if burst is not None and not 1 <= burst <= BURST_MAX:
        raise InvalidInputError(f"{field}.burst", f"{burst} is outside 1 to {BURST_MAX}", code=code)


def check_keys(policy: Policy, schema: bytes) -> None:
    if policy.limit_key and policy.at_once is None and policy.rate is None:
        raise refused("limit_key", "needs at_once or a rate", "incompatible")
    for field, key in keys_of(policy).items():
        if len(key) > KEYS_MAX:
            raise refused(field, f"{len(key)} places are more than {KEYS_MAX}", "bad_key")
        for place in key:
            check_place(place, f"policy.{field}", schema)


def keys_of(policy: Policy) -> dict[str, tuple[str, ...]]:
    """Every key of a policy by the field that names it."""
    parts = {
        "limit_key": policy.limit_key,
        **{f"limits[{position}].key": limit.key for position, limit in enumerate(policy.limits)},
        "rate.key": policy.rate.key if policy.rate is not None else (),
        "debounce.key": policy.debounce.key if policy.debounce is not None else (),
        "throttle.key": policy.throttle.key if policy.throttle is not None else (),
        "fair.key": policy.fair.key if policy.fair is not None else (),
        "route.key": policy.route.key,
    }
    return {field: key for field, key in parts.items() if key}


def check_place(text: str, field: str, schema: bytes) -> None:
    """Refuse a place that the schema says is not there, or holds an object or a list."""
    steps = parse_place(place_of(text), field)
    part: Any = msgspec.json.decode(schema)
    for step in steps:
        if not isinstance(part, Mapping) or "properties" not in part:
            return
        known = part["properties"]
        if step not in known:
            if part.get("additionalProperties") is False:
                reason = f"{text!r} is no part of the job's input{did_you_mean(str(step), known)}"
                raise InvalidInputError(field, reason, code="bad_key")
            return
        part = known[step]
    if isinstance(part, Mapping) and part.get("type") in ("object", "array"):
        raise InvalidInputError(field, f"{text!r} is an {part['type']}: a key is a text or a number", code="bad_key")


def place_of(key: str) -> str:
    """A key as a place in a document: `customer` is short for `$.customer`."""
    return key if key.startswith("$") else f"$.{key}"


def check_together(policy: Policy) -> None:
    """Refuse policies that cannot work together."""
    keyed = [limit for limit in policy.all_limits if limit.key]
    if len(keyed) > 1:
        raise refused("limits", "a job has one limit with a key; several places may make that key", "incompatible")
    own = keyed[0].key if keyed else policy.key
    parts = {"rate": policy.rate, "fair": policy.fair, "debounce": policy.debounce, "throttle": policy.throttle}
    for field, part in parts.items():
        if part is not None and part.key and part.key != own:
            raise refused(
                field, "has another key than the job's other policies: a run stands in one lane", "incompatible"
            )
    if policy.throttle is not None and policy.rate is not None and policy.rate.key:
        raise refused("throttle", "excludes a rate with a key: both would draw from one bucket", "incompatible")
    if policy.spreads and (policy.throttle is not None or policy.debounce is not None):
        raise refused("throttle" if policy.throttle else "debounce", "would drop children of a run", "incompatible")
    check_blocking(policy)


def check_blocking(policy: Policy) -> None:
    if policy.blocking is Blocking.QUEUE:
        return
    if policy.blocks_executors:
        check_blocking_executors(policy)
        return
    own = [limit for limit in policy.all_limits if not limit.name]
    if not own:
        raise refused("blocking", f"{policy.blocking} needs a limit of the job: nothing would block", "incompatible")
    if policy.blocking is Blocking.REPLACE and any(limit.at_once != 1 for limit in own):
        raise refused("blocking", "replace needs at_once=1: it would cancel more than it replaces", "incompatible")
    if policy.blocking is Blocking.REPLACE and policy.debounce is not None:
        raise refused("blocking", "replace and debounce exclude each other", "incompatible")
    if policy.spreads:
        raise refused("blocking", f"{policy.blocking} would drop children that a run promises", "incompatible")


def check_blocking_executors(policy: Policy) -> None:
    """The same for a policy that is about the runs of each executor."""
    if policy.spreads:
        raise refused("blocking", f"{policy.blocking} would drop children that a run promises", "incompatible")
    if not policy.route.addressed:
        reason = (
            f"{policy.blocking} on each executor needs a route that gives every run its executor, such as round_robin"
        )
        raise refused("blocking", reason, "incompatible")
    if policy.blocking is Blocking.REPLACE and policy.executor_limit != 1:
        raise refused(
            "blocking", "replace needs executor_limit=1: it would cancel more than it replaces", "incompatible"
        )
    if policy.key or policy.debounce is not None or policy.throttle is not None:
        reason = "on each executor, it excludes keys, debounce and throttle: a run stands in one lane"
        raise refused("blocking", reason, "incompatible")


def check_own_route(route: Route, schema: bytes) -> None:
    """Refuse a route that no single run can have."""
    try:
        check_route(route)
    except InvalidInputError as error:
        raise InvalidInputError(error.field.removeprefix("policy."), error.reason, code=error.code) from None
    if route.strategy is Strategy.BROADCAST:
        reason = "a broadcast is the route of a job, each of whose runs has children"
        raise InvalidInputError("route.strategy", reason, code="incompatible")
    if any(name.startswith(VERSION) for name in route.executors):
        reason = f"no executor has a name that begins with {VERSION}, as versions do"
        raise InvalidInputError("route.executors", reason, code="bad_route")
    for place in route.key:
        check_place(place, "route.key", schema)


def check_named(limits: tuple[Limit, ...], known: Collection[str]) -> None:
    """Refuse limits that no operator has defined."""
    for position, limit in enumerate(limits):
        if limit.name and limit.name not in known:
            reason = f"no limit is called {limit.name!r}{did_you_mean(limit.name, known)}"
            raise refused(f"limits[{position}].name", reason, "unknown_limit")


def check_known_breaker(name: str, known: Collection[str]) -> None:
    """Refuse a breaker that is not defined."""
    if name and name not in known:
        raise refused("breaker", f"no breaker is called {name!r}{did_you_mean(name, known)}", "unknown_breaker")
