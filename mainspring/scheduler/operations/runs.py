"""Operations on runs: cancel, retry and change."""

from collections.abc import Sequence

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.cancel import (
    CANCELS_MAX,
    Cancelled,
    CancelRequest,
    check_reason,
    refuse_cancel,
    refuse_retry,
)
from mainspring.domain.runs.change import RunChange, check_change
from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import LONG_AGO, Facts, RunsChanged, RunsQueued, RunsScheduled
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.sessions.relay_requests import RelayRequests
from mainspring.store.interface import Store


class RunOperations:
    """A wish to cancel is a row: the executor concerned is told at once if it is attached here, else by the server it is at."""

    def __init__(
        self, store: Store, clock: Clock, catalog: Catalog, hints: ExchangeHints, relaying: RelayRequests, facts: Facts
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._clock = clock
        self._hints = hints
        self._relaying = relaying
        self._facts = facts

    async def cancel(self, namespace: str, run: RunId, *, actor: Actor, reason: str = "") -> RunState:
        """`cancelled` if it is over; `running` while its attempt is being stopped.

        Raises NotFoundError, and ConflictError if it had ended otherwise before.
        """
        found = (await self._cancel(namespace, [run], actor=actor, reason=reason)).get(run)
        if found is None:
            raise NotFoundError("run", id_text(run))
        if found.state.final and found.state is not RunState.CANCELLED:
            raise refuse_cancel(run, found.state)
        return found.state

    async def cancel_many(
        self, namespace: str, runs: Sequence[RunId], *, actor: Actor, reason: str = ""
    ) -> dict[RunId, RunState]:
        """The same for many; those that had ended otherwise before are in that state, those unknown are left out."""
        if len(runs) > CANCELS_MAX:
            raise InvalidInputError("runs", f"{len(runs)} are more than {CANCELS_MAX}", code="bad_runs")
        found = await self._cancel(namespace, runs, actor=actor, reason=reason)
        return {run: one.state for run, one in found.items()}

    async def change(
        self, namespace: str, runs: Sequence[RunId], change: RunChange, *, actor: Actor, reason: str = ""
    ) -> list[RunId]:
        """Give runs that have not started another priority, due time or queue; return those that were changed."""
        now = self._clock.now()
        check_change(change, now)
        if len(runs) > CANCELS_MAX:
            raise InvalidInputError("runs", f"{len(runs)} are more than {CANCELS_MAX}", code="bad_runs")
        lines = {} if change.queue is None else await self._lines_in(namespace, runs, change.queue)
        changed = await self._store.runs.change(
            namespace, runs, change, lines, reason=check_reason(reason), actor=actor, now=now
        )
        if changed:
            self._facts.publish(RunsChanged(list(changed)))
            self._facts.publish(RunsQueued(sorted(set(changed.values())), since=LONG_AGO))
            self._facts.publish(RunsScheduled(change.due_at or now))
        return list(changed)

    async def _lines_in(self, namespace: str, runs: Sequence[RunId], queue: str) -> dict[int, int]:
        """The lines of another queue, by the lines in which these runs stand."""
        numbers = set((await self._store.runs.lines_of(runs)).values())
        if not numbers <= self._catalog.lines.keys():
            await self._catalog.refresh()
        known = self._catalog.lines
        mine = {number: known[number] for number in numbers if number in known and known[number].namespace == namespace}
        there = {number: msgspec.structs.replace(line, queue=queue) for number, line in mine.items()}
        await self._catalog.make_lines(there.values())
        return {number: self._catalog.numbers[line] for number, line in there.items()}

    async def retry(
        self,
        namespace: str,
        run: RunId,
        *,
        actor: Actor,
        force: bool = False,
        reason: str = "",
        input: bytes | None = None,  # noqa: A002 the word of the API
    ) -> None:
        """Have a run that has ended run again, at once; one that has succeeded only by force.

        Raises NotFoundError, and ConflictError if it is live, or has succeeded and is not forced.
        """
        found = await self._store.runs.retry(
            namespace, run, force=force, reason=check_reason(reason), actor=actor, now=self._clock.now(), input=input
        )
        if found is None:
            raise NotFoundError("run", id_text(run))
        if found.step:
            raise ConflictError(
                "run", id_text(run), "it is a step, and its workflow run has begun anew", code="run_is_step"
            )
        if found.forgotten:
            raise ConflictError("run", id_text(run), "its input was not kept: give one", code="input_not_kept")
        if found.line is None:
            raise refuse_retry(run, found.state)
        self.announce([run], lines=[found.line])

    def announce(
        self, runs: Sequence[RunId], *, wishes: Sequence[CancelRequest] = (), lines: Sequence[int] = ()
    ) -> None:
        """Publish the committed changes: runs that changed, attempts to be stopped, lines in which runs stand again."""
        if runs:
            self._facts.publish(RunsChanged(runs))
        if lines:
            self._facts.publish(RunsQueued(lines))
        if wishes and not self._relaying.cancel(wishes):
            self._hints.add_all()

    async def _cancel(
        self, namespace: str, runs: Sequence[RunId], *, actor: Actor, reason: str
    ) -> dict[RunId, Cancelled]:
        found = await self._store.runs.cancel(
            namespace, runs, reason=check_reason(reason), actor=actor, now=self._clock.now()
        )
        self.announce(list(found), wishes=[one.wish for one in found.values() if one.wish is not None])
        return found
