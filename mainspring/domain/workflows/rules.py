"""When a step begins: rules over the states of its parents, with three values.

An unfinished parent is unknown, and `and`, `or`, `not` are Kleene's. So a verdict never changes once it is given, and the
steps that run do not depend on the order in which their parents end.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from mainspring.domain.suggest import did_you_mean
from mainspring.domain.workflows.flow import CANCELLED, FAILED, SKIPPED, SUCCEEDED
from mainspring.errors import InvalidInputError

Verdict = bool | None
"""True: begin; False: skip; None: not decided yet."""
Rule = Callable[[bytes], Verdict]
"""Of the bare states of all steps."""


class ParentCounts(NamedTuple):
    """How many parents ended in which way; a cancelled one has failed."""

    succeeded: int
    failed: int
    skipped: int
    unfinished: int


Counting = Callable[[ParentCounts], Verdict]

FINAL_STATES = {"succeeded": SUCCEEDED, "failed": FAILED, "cancelled": CANCELLED, "skipped": SKIPPED}
DEPTH_MAX = 20


def all_succeeded(ended: ParentCounts) -> Verdict:
    if ended.failed or ended.skipped:
        return False
    return None if ended.unfinished else True


def all_done(ended: ParentCounts) -> Verdict:
    return None if ended.unfinished else True


def any_succeeded(ended: ParentCounts) -> Verdict:
    return True if ended.succeeded else None if ended.unfinished else False


def any_failed(ended: ParentCounts) -> Verdict:
    return True if ended.failed else None if ended.unfinished else False


def none_failed(ended: ParentCounts) -> Verdict:
    if ended.failed:
        return False
    return None if ended.unfinished else ended.succeeded > 0


def none_failed_or_default(ended: ParentCounts) -> Verdict:
    """Of alternatives with a default."""
    if ended.failed:
        return False
    return None if ended.unfinished else True


USUAL: dict[str, Counting] = {
    rule.__name__: rule for rule in (all_succeeded, all_done, any_succeeded, any_failed, none_failed)
}
EARLY = frozenset({"any_succeeded", "any_failed"})
"""Rules that may begin a step before all its parents have ended; so does any expression."""


def counting(rule: Counting, parents: tuple[int, ...]) -> Rule:
    """A rule over how many of these parents ended in which way."""
    if len(parents) == 1:
        [parent] = parents
        failed = rule(ParentCounts(0, 1, 0, 0))
        verdicts = {
            SUCCEEDED: rule(ParentCounts(1, 0, 0, 0)),
            FAILED: failed,
            CANCELLED: failed,
            SKIPPED: rule(ParentCounts(0, 0, 1, 0)),
        }
        early = rule(ParentCounts(0, 0, 0, 1))
        return lambda states: verdicts.get(states[parent], early)

    def verdict(states: bytes) -> Verdict:
        mine = bytes([states[parent] for parent in parents])
        succeeded, skipped = mine.count(SUCCEEDED), mine.count(SKIPPED)
        failed = mine.count(FAILED) + mine.count(CANCELLED)
        return rule(ParentCounts(succeeded, failed, skipped, len(mine) - succeeded - failed - skipped))

    return verdict


def both(rules: Iterable[Rule]) -> Rule:
    """Kleene's `and`."""
    each = tuple(rules)
    if len(each) == 1:
        return each[0]
    return lambda states: conjunction(rule(states) for rule in each)


def conjunction(verdicts: Iterable[Verdict]) -> Verdict:
    given = list(verdicts)
    if False in given:
        return False
    return None if None in given else True


def disjunction(verdicts: Iterable[Verdict]) -> Verdict:
    given = list(verdicts)
    if True in given:
        return True
    return None if None in given else False


def expression(body: Any, steps: Mapping[str, int], field: str, depth: int = 0) -> Rule:
    """A rule as it is written, compiled; raises InvalidInputError."""
    if not isinstance(body, dict) or len(body) != 1 or depth > DEPTH_MAX:
        reason = "is not an expression such as {charge: failed} or {any: […]}, nested at most 20 deep"
        raise InvalidInputError(field, reason, code="bad_rule")
    [(name, inner)] = body.items()
    if name == "not":
        rule = expression(inner, steps, f"{field}.not", depth + 1)
        return lambda states: None if (verdict := rule(states)) is None else not verdict
    if name in ("any", "all"):
        if not isinstance(inner, list) or not inner:
            raise InvalidInputError(f"{field}.{name}", "is not a list of expressions", code="bad_rule")
        each = [expression(one, steps, f"{field}.{name}[{at}]", depth + 1) for at, one in enumerate(inner)]
        join = disjunction if name == "any" else conjunction
        return lambda states: join(rule(states) for rule in each)
    return state_is(name, inner, steps, field)


def state_is(name: str, wanted: Any, steps: Mapping[str, int], field: str) -> Rule:
    if name not in steps:
        raise InvalidInputError(field, f"there is no step {name}{did_you_mean(name, steps)}", code="unknown_step")
    words = wanted if isinstance(wanted, list) else [wanted]
    for word in words:
        if word not in FINAL_STATES:
            known = ", ".join(FINAL_STATES)
            raise InvalidInputError(f"{field}.{name}", f"{word!r} is not one of {known}", code="bad_rule")
    step, states = steps[name], frozenset(FINAL_STATES[word] for word in words)
    return lambda present: None if present[step] < SUCCEEDED else present[step] in states


def named_in(body: Any) -> list[str]:
    """The steps that an expression names."""
    if isinstance(body, list):
        return [name for one in body for name in named_in(one)]
    if not isinstance(body, dict):
        return []
    return [
        name for key, inner in body.items() for name in (named_in(inner) if key in ("any", "all", "not") else [key])
    ]
