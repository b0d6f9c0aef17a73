"""Approvals that steps of workflows wait for."""

from collections.abc import Sequence

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.waits.approval import Vote, check_vote, outcome
from mainspring.domain.waits.wait import About
from mainspring.errors import NotFoundError
from mainspring.scheduler.workflows.follow_waits import FollowWaits
from mainspring.store.interface import OpenApproval, Store


class ApprovalOperations:
    """An answer is checked and written under the lock of its wait; the one that decides ends the step."""

    def __init__(self, store: Store, clock: Clock, waits: FollowWaits) -> None:
        self._store = store
        self._clock = clock
        self._waits = waits

    async def list(self, namespace: str, *, after: RunId | None, limit: int) -> list[OpenApproval]:
        return await self._store.waits.approvals(namespace, after=after, limit=limit)

    async def vote(
        self, namespace: str, run: RunId, *, actor: Actor, approved: bool, form: bytes = b"{}", note: str = ""
    ) -> tuple[bool, Sequence[Vote]]:
        """Whether the answer decides, and all answers.

        Raises NotFoundError if no approval is asked for, ForbiddenError, ConflictError and InvalidInputError.
        """
        now = self._clock.now()
        vote = Vote(actor=actor.name, at=now, approved=approved, form=form, note=note)

        def decide(about: About, votes: Sequence[Vote]) -> bytes | None:
            check_vote(id_text(run), about, votes[:-1], vote)
            return outcome(about, votes)

        by = Operator(namespace=namespace, actor=actor, reason=note[:500], now=now)
        found = await self._store.waits.vote(run, vote, decide, by, now=now)
        if found is None:
            raise NotFoundError("approval", id_text(run))
        if found[0]:
            self._waits.announce([run])
        return found
