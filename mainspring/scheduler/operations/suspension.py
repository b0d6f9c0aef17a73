"""Operations on runs: suspend, resume, and read their checkpoints."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.cancel import check_reason
from mainspring.domain.runs.checkpoints import Recollection
from mainspring.domain.runs.run import Run, Suspension
from mainspring.domain.runs.suspension import SET_ASIDE, check_resume_at, refuse_resume, refuse_suspend
from mainspring.errors import NotFoundError
from mainspring.scheduler.facts import LONG_AGO, Facts, ResumeSet, RunsChanged, RunsQueued
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.sessions.relay_requests import RelayRequests
from mainspring.store.interface import Store


class SuspensionOperations:
    """A wish to suspend is a row, as a cancel is: the executor is told at once if it is attached here."""

    def __init__(self, store: Store, clock: Clock, hints: ExchangeHints, relaying: RelayRequests, facts: Facts) -> None:
        self._store = store
        self._clock = clock
        self._hints = hints
        self._relaying = relaying
        self._facts = facts

    async def suspend(
        self, namespace: str, run: RunId, *, actor: Actor, reason: str = "", resume_at: datetime | None = None
    ) -> bool:
        """Set a run aside: True if it waits, False while its handler has yet to yield.

        Raises NotFoundError, and ConflictError if it has ended or is being cancelled.
        """
        now = self._clock.now()
        wanted = Suspension(check_reason(reason), check_resume_at(resume_at, now))
        found = await self._store.runs.suspend(namespace, run, wanted, actor=actor, now=now)
        if found is None:
            raise NotFoundError("run", id_text(run))
        if not found.changed:
            raise refuse_suspend(run, found.state)
        self._facts.publish(RunsChanged([run]))
        if resume_at is not None:
            self._facts.publish(ResumeSet(resume_at))
        if found.wish is not None and not self._relaying.suspend([found.wish]):
            self._hints.add_all()
        return found.wish is None

    async def resume(self, namespace: str, run: RunId, *, actor: Actor, reason: str = "") -> None:
        """Let a suspended run go on. Raises NotFoundError, and ConflictError if it is not suspended."""
        found = await self._store.runs.resume(
            namespace, run, reason=check_reason(reason), actor=actor, now=self._clock.now()
        )
        if found is None:
            raise NotFoundError("run", id_text(run))
        if found.line is None:
            raise refuse_resume(run, found.state)
        self._facts.publish(RunsChanged([run]))
        self._facts.publish(RunsQueued([found.line], since=LONG_AGO))

    async def explained(self, runs: Sequence[Run]) -> list[Run]:
        """The runs, each suspended one with why and until when."""
        concerned = [run.id for run in runs if run.reason in SET_ASIDE]
        if not concerned:
            return list(runs)
        found = await self._store.runs.suspensions(concerned)
        return [msgspec.structs.replace(run, suspension=found.get(run.id)) for run in runs]

    async def memories(self, run: RunId) -> list[Recollection]:
        return await self._store.runs.checkpoints(run)
