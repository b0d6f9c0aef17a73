"""Pauses of jobs and namespaces, and maintenance: runs are accepted and not started."""

from datetime import datetime

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import SYSTEM, Actor, AuditEntry, audit_entry
from mainspring.domain.jobs.job import Job
from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.queue import CLUSTER_WHOLE, NAMESPACE_WHOLE, Place, QueueRule
from mainspring.errors import NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.operations.queues import pause_for
from mainspring.store.interface import Store


class PauseOperations:
    """A pause counts here at once; other servers hear of it by a hint, or find it by their poll."""

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, hints: ExchangeHints) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints

    async def pause_job(self, namespace: str, name: str, *, reason: str, actor: Actor) -> Job:
        """Start no runs of the job; its running attempts continue. Raises NotFoundError."""
        entry = self._entry(namespace, "job.pause", "job", name, actor, reason)
        return self._put(name, await self._store.jobs.pause(namespace, name, self._pause(reason, actor), entry=entry))

    async def resume_job(self, namespace: str, name: str, *, actor: Actor) -> Job:
        """End a pause; without one nothing changes. Raises NotFoundError."""
        entry = self._entry(namespace, "job.resume", "job", name, actor)
        return self._put(name, await self._store.jobs.resume(namespace, name, entry=entry))

    async def pause_namespace(
        self, namespace: str, *, reason: str, actor: Actor, lasts: float | None = None
    ) -> QueueRule:
        """Start no runs of the namespace; `lasts`: for so many seconds."""
        entry = self._entry(namespace, "namespace.pause", "namespace", namespace, actor, reason)
        return await self._pause_place((namespace, NAMESPACE_WHOLE), self._pause(reason, actor, lasts), entry)

    async def resume_namespace(self, namespace: str, *, actor: Actor) -> QueueRule:
        entry = self._entry(namespace, "namespace.resume", "namespace", namespace, actor)
        return await self._resume_place((namespace, NAMESPACE_WHOLE), entry)

    async def begin_maintenance(self, *, reason: str, actor: Actor, lasts: float | None = None) -> QueueRule:
        """Start no runs in the whole cluster; `lasts`: for so many seconds."""
        entry = self._entry("", "maintenance.on", "cluster", "", actor, reason)
        return await self._pause_place(CLUSTER_WHOLE, self._pause(reason, actor, lasts), entry)

    async def end_due(self, place: Place, now: datetime) -> None:
        """End a pause whose time has come, unless it was changed meanwhile."""
        namespace, queue = place
        if place == CLUSTER_WHOLE:
            entry = self._entry("", "maintenance.off", "cluster", "", SYSTEM)
        elif queue == NAMESPACE_WHOLE:
            entry = self._entry(namespace, "namespace.resume", "namespace", namespace, SYSTEM)
        else:
            entry = self._entry(namespace, "queue.resume", "queue", queue, SYSTEM)
        if await self._store.queues.end_pause(namespace, queue, now=now, entry=entry):
            self._catalog.put_rule(msgspec.structs.replace(self.rule_of(place), pause=None))
            self._hints.add_all()
        else:
            self._catalog.wake.set()

    async def end_maintenance(self, *, actor: Actor) -> QueueRule:
        return await self._resume_place(CLUSTER_WHOLE, self._entry("", "maintenance.off", "cluster", "", actor))

    def rule_of(self, place: Place) -> QueueRule:
        return self._catalog.rules.get(place) or QueueRule(namespace=place[0], queue=place[1])

    async def _pause_place(self, place: Place, pause: Pause, entry: AuditEntry) -> QueueRule:
        rule = await self._store.queues.pause(*place, pause, entry=entry)
        self._catalog.put_rule(rule)
        self._hints.add_all()
        return rule

    async def _resume_place(self, place: Place, entry: AuditEntry) -> QueueRule:
        if await self._store.queues.resume(*place, entry=entry):
            self._catalog.put_rule(msgspec.structs.replace(self.rule_of(place), pause=None))
            self._hints.add_all()
        return self.rule_of(place)

    def _put(self, name: str, job: Job | None) -> Job:
        if job is None:
            raise NotFoundError("job", name)
        self._catalog.put([job])
        self._hints.add_all()
        return job

    def _pause(self, reason: str, actor: Actor, lasts: float | None = None) -> Pause:
        return pause_for(reason, actor, self._clock.now(), lasts)

    def _entry(self, namespace: str, act: str, kind: str, key: str, actor: Actor, reason: str = "") -> AuditEntry:
        details = {"reason": reason} if reason else {}
        return audit_entry(act, kind, key, details, namespace=namespace, actor=actor, at=self._clock.now())
