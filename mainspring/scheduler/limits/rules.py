"""Limits that operators set: on a queue, on a namespace, or under a name that jobs share."""

from collections.abc import Callable, Mapping

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.limits.gates import GateState, LimitRule, Scope, number_of
from mainspring.domain.limits.lanes import LaneRule, lane_named, shared_lanes
from mainspring.domain.limits.releases import FIRST
from mainspring.domain.limits.rules import check_at_once, check_place, check_rate
from mainspring.domain.names import QUEUE_MAX, check_text
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.hints import ExchangeHints
from mainspring.store.interface import Store
from mainspring.store.interface.lanes import LaneState

KEYS_SHOWN = 500


class LimitOperations:
    """A limit counts here at once; other servers hear of it by a hint, or find it by their poll."""

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, hints: ExchangeHints) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints
        self.refuse_older: Callable[[str], None] = lambda _: None
        """Raises ConflictError while a live server is of an older release."""

    def get(self, namespace: str, scope: Scope, name: str) -> LimitRule:
        """Raises NotFoundError."""
        rule = self._catalog.limits.get((namespace, scope, name))
        if rule is None:
            known = [one.name for one in self.list(namespace) if one.scope is scope]
            raise NotFoundError("limit", name, f"no operator has set it{did_you_mean(name, known)}")
        return rule

    async def state(self, rule: LimitRule) -> GateState | None:
        """How much of it is taken; None if nothing leads through it."""
        gate = number_of(rule.namespace, rule.scope, rule.name)
        states = await self._store.limits.gate_states([gate], now=self._clock.now())
        return states[0] if states else None

    async def set(self, rule: LimitRule, *, actor: Actor) -> LimitRule:
        """Set or replace a limit; raises InvalidInputError."""
        check_rule(rule)
        self.refuse_older(FIRST)
        details = {"at_once": rule.at_once, "rate": None if rule.rate is None else rule.rate.of}
        made = await self._store.limits.set_rule(rule, entry=self._entry(rule, "limit.set", actor, details))
        self._catalog.put_limit(made, made.place)
        self._hints.add_all()
        return made

    async def delete(self, namespace: str, scope: Scope, name: str, *, actor: Actor) -> None:
        """Take a limit away; raises NotFoundError, and ConflictError while jobs name it."""
        rule = self.get(namespace, scope, name)
        users = self._users(rule)
        if users:
            raise ConflictError("limit", name, f"is named by the jobs {', '.join(users[:5])}: change those first")
        entry = self._entry(rule, "limit.delete", actor, {})
        await self._store.limits.delete_rule(namespace, scope, name, entry=entry)
        self._catalog.put_limit(None, rule.place)
        self._hints.add_all()

    async def keys(self, namespace: str, scope: Scope, name: str) -> list[LaneState]:
        """Keys of a job, or of a limit that jobs share; raises NotFoundError if it has none."""
        rule = self._lane_rule(namespace, scope, name)
        return await self._store.lanes.states(rule.gate.id, limit=KEYS_SHOWN)

    async def set_key(
        self, namespace: str, scope: Scope, name: str, key: str, *, at_once: int | None, weight: float, actor: Actor
    ) -> LaneState:
        """Give one key a number and a weight of its own."""
        rule = self._lane_rule(namespace, scope, name)
        check_at_once(at_once, "at_once")
        lane = lane_named(rule, key)
        details = {"key": key, "at_once": at_once, "weight": weight}
        place = LimitRule(namespace=namespace, scope=scope, name=name)
        entry = self._entry(place, "limit.key", actor, details)
        await self._store.lanes.set_key(rule, lane, at_once=at_once, weight=weight, entry=entry)
        self._hints.add_all()
        self._catalog.wake.set()
        [state] = await self._store.lanes.states(rule.gate.id, limit=1, lane=lane.id)
        return state

    def _lane_rule(self, namespace: str, scope: Scope, name: str) -> LaneRule:
        for job in self._catalog.jobs.values():
            rule = self._catalog.lane_rule(job) if job.namespace == namespace else None
            if rule is not None and (rule.gate.scope, rule.gate.name) == (scope, name):
                return rule
        shared = self._catalog.limits.get((namespace, scope, name))
        if shared is not None and shared.key:
            # No job names it yet.
            return shared_lanes(shared)
        raise NotFoundError("key", name, f"no job has a key by this {scope}")

    def _users(self, rule: LimitRule) -> list[str]:
        jobs = [job for job in self._catalog.jobs.values() if job.namespace == rule.namespace]
        return [job.name for job in jobs if any(limit.name == rule.name for limit in job.spec.policy.limits)]

    def _entry(self, rule: LimitRule, act: str, actor: Actor, details: Mapping[str, object]) -> AuditEntry:
        return audit_entry(
            act, rule.scope.value, rule.name, details, namespace=rule.namespace, actor=actor, at=self._clock.now()
        )

    # Last in the class: after it, `list` names this method.
    def list(self, namespace: str) -> list[LimitRule]:
        """Every limit of the namespace, by scope and name."""
        mine = [rule for rule in self._catalog.limits.values() if rule.namespace == namespace]
        return sorted(mine, key=lambda rule: (rule.scope, rule.name))


def check_rule(rule: LimitRule) -> None:
    """Raises InvalidInputError."""
    check_text(rule.name, "name", most=QUEUE_MAX, code="bad_limit")
    if rule.at_once is None and rule.rate is None:
        raise InvalidInputError("at_once", "say how many at once, a rate, or both", code="bad_at_once")
    check_at_once(rule.at_once, "at_once")
    if rule.rate is not None:
        check_rate(rule.rate.of, rule.rate.burst, "rate")
    if rule.key and rule.scope is not Scope.NAMED:
        raise InvalidInputError("key", f"a limit of a {rule.scope} has none", code="incompatible")
    for place in rule.key:
        check_place(place, "key", b"{}")
