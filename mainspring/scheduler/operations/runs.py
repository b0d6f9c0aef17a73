"""Runs that somebody cancels or has run again."""

from collections.abc import Callable, Sequence

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.cancel import (
    CANCELS_MAX,
    Cancelled,
    Wish,
    check_reason,
    refuse_cancel,
    refuse_retry,
)
from mainspring.domain.runs.run import RunState
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.hints import ExchangeHints
from mainspring.store.interface import Store


class SteerRuns:
    """A wish to cancel is a row: the executor concerned is told at once if it is attached here, else by the server it is at."""

    def __init__(self, store: Store, clock: Clock, hints: ExchangeHints) -> None:
        self._store = store
        self._clock = clock
        self._hints = hints
        self._on_wish: Callable[[Sequence[Wish]], bool] = lambda _: False
        self._on_steered: Callable[[Sequence[RunId]], None] = lambda _: None
        self._on_queued: Callable[[Sequence[int]], None] = lambda _: None

    def on_wish(self, listener: Callable[[Sequence[Wish]], bool]) -> None:
        """Call the listener with attempts that are to be cancelled; it says whether all of them could be told."""
        self._on_wish = listener

    def on_steered(self, listener: Callable[[Sequence[RunId]], None]) -> None:
        """Call the listener with runs that are not what they were: whoever waits for one may want to look."""
        self._on_steered = listener

    def on_queued(self, listener: Callable[[Sequence[int]], None]) -> None:
        """Call the listener with the lines in which a run stands again."""
        self._on_queued = listener

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
        found = await self._store.steering.retry(
            namespace, run, force=force, reason=check_reason(reason), actor=actor, now=self._clock.now(), input=input
        )
        if found is None:
            raise NotFoundError("run", id_text(run))
        if found.line is None:
            raise refuse_retry(run, found.state)
        self.steered([run], lines=[found.line])

    def steered(self, runs: Sequence[RunId], *, wishes: Sequence[Wish] = (), lines: Sequence[int] = ()) -> None:
        """Tell of what was committed: runs that changed, attempts that are to be stopped, lines in which runs stand again."""
        self._on_steered(runs)
        if lines:
            self._on_queued(lines)
            self._hints.add(lines)
        if wishes and not self._on_wish(wishes):
            self._hints.add_all()

    async def _cancel(
        self, namespace: str, runs: Sequence[RunId], *, actor: Actor, reason: str
    ) -> dict[RunId, Cancelled]:
        found = await self._store.steering.cancel(
            namespace, runs, reason=check_reason(reason), actor=actor, now=self._clock.now()
        )
        self.steered(list(found), wishes=[one.wish for one in found.values() if one.wish is not None])
        return found
