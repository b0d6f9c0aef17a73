"""Lines are put into groups: those that the same pools serve by the same rules."""

from collections.abc import Iterable

from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.lanes import LaneRule
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.policy import Urgency, urgency_of
from mainspring.domain.routing.fit import fits
from mainspring.domain.routing.order import ANY_ORDER, Order
from mainspring.domain.routing.resources import Needs, needs_of
from mainspring.domain.routing.route import Strategy
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.claim_groups import LineGroup, Share
from mainspring.scheduler.dispatch.take_turns import Weights
from mainspring.scheduler.sessions.connection import ExecutorConnection, PoolCredit


class LineRules:
    """What is known of lines when they are grouped."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        self._catalog = catalog
        self._weights = None if catalog is None else Weights(catalog.rules, catalog.jobs.values())

    def asks_for(self, line: Line) -> bool:
        return self._catalog is None or self._catalog.asks_for(line)

    def gates(self, line: Line) -> tuple[int, ...]:
        return () if self._catalog is None else tuple(gate.id for gate in self._catalog.gates(line))

    def lanes(self, line: Line) -> LaneRule | None:
        return None if self._catalog is None else self._catalog.lane_rule_of(line)

    def needs(self, line: Line) -> Needs | None:
        return needs_of(self.job(line))

    def order(self, line: Line) -> Order:
        job = self.job(line)
        if job is None:
            return ANY_ORDER
        policy = job.spec.policy
        return Order(policy.prefers, policy.route.strategy is Strategy.LEAST_LOADED)

    def urgency(self, line: Line) -> Urgency | None:
        rule = None if self._catalog is None else self._catalog.rules.get((line.namespace, line.queue))
        return None if rule is None else urgency_of(rule.policy)

    def shares(self, line: Line) -> tuple[Share, ...]:
        return () if self._weights is None else self._weights.shares(line)

    def job(self, line: Line) -> Job | None:
        return None if self._catalog is None else self._catalog.job_of(line)


def group_lines(attached: Iterable[ExecutorConnection], lines: dict[int, Line], rules: LineRules) -> list[LineGroup]:
    """Group lines by the pools that serve them, their gates, the rule of their lanes, their needs, and the orders of both.

    Lines that are not asked for, or that no attached executor serves, are left out.
    """
    executors = list(attached)
    groups: dict[tuple[object, ...], LineGroup] = {}
    for number, line in lines.items():
        if not rules.asks_for(line):
            continue
        pools = serving_pools(executors, line, rules.job(line))
        if pools:
            how = rules.gates(line), rules.lanes(line), rules.needs(line), rules.order(line), rules.urgency(line)
            parts = *how, rules.shares(line)
            key = tuple(id(credit) for credit in pools), *parts
            groups.setdefault(key, LineGroup([], pools, *parts)).lines.append(number)
    return list(groups.values())


def serving_pools(executors: Iterable[ExecutorConnection], line: Line, job: Job | None) -> list[PoolCredit]:
    """The pools that may take runs of a line."""
    fitting = (one for one in executors if fits(one.session, line, job))
    return [credit for one in fitting if (credit := one.credit_for(line.handler)) is not None]
