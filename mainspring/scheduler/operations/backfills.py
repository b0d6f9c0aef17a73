"""Operations on backfills: preview, begin, progress, cancel."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.bulk.backfill import (
    Backfill,
    BackfillFire,
    BackfillId,
    BackfillState,
    backfill_entry,
    over,
    refuse_backfill,
)
from mainspring.domain.bulk.backfill_checks import (
    BackfillPlan,
    BackfillRequest,
    check_backfill,
    instants_in,
    plan_backfill,
)
from mainspring.domain.ids import Ids, id_text
from mainspring.domain.runs.cancel import check_reason
from mainspring.domain.triggers.fire_times.expected import kept_since
from mainspring.domain.triggers.fire_times.timers import TICK, Timer
from mainspring.domain.triggers.trigger import Trigger
from mainspring.errors import ConflictError, NotFoundError, UnavailableError
from mainspring.scheduler.facts import BackfillStarted, Facts
from mainspring.scheduler.operations.trigger_queries import TriggerQueries
from mainspring.store.interface import Store

SLICE = 200
"""Instants that are named without a breath between them."""
PAGE = 10_000
"""Entries of the ledger that are read at once."""
TRIES = 100
"""How often a cancel looks again because a step was faster."""


class BackfillOperations:
    """A backfill is begun by the server that accepts it; other servers find it by their polls."""

    def __init__(
        self, store: Store, clock: Clock, ids: Ids, triggers: TriggerQueries, facts: Facts, *, retention_days: int
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._triggers = triggers
        self._retention_days = retention_days
        self._facts = facts

    async def preview(self, namespace: str, name: str, wanted: BackfillRequest) -> BackfillPlan:
        """The preview. Raises NotFoundError, InvalidInputError, ConflictError."""
        return await self._plan(await self._triggers.get(namespace, name), wanted, self._clock.now())

    async def begin(self, namespace: str, name: str, wanted: BackfillRequest, *, actor: Actor) -> Backfill:
        """Raises NotFoundError, InvalidInputError, ConflictError."""
        trigger, now = await self._triggers.get(namespace, name), self._clock.now()
        plan = await self._plan(trigger, wanted, now)
        if plan.first is None:
            raise ConflictError("trigger", name, "names no instant in this range", code="empty_backfill")
        backfill = Backfill(
            id=BackfillId(self._ids.runs(1, now)[0]),
            namespace=namespace,
            trigger=trigger.id,
            spec=trigger.spec,
            anchor=trigger.created_at,
            since=plan.since,
            until=plan.until,
            concurrency=wanted.concurrency,
            priority=wanted.priority,
            rerun=wanted.rerun,
            reason=wanted.reason,
            actor=actor,
            place=plan.first,
            expected=plan.instants,
            created_at=now,
            moved_at=now,
        )
        entry = backfill_entry("backfill.create", backfill, actor=actor, now=now, reason=wanted.reason)
        await self._store.bulk.save(backfill, entry)
        self._facts.publish(BackfillStarted())
        return backfill

    async def _plan(self, trigger: Trigger, wanted: BackfillRequest, now: datetime) -> BackfillPlan:
        check_reason(wanted.reason)
        since, until = check_backfill(trigger.spec, wanted, now=now)
        instants = await self._instants(self._triggers.timer(trigger), since, until)
        return plan_backfill(
            instants,
            await self._fired(trigger, instants),
            since=since,
            until=until,
            rerun=wanted.rerun,
            known_since=kept_since(now, self._retention_days),
        )

    async def _instants(self, timer: Timer, since: datetime, until: datetime) -> list[datetime]:
        found = []
        for at in instants_in(timer, since, until):
            found.append(at)
            if len(found) % SLICE == 0:
                await self._clock.sleep(0)
        return found

    async def _fired(self, trigger: Trigger, instants: Sequence[datetime]) -> set[datetime]:
        """Those that have had a run."""
        if not instants:
            return set()
        wanted, fired, begin = set(instants), set[datetime](), instants[0]
        while True:
            page = await self._store.triggers.fires(trigger.id, since=begin, until=instants[-1] + TICK, limit=PAGE)
            fired |= {fire.fire_at for fire in page if fire.fire_at in wanted}
            if len(page) < PAGE:
                return fired
            begin = page[-1].fire_at + TICK

    async def get(self, namespace: str, backfill: BackfillId) -> Backfill:
        """Raises NotFoundError."""
        found = await self._store.bulk.get(Backfill, namespace, backfill)
        if found is None:
            raise NotFoundError("backfill", id_text(backfill))
        return found

    async def fires(
        self, namespace: str, backfill: BackfillId, *, after: datetime | None, limit: int
    ) -> list[BackfillFire]:
        """The runs that it has made, by their instants. Raises NotFoundError."""
        await self.get(namespace, backfill)
        return await self._store.bulk.fires(backfill, after=after, limit=limit)

    async def cancel(self, namespace: str, backfill: BackfillId, *, actor: Actor, reason: str = "") -> Backfill:
        """Make no more runs; those that were made go on. Raises NotFoundError, and ConflictError if it is over."""
        check_reason(reason)
        for _ in range(TRIES):
            found = await self.get(namespace, backfill)
            if found.state.final:
                raise refuse_backfill(found)
            now = self._clock.now()
            ended = over(found, BackfillState.CANCELLED, f"cancelled by {actor.name}", now)
            entry = backfill_entry("backfill.cancel", found, actor=actor, now=now, reason=reason)
            if await self._store.bulk.save(ended, entry):
                return ended
        raise UnavailableError("the backfill kept moving on: try again")

    # Last in the class: behind it, `list` names this method.
    async def list(
        self, namespace: str, *, trigger: str | None, before: BackfillId | None, limit: int
    ) -> list[Backfill]:
        return await self._store.bulk.list(Backfill, namespace, trigger=trigger, before=before, limit=limit)
