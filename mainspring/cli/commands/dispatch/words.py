"""The words of a file of queues, limits, shares and breakers: `10m`, `50%`, `80% over 2s`, `10s..10m`."""

import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from mainspring.contract.breakers import BreakerBody
from mainspring.domain.breakers.spec import BreakerSpec, check_breaker
from mainspring.domain.lengths import EXAMPLES, read_length
from mainspring.domain.limits.policy import as_keys
from mainspring.domain.limits.rules import check_at_once, check_rate
from mainspring.domain.queues.policy import WEIGHT_MAX, WEIGHT_MIN, QueuePolicy, check_queue_policy
from mainspring.domain.queues.queue import BUDGET_MAX
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

SLOW = re.compile(r"(\S+) over (\S+)")
LENGTHS = ("ageing", "hurry", "late_after")
TIMES = ("slow_after", "window", "wait", "wait_max", "probe_within")
SHARES = ("failures", "slow")
OF_QUEUES = ("limit", "rate", "burst", "budget", *QueuePolicy.__struct_fields__)
OF_LIMITS = ("at_once", "max", "rate", "burst", "key", "of")


class QueueRules(msgspec.Struct, frozen=True, kw_only=True):
    """All that a file says of a queue."""

    limit: int | None = None
    rate: str | None = None
    burst: int | None = None
    budget: int | None = None
    policy: dict[str, Any] = {}


class SharedLimit(msgspec.Struct, frozen=True, kw_only=True):
    """A limit that jobs share, and the keys that have numbers of their own."""

    at_once: int | None = None
    rate: str | None = None
    burst: int | None = None
    key: tuple[str, ...] = ()
    of: dict[str, int] = {}


def read_queue(fields: Mapping[str, Any]) -> QueueRules:
    """Raises InvalidInputError, as do the others."""
    refuse_unknown(fields, OF_QUEUES)
    policy = {name: value for name, value in fields.items() if name in QueuePolicy.__struct_fields__}
    policy |= {name: seconds(policy[name], name) for name in LENGTHS if name in policy}
    rules = QueueRules(
        limit=number(fields, "limit"),
        rate=fields.get("rate"),
        burst=number(fields, "burst"),
        budget=number(fields, "budget"),
        policy=msgspec.to_builtins(check_queue_policy(converted(policy, QueuePolicy))),
    )
    check_numbers(rules.limit, rules.rate, rules.burst, "limit")
    if rules.budget is not None and not 0 <= rules.budget <= BUDGET_MAX:
        raise InvalidInputError("budget", f"is 0 to {BUDGET_MAX}, or left out", code="bad_budget")
    return rules


def read_limit(fields: Mapping[str, Any]) -> SharedLimit:
    refuse_unknown(fields, OF_LIMITS)
    if "at_once" in fields and "max" in fields:
        raise bad("max", "is an alias of at_once: give one of them")
    keys = fields.get("of", {})
    limit = SharedLimit(
        at_once=number(fields, "at_once") if "at_once" in fields else number(fields, "max"),
        rate=fields.get("rate"),
        burst=number(fields, "burst"),
        key=as_keys(fields.get("key", ())),
        of={str(key): number(keys, key) or 0 for key in named(keys, "of")},
    )
    if limit.at_once is None and limit.rate is None:
        raise bad("at_once", "is missing: say how many, or a rate")
    check_numbers(limit.at_once, limit.rate, limit.burst, "at_once")
    for key, most in limit.of.items():
        check_at_once(most, f"of.{key}")
    if limit.of and not limit.key:
        raise bad("of", "needs a key, whose values it names")
    return limit


def read_shares(fields: Mapping[str, Any]) -> dict[str, float]:
    """Weights by the values of a job's key."""
    for key, weight in named(fields, "shares").items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not WEIGHT_MIN <= weight <= WEIGHT_MAX:
            raise InvalidInputError(
                str(key), f"{weight} is no weight from {WEIGHT_MIN:g} to {WEIGHT_MAX:g}", code="bad_weight"
            )
    return {str(key): float(weight) for key, weight in fields.items()}


def read_breaker(fields: Mapping[str, Any]) -> BreakerBody:
    refuse_unknown(fields, BreakerBody.__struct_fields__)
    rule = dict(fields)
    if isinstance(slow := rule.get("slow"), str) and (found := SLOW.fullmatch(slow)) is not None:
        rule |= {"slow": found[1], "slow_after": found[2]}
    if isinstance(wait := rule.get("wait"), str) and ".." in wait:
        rule["wait"], _, rule["wait_max"] = wait.partition("..")
    rule |= {name: seconds(rule[name], name) for name in TIMES if name in rule}
    rule |= {name: share(rule[name], name) for name in SHARES if name in rule}
    check_breaker("breaker", converted(rule, BreakerSpec))
    body: BreakerBody = converted(rule, BreakerBody)
    return body


def check_numbers(at_once: int | None, rate: Any, burst: int | None, field: str) -> None:
    check_at_once(at_once, field)
    if rate is not None and not isinstance(rate, str):
        raise InvalidInputError("rate", f"{rate!r} is no rate, such as 100/s", code="bad_rate")
    if rate is not None:
        check_rate(rate, burst, "rate")
    elif burst is not None:
        raise bad("burst", "needs a rate")


def refuse_unknown(fields: Mapping[str, Any], known: Collection[str]) -> None:
    for name in named(fields, "it"):
        if name not in known:
            raise InvalidInputError(name, f"is not known{did_you_mean(name, known)}", code="unknown_field")


def named(fields: Any, field: str) -> Mapping[str, Any]:
    if not isinstance(fields, Mapping):
        raise bad(field, "is not a mapping of names to values")
    return fields


def number(fields: Mapping[str, Any], name: str) -> int | None:
    found = fields.get(name)
    if found is not None and (isinstance(found, bool) or not isinstance(found, int)):
        raise InvalidInputError(name, f"{found!r} is no whole number", code=f"bad_{name}")
    return found


def seconds(said: Any, field: str) -> float | None:
    found = read_length(said) if isinstance(said, str) else said
    if said is not None and (found is None or isinstance(found, bool) or not isinstance(found, int | float)):
        raise InvalidInputError(field, f"{said!r} is no length of time, such as {EXAMPLES}", code=f"bad_{field}")
    return None if found is None else float(found)


def share(said: Any, field: str) -> float:
    text = str(said)
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise InvalidInputError(field, f"{text!r} is no share, such as 50% or 0.5", code="bad_breaker") from None


def converted(fields: Mapping[str, Any], kind: type[Any]) -> Any:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        raise bad(path.rstrip("`").partition("[")[0] or "it", reason) from None


def bad(field: str, reason: str) -> InvalidInputError:
    return InvalidInputError(field, reason, code="incompatible")
