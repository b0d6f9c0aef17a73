"""Checks of the part of a policy that says where runs go."""

from collections.abc import Mapping

from mainspring.domain.amounts import AMOUNT_MAX, EXAMPLES
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import ALL, ANY, Policy
from mainspring.domain.names import QUEUE_MAX, check_text
from mainspring.domain.routing.requirement import check_preferences, check_requirements, unmet
from mainspring.domain.routing.resources import SLOTS
from mainspring.domain.routing.route import OnAbsent, Route, Strategy
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

NAMES_MAX = 100
PATIENCE_MAX = 86_400.0
USES_MAX = 20
SLICES_MAX = 10_000
RUNS_MAX = 100_000
"""Runs that a canary is judged by at least."""


def check_placing(policy: Policy) -> None:
    """Raises InvalidInputError, with the field and the reason."""
    check_route(policy.route)
    check_requirements(policy.requires, "policy.requires")
    if policy.runs_on:
        check_requirements([f"code {policy.runs_on}"], "policy.runs_on")
    check_preferences(policy.prefers, "policy.prefers")
    check_uses(policy.uses)
    check_canary(policy)


def check_route(route: Route) -> None:
    if route.strategy not in set(Strategy):
        reason = f"{route.strategy!r} is no strategy{did_you_mean(str(route.strategy), list(Strategy))}"
        raise refused("route.strategy", reason, "bad_route")
    if route.on_absent is not None and route.on_absent not in set(OnAbsent):
        reason = f"{route.on_absent!r} is none of {', '.join(OnAbsent)}"
        raise refused("route.on_absent", reason, "bad_route")
    named = route.strategy in (Strategy.FIXED, Strategy.FAILOVER)
    if named != bool(route.executors):
        reason = f"{route.strategy} needs the names of executors" if named else "only fixed and failover name executors"
        raise refused("route.executors", reason, "bad_route")
    if len(route.executors) > NAMES_MAX:
        raise refused("route.executors", f"{len(route.executors)} are more than {NAMES_MAX}", "bad_route")
    if not 0 <= route.patience <= PATIENCE_MAX:
        raise refused("route.patience", f"{route.patience} is outside 0 to {PATIENCE_MAX:.0f} seconds", "bad_route")
    if route.strategy is Strategy.BROADCAST and route.on_absent is OnAbsent.REROUTE:
        raise refused("route.on_absent", "a child of a broadcast is for its executor and no other", "incompatible")
    if (route.strategy is Strategy.HASH) != bool(route.key):
        reason = "hash needs a key" if route.strategy is Strategy.HASH else "only hash has a key"
        raise refused("route.key", reason, "bad_route")


def check_canary(policy: Policy) -> None:
    canary = policy.canary
    if canary is None:
        return
    check_text(canary.version, "policy.canary.version", most=QUEUE_MAX, code="bad_canary")
    if not 0 <= canary.share < 1:
        raise refused("canary.share", f"{canary.share} is not at least 0 and less than 1", "bad_canary")
    if canary.stop_above is not None and not 0 <= canary.stop_above < 1:
        raise refused("canary.stop_above", f"{canary.stop_above} is not at least 0 and less than 1", "bad_canary")
    if not 1 <= canary.min_runs <= RUNS_MAX:
        raise refused("canary.min_runs", f"{canary.min_runs} is outside 1 to {RUNS_MAX}", "bad_canary")
    if policy.route.strategy not in (Strategy.ANY, Strategy.LEAST_LOADED):
        raise refused("canary", f"{policy.route.strategy} names executors, whatever their version", "incompatible")
    if policy.runs_on and unmet([f"code {policy.runs_on}"], {"code": canary.version}):
        raise refused(
            "canary.version", f"{canary.version} is not {policy.runs_on}, which runs_on asks for", "incompatible"
        )


def check_uses(uses: Mapping[str, float | str]) -> None:
    if len(uses) > USES_MAX:
        raise refused("uses", f"{len(uses)} resources are more than {USES_MAX}", "bad_uses")
    for name, amount in uses.items():
        check_text(name, "policy.uses", most=QUEUE_MAX, code="bad_uses")
        if isinstance(amount, str):
            raise refused(f"uses.{name}", f"{amount!r} is no amount, such as {EXAMPLES}", "bad_uses")
        if not 0 < amount <= AMOUNT_MAX:
            raise refused(f"uses.{name}", f"{amount} is not more than 0 and at most {AMOUNT_MAX:.0e}", "bad_uses")
        if name == SLOTS and amount != int(amount):
            raise refused(f"uses.{name}", f"{amount} is no whole number", "bad_uses")


def check_spread(spec: JobSpec) -> None:
    """Refuse slices and broadcasts that cannot be."""
    policy = spec.policy
    if policy.spreads and spec.workflow:
        raise refused("slices", "a job that other jobs follow, or that has steps, is not spread", "incompatible")
    if policy.slices is not None:
        if not 1 <= policy.slices <= SLICES_MAX:
            raise refused("slices", f"{policy.slices} is outside 1 to {SLICES_MAX}", "bad_slices")
        if policy.route.strategy in (Strategy.FIXED, Strategy.BROADCAST):
            raise refused("slices", f"a run is sliced or {policy.route.strategy}, not both", "incompatible")
    by = policy.settle_by
    if isinstance(by, str) and by not in (ALL, ANY):
        raise refused(
            "settle_by", f"{by!r} is none of all, any or a number{did_you_mean(by, (ALL, ANY))}", "bad_settle_by"
        )
    if isinstance(by, int) and not 1 <= by <= (policy.slices or SLICES_MAX):
        raise refused("settle_by", f"{by} is outside 1 to {policy.slices or SLICES_MAX}", "bad_settle_by")
    if by != ALL and not policy.spreads:
        raise refused("settle_by", "needs slices or a broadcast: the run has no children", "incompatible")


def refused(field: str, reason: str, code: str) -> InvalidInputError:
    return InvalidInputError(f"policy.{field}", reason, code=code)
