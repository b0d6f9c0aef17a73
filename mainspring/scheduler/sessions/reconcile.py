"""Compares an executor's attempts with the store's record of them."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.ids import RunId, Token
from mainspring.domain.routing.resources import needs_of
from mainspring.domain.runs.attempt import Ended, Held, Outcome
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.store.interface import Store
from mainspring.wire.messages import Holding, Stale

log = logging.getLogger("mainspring.reconcile")

HELD_MAX = 1_000_000
Pairs = set[tuple[RunId, Token]]


class Reconcile:
    """The store is right about owners, the executor about the attempts it has."""

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, settling: SettleAttempts) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._settling = settling
        self._partings: set[asyncio.Task[None]] = set()

    async def greet(self, attached: ExecutorConnection, holding: Sequence[Holding]) -> list[Holding]:
        """At a connection's start: note attempts that never arrived, return those the executor must forget."""
        theirs = pairs_of(holding)
        held = await self._held(attached)
        attached.owned.add_held(held)
        ours = {(one.run, one.token) for one in held}
        attached.unarrived = [one for one in held if (one.run, one.token) not in theirs]
        for one in held:
            self._count(attached, one, theirs)
        return stale_of(holding, ours)

    async def confirm(self, attached: ExecutorConnection) -> None:
        """At its first word behind the welcome: put back what never arrived.

        Not before: a server that stood still may read a hello long after its executor went elsewhere and was given runs
        there. One that answers a welcome is here, and frames of its earlier connections died with those.
        """
        unarrived, attached.unarrived = attached.unarrived, []
        await self._release(unarrived)

    async def inventory(self, attached: ExecutorConnection, holding: Sequence[Holding]) -> None:
        """Now and then: what is missing twice in a row was lost on the way; what is stale has to stop.

        Only tokens whose numbers differ are looked into, so that a hundred thousand quiet attempts cost next to nothing.
        """
        attached.give_back_unnamed({batch.token: len(batch.runs) for batch in holding})
        tally = await self._store.runs.tally(attached.id)
        attached.forget_settled(tally)
        holding = [batch for batch in holding if tally.pop(batch.token, 0) != len(batch.runs)]
        differing = [*tally, *(batch.token for batch in holding)]
        held = await self._store.runs.held_under(attached.id, differing) if differing else []
        attached.owned.add_held(held)
        theirs = pairs_of(holding)
        missing = {(one.run, one.token) for one in held} - theirs
        lost = missing & attached.missing
        attached.missing = missing
        await self._release([one for one in held if (one.run, one.token) in lost])
        stale = stale_of(holding, {(one.run, one.token) for one in held})
        if stale:
            attached.send(Stale(stale))

    async def part(self, attached: ExecutorConnection) -> None:
        """At a session's end: it has nothing, so what the store gives it was on its way to it and counts as no loss.

        Its connection may break before all that is done, and no other server does it before its lease ends.
        """
        parting = asyncio.create_task(self._part(attached))
        self._partings.add(parting)
        parting.add_done_callback(self._parted)
        await asyncio.shield(parting)

    async def _part(self, attached: ExecutorConnection) -> None:
        await self._store.cluster.drain_session(attached.id)
        await self._release(await self._held(attached))
        await self._store.cluster.close_session(attached.id, now=self._clock.now())

    def _parted(self, parting: "asyncio.Task[None]") -> None:
        self._partings.discard(parting)
        if not parting.cancelled() and (error := parting.exception()) is not None:
            log.warning("the end of a session could not be noted, its lease will end it: %s", error)

    async def _held(self, attached: ExecutorConnection) -> list[Held]:
        return await self._store.runs.held_by(
            attached.id, claimed_before=self._clock.now() + timedelta(days=1), limit=HELD_MAX
        )

    async def _release(self, held: Sequence[Held]) -> None:
        if held:
            ended = [Ended(run=one.run, token=one.token, outcome=Outcome.RELEASED) for one in held]
            await self._settling.settle(ended)

    def _count(self, attached: ExecutorConnection, held: Held, theirs: Pairs) -> None:
        job = self._catalog.jobs_by_id.get(held.job)
        credit = attached.credit_for(job.spec.handler) if job is not None else None
        if credit is not None and (held.run, held.token) in theirs:
            attached.take(credit, held.token, [held.run], needs_of(job))


def pairs_of(holding: Sequence[Holding]) -> Pairs:
    return {(run, batch.token) for batch in holding for run in batch.runs}


def stale_of(holding: Sequence[Holding], ours: Pairs) -> list[Holding]:
    """The attempts that an executor holds and the store does not give it."""
    stale = [Holding(batch.token, [run for run in batch.runs if (run, batch.token) not in ours]) for batch in holding]
    return [batch for batch in stale if batch.runs]
