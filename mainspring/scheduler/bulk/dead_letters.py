"""Operations on many runs at once, and on dead letters."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from mainspring.clock import Clock
from mainspring.domain.access.permissions import SYSTEM, Actor
from mainspring.domain.bulk.operation import (
    FLOW_CHANGES,
    SAMPLE,
    FlowTerms,
    Sweep,
    SweepAct,
    SweepFilter,
    SweepId,
    SweepPreviewed,
    SweepState,
    over,
    refuse_sweep,
    sweep_entry,
)
from mainspring.domain.bulk.operation_checks import check_sweep, check_terms
from mainspring.domain.cluster.invariants import Violation
from mainspring.domain.ids import Ids, RunId, id_text
from mainspring.domain.runs.cancel import CANCELS_MAX, check_reason
from mainspring.domain.runs.dead_letter import DeadGroup, DeadLetter, Discarded, parse_fingerprint
from mainspring.errors import ConflictError, NotFoundError
from mainspring.scheduler.bulk.descendants import Stack, descend, stack_on, write_stack
from mainspring.scheduler.bulk.failure_notes import FailureNotes
from mainspring.scheduler.bulk.operate import WorkSweeps
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.operations.runs import RunOperations
from mainspring.store.interface import DeadFilter, DeadPage, Store
from mainspring.wire.arguments import checked

EXPECTED_MAX = 100_000
"""How far the runs of a sweep are counted before it begins."""
TRIES = 5
NO_TERMS = FlowTerms()


class DeadLetterOperations:
    """Dead letters, and sweeps over them or over live runs."""

    def __init__(self, store: Store, clock: Clock, ids: Ids, catalog: Catalog, steering: RunOperations) -> None:
        self.notes = FailureNotes(store, clock)
        self.working = WorkSweeps(store, clock, catalog, steering)
        self._store = store
        self._clock = clock
        self._ids = ids
        self._catalog = catalog
        self._steering = steering

    async def groups(
        self, namespace: str, *, job: str | None, after: tuple[datetime, bytes] | None, limit: int
    ) -> list[DeadGroup]:
        return await self._store.bulk.dead_groups(namespace, job=job, after=after, limit=limit)

    async def letters(self, query: DeadFilter) -> DeadPage:
        return await self._store.bulk.dead_letters(query)

    async def letter(self, namespace: str, run: RunId) -> DeadLetter | None:
        return await self._store.bulk.dead_letter(namespace, run)

    async def discard(self, namespace: str, run: RunId, *, actor: Actor, reason: str) -> DeadLetter:
        """Raises NotFoundError, and ConflictError for a run that is no dead letter; one discarded before stays so."""
        said = Discarded(check_reason(reason), actor, self._clock.now())
        await self._store.bulk.discard(namespace, [run], said)
        letter = await self._store.bulk.dead_letter(namespace, run)
        if letter is not None:
            return letter
        if await self._store.runs.get(namespace, run) is None:
            raise NotFoundError("run", id_text(run))
        raise ConflictError("run", id_text(run), "it has not failed: there is nothing to discard", code="run_not_dead")

    async def violations(self) -> Sequence[Violation]:
        """The invariants of the store that do not hold."""
        return await self._store.cluster.violations(now=self._clock.now())

    async def check_input(self, namespace: str, run: RunId, raw: bytes) -> bytes:
        """Another input for a run, as it will be stored. Raises NotFoundError, InvalidInputError."""
        found = await self._store.runs.get(namespace, run)
        if found is None:
            raise NotFoundError("run", id_text(run))
        job = self._catalog.jobs.get((namespace, found.job))
        if job is None:
            raise NotFoundError("job", found.job, "it was deleted")
        return checked(job, raw, self._catalog.schema_of(job))

    async def sweep(
        self,
        namespace: str,
        act: SweepAct,
        chosen: SweepFilter,
        *,
        actor: Actor,
        reason: str = "",
        canaries: int = 0,
        everything: bool = False,
        hold: float = 0.0,
        terms: FlowTerms = NO_TERMS,
    ) -> Sweep:
        """Begin an act on all runs that match. Raises InvalidInputError."""
        check_sweep(act, chosen, canaries=canaries, everything=everything)
        check_terms(act, terms)
        now = self._clock.now()
        expected = None if act is SweepAct.CANCEL or act.of_flows else await self._count(namespace, chosen, now)
        return await self._begin(
            Sweep(
                id=SweepId(self._ids.runs(1, now)[0]),
                namespace=namespace,
                act=act,
                filter=chosen,
                terms=terms,
                reason=check_reason(reason),
                actor=actor,
                canaries=canaries,
                expected=expected,
                created_at=now,
                moved_at=now,
                held_until=now + timedelta(seconds=hold) if hold else None,
            )
        )

    async def preview(
        self,
        namespace: str,
        act: SweepAct,
        chosen: SweepFilter,
        *,
        everything: bool = False,
        terms: FlowTerms = NO_TERMS,
    ) -> SweepPreviewed:
        """Return how many runs a sweep would act on, as far as they are counted, and some of them. Raises InvalidInputError."""
        check_sweep(act, chosen, canaries=0, everything=everything)
        check_terms(act, terms)
        now = self._clock.now()
        sweep = Sweep(
            id=SweepId(self._ids.runs(1, now)[0]),
            namespace=namespace,
            act=act,
            filter=chosen,
            terms=terms,
            actor=SYSTEM,
            created_at=now,
            moved_at=now,
        )
        piece = await self.working.find(sweep)
        sample = list(piece.runs[:SAMPLE])
        if act.of_flows:
            flows = self.working.flows
            shown = await flows.preview(sweep, sample) if flows is not None and act in FLOW_CHANGES else ()
            return SweepPreviewed(len(piece.runs), piece.next is None, sample, shown)
        counted = None if act is SweepAct.CANCEL or piece.next is None else await self._count(namespace, chosen, now)
        count = len(piece.runs) if counted is None else counted
        whole = piece.next is None or counted is not None
        return SweepPreviewed(count, whole, sample)

    async def _count(self, namespace: str, chosen: SweepFilter, now: datetime) -> int | None:
        if chosen.tags or chosen.labels:
            return None
        query = DeadFilter(
            namespace=namespace,
            fingerprint=None if chosen.fingerprint is None else parse_fingerprint(chosen.fingerprint),
            job=chosen.job,
            queue=chosen.queue,
            since=chosen.since,
            until=min(chosen.until or now, now),
        )
        found = await self._store.bulk.count_dead(query, most=EXPECTED_MAX)
        return None if found == EXPECTED_MAX else found

    async def _begin(self, sweep: Sweep) -> Sweep:
        entry = sweep_entry("sweep.create", sweep, actor=sweep.actor, now=sweep.created_at, reason=sweep.reason)
        await self._store.bulk.save(sweep, entry)
        self.working.wake.set()
        return sweep

    async def cancel_below(
        self, namespace: str, run: RunId, *, actor: Actor, reason: str = "", at_once: int = CANCELS_MAX
    ) -> Sweep | None:
        """Cancel the descendants of a run: some at once, and if there are more, the rest by the sweep that is returned."""
        stack: Stack = stack_on([run])
        done = 0
        while stack and done < at_once:
            found, stack = await descend(self._store, namespace, stack)
            if found:
                await self._steering.cancel_many(namespace, found, actor=actor, reason=reason)
            done += max(len(found), 1)
        return await self._go_on_below(namespace, run, stack, actor, reason) if stack else None

    async def _go_on_below(self, namespace: str, run: RunId, stack: Stack, actor: Actor, reason: str) -> Sweep:
        now = self._clock.now()
        sweep = Sweep(
            id=SweepId(self._ids.runs(1, now)[0]),
            namespace=namespace,
            act=SweepAct.CANCEL,
            filter=SweepFilter(below=(id_text(run),)),
            reason=reason,
            actor=actor,
            place=write_stack(stack),
            created_at=now,
            moved_at=now,
        )
        return await self._begin(sweep)

    async def get(self, namespace: str, sweep: SweepId) -> Sweep:
        found = await self._store.bulk.get(Sweep, namespace, sweep)
        if found is None:
            raise NotFoundError("sweep", id_text(sweep))
        return found

    async def cancel(self, namespace: str, sweep: SweepId, *, actor: Actor, reason: str = "") -> Sweep:
        """Leave the rest as it is; changes made so far stay. Raises NotFoundError, and ConflictError if it is over."""
        for _ in range(TRIES):
            found = await self.get(namespace, sweep)
            if found.state.final:
                break
            now = self._clock.now()
            ended = over(found, SweepState.CANCELLED, f"cancelled by {actor.name}", now)
            entry = sweep_entry("sweep.cancel", found, actor=actor, now=now, reason=check_reason(reason))
            if await self._store.bulk.save(ended, entry):
                return ended
        raise refuse_sweep(found)

    # Last in the class: behind it, `list` names this method.
    async def list(self, namespace: str, *, before: SweepId | None, limit: int) -> Sequence[Sweep]:
        return await self._store.bulk.list(Sweep, namespace, before=before, limit=limit)
