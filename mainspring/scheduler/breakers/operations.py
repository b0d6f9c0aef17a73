"""What operators do with breakers."""

from collections.abc import Callable, Mapping

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.breakers.breaker import Breaker, BreakerState, BreakerTransition, reset, resumed, steered
from mainspring.domain.breakers.spec import BreakerSpec, check_breaker
from mainspring.domain.breakers.window import WindowCounts, tally, window_start
from mainspring.domain.limits.releases import FIRST
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import ConflictError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.operations.queues import check_reason
from mainspring.store.interface import Store

Steer = Callable[[Breaker], Breaker | None]


class BreakerOperations:
    """A word counts here at once; other servers hear of it by a hint, or find it by their poll."""

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, hints: ExchangeHints) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints
        self.refuse_older: Callable[[str], None] = lambda _: None
        """Raises ConflictError while a live server is of an older release."""

    async def get(self, namespace: str, name: str) -> Breaker:
        """Raises NotFoundError."""
        if (namespace, name) not in self._catalog.breakers:
            await self._catalog.refresh()
        breaker = self._catalog.breakers.get((namespace, name))
        if breaker is None:
            raise self._missing(namespace, name)
        return breaker

    async def counted(self, breaker: Breaker) -> WindowCounts:
        """What the calls in its window come to."""
        now = self._clock.now()
        calls = await self._store.breakers.calls(breaker.id, breaker.epoch, since=window_start(breaker.spec, now))
        return tally(breaker.spec, calls, now=now)

    async def changes(self, breaker: Breaker, *, limit: int) -> list[BreakerTransition]:
        return await self._store.breakers.changes(breaker.id, limit=limit)

    async def set(self, namespace: str, name: str, spec: BreakerSpec, *, actor: Actor) -> Breaker:
        """Make a breaker, or give it another rule; raises InvalidInputError."""
        check_breaker(name, spec)
        self.refuse_older(FIRST)
        entry = self._entry(namespace, name, "breaker.set", actor, msgspec.to_builtins(spec))
        return self._put(await self._store.breakers.set(namespace, name, spec, entry=entry))

    async def delete(self, namespace: str, name: str, *, actor: Actor) -> None:
        """Raises NotFoundError, and ConflictError while jobs name it."""
        jobs = [job for job in self._catalog.jobs.values() if job.namespace == namespace]
        users = [job.name for job in jobs if job.spec.policy.breaker == name]
        if users:
            raise ConflictError("breaker", name, f"is named by the jobs {', '.join(users[:5])}: change those first")
        entry = self._entry(namespace, name, "breaker.delete", actor, {})
        if not await self._store.breakers.delete(namespace, name, entry=entry):
            raise self._missing(namespace, name)
        self._catalog.put_breaker(None, (namespace, name))
        self._hints.add_all()

    async def force_open(self, namespace: str, name: str, *, reason: str, actor: Actor) -> Breaker:
        """Let nothing through until another word. Raises NotFoundError."""
        return await self._steer_to(namespace, name, BreakerState.FORCED_OPEN, "breaker.force_open", reason, actor)

    async def disable(self, namespace: str, name: str, *, reason: str, actor: Actor) -> Breaker:
        """Let everything through, and count nothing. Raises NotFoundError."""
        return await self._steer_to(namespace, name, BreakerState.DISABLED, "breaker.disable", reason, actor)

    async def watch_only(self, namespace: str, name: str, *, reason: str, actor: Actor) -> Breaker:
        """Let everything through, and count. Raises NotFoundError."""
        return await self._steer_to(namespace, name, BreakerState.METRICS_ONLY, "breaker.watch_only", reason, actor)

    async def resume(self, namespace: str, name: str, *, reason: str, actor: Actor) -> Breaker:
        """Take it out of the state that an operator put it into; does nothing if none did. Raises NotFoundError."""
        now = self._clock.now()
        said = check_reason(reason)
        return await self._steer(
            namespace,
            name,
            lambda one: resumed(one, reason=said, by=actor.name, now=now),
            self._entry(namespace, name, "breaker.resume", actor, {"reason": said}),
        )

    async def reset(self, namespace: str, name: str, *, reason: str, actor: Actor) -> Breaker:
        """Close it as if it were new. Raises NotFoundError."""
        now = self._clock.now()
        said = check_reason(reason)
        return await self._steer(
            namespace,
            name,
            lambda one: reset(one, reason=said, by=actor.name, now=now),
            self._entry(namespace, name, "breaker.reset", actor, {"reason": said}),
        )

    async def _steer_to(
        self, namespace: str, name: str, state: BreakerState, act: str, reason: str, actor: Actor
    ) -> Breaker:
        now = self._clock.now()
        said = check_reason(reason)
        return await self._steer(
            namespace,
            name,
            lambda one: steered(one, state, reason=said, by=actor.name, now=now),
            self._entry(namespace, name, act, actor, {"reason": said}),
        )

    async def _steer(self, namespace: str, name: str, steer: Steer, entry: AuditEntry) -> Breaker:
        made = await self._store.breakers.steer(namespace, name, steer, entry=entry)
        if made is None:
            raise self._missing(namespace, name)
        return self._put(made)

    def _put(self, breaker: Breaker) -> Breaker:
        self._catalog.put_breaker(breaker, (breaker.namespace, breaker.name))
        self._hints.add_all()
        return breaker

    def _missing(self, namespace: str, name: str) -> NotFoundError:
        known = [one.name for one in self.list(namespace)]
        return NotFoundError("breaker", name, f"is not defined{did_you_mean(name, known)}")

    def _entry(self, namespace: str, name: str, act: str, actor: Actor, details: Mapping[str, object]) -> AuditEntry:
        return audit_entry(act, "breaker", name, details, namespace=namespace, actor=actor, at=self._clock.now())

    # Last in the class: after it, `list` names this method.
    def list(self, namespace: str) -> list[Breaker]:
        """Every breaker of the namespace, by name."""
        mine = [one for one in self._catalog.breakers.values() if one.namespace == namespace]
        return sorted(mine, key=lambda one: one.name)
