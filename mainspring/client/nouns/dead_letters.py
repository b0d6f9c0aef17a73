"""Dead letters, and sweeps over many runs."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypedDict, Unpack

from mainspring.client.calls import AsyncCall, ask
from mainspring.client.values import aware
from mainspring.contract.bulk import (
    DeadGroupPage,
    DeadLetterInfo,
    DeadLetterPage,
    FailureFigures,
    FailureNoteInfo,
    SweepInfo,
    SweepPage,
    SweepPreview,
)
from mainspring.contract.insights import failures
from mainspring.contract.operations import bulk, sweeps


class SweepFilters(TypedDict, total=False):
    """Which runs: those that match all of these."""

    fingerprint: str | None
    job: str | None
    queue: str | None
    states: Iterable[str]
    """For a cancel: any of them."""
    tags: Iterable[str]
    labels: Mapping[str, str]
    since: datetime | None
    until: datetime | None
    failed_step: str | None
    """For workflow runs: only those of which this step failed or was cancelled."""


def plain(value: Any, field: str) -> Any:
    """A text, an instant with its offset, a mapping, or a list of words."""
    if isinstance(value, datetime):
        return aware(value, field)
    if isinstance(value, str):
        return value
    return dict(value) if isinstance(value, Mapping) else list(value)


class AsyncDead:
    """`client.dead` of an `AsyncClient`: runs that failed for good."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def groups(self, *, job: str | None = None, limit: int = 50, cursor: str | None = None) -> DeadGroupPage:
        """Groups by job, error class and message; the one seen last first."""
        query = bulk.DeadGroupQuery(job=job, limit=limit, cursor=cursor)
        return await self._call(ask(bulk.LIST_DEAD_GROUPS, query=query))

    async def letters(self, fingerprint: str, *, limit: int = 50, cursor: str | None = None) -> DeadLetterPage:
        """The runs of one group, oldest first."""
        query = bulk.DeadLetterQuery(limit=limit, cursor=cursor)
        return await self._call(ask(bulk.LIST_DEAD_LETTERS, fingerprint, query=query))

    async def discard(self, run: str, *, reason: str = "") -> DeadLetterInfo:
        """Remove a run from the dead letters; it stays failed. Raises ConflictError if it has not failed."""
        return await self._call(ask(bulk.DISCARD_RUN, run, body=bulk.DiscardBody(reason=reason)))

    async def note(self, fingerprint: str, note: str) -> FailureNoteInfo:
        """Write down what is known of a group, for everybody who looks at it; an empty note takes it away."""
        return await self._call(ask(failures.NOTE_FAILURE, fingerprint, body=failures.FailureNoteBody(note=note)))

    async def assign(self, fingerprint: str, owner: str) -> FailureNoteInfo:
        """Say which person or team looks after a group; an empty owner takes the one away that there is."""
        return await self._call(ask(failures.ASSIGN_FAILURE, fingerprint, body=failures.FailureOwnerBody(owner=owner)))

    async def figures(self, fingerprints: Iterable[str]) -> FailureFigures:
        """Count up to 100 groups by the hours of the last day, with the code versions of their newest runs."""
        query = failures.FailureFiguresQuery(fingerprint=list(fingerprints))
        return await self._call(ask(failures.GET_FAILURE_FIGURES, query=query))

    async def mute(self, fingerprint: str, *, until: datetime | None = None, reason: str = "") -> FailureNoteInfo:
        """Have no alert tell of it as a new failure, until an instant or else until it comes again."""
        end = None if until is None else aware(until, "until")
        return await self._call(
            ask(failures.MUTE_FAILURE, fingerprint, body=failures.MuteBody(until=end, reason=reason))
        )

    async def unmute(self, fingerprint: str, *, reason: str = "") -> FailureNoteInfo:
        """Raises NotFoundError if it is not muted."""
        return await self._call(ask(failures.UNMUTE_FAILURE, fingerprint, body=failures.UnmuteBody(reason=reason)))


class AsyncSweeps:
    """`client.sweeps` of an `AsyncClient`: one act on every run that matches, done in the background."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(
        self,
        act: str,
        *,
        reason: str = "",
        canaries: int = 0,
        everything: bool = False,
        hold: float = 0.0,
        terms: Mapping[str, Any] | None = None,
        **filters: Unpack[SweepFilters],
    ) -> SweepInfo:
        """Begin to `retry` or `discard` dead letters, or to `cancel` live runs; without a filter, `everything` is needed.

        To `resume`, `retry_step`, `skip`, `mark`, `move`, `pause` or `unpause` the runs of a workflow, name it by `job`;
        `terms` has their `step`, `result`, `version` and `redo`.

        It begins after `hold` seconds; a cancel before that takes it back whole.
        """
        chosen = {name: plain(value, name) for name, value in filters.items() if value}
        body: dict[str, Any] = {
            "act": act,
            "filter": chosen,
            "reason": reason,
            "canaries": canaries,
            "all": everything,
            "hold": hold,
        }
        body["terms"] = dict(terms or {})
        return await self._call(ask(bulk.CREATE_SWEEP, body=body))

    async def preview(
        self,
        act: str,
        *,
        everything: bool = False,
        terms: Mapping[str, Any] | None = None,
        **filters: Unpack[SweepFilters],
    ) -> SweepPreview:
        """Count the runs that a sweep would act on, and name five of them; of workflow runs, the steps that would run."""
        chosen = {name: plain(value, name) for name, value in filters.items() if value}
        body = {"act": act, "filter": chosen, "all": everything, "terms": dict(terms or {})}
        return await self._call(ask(bulk.PREVIEW_SWEEP, body=body))

    async def get(self, sweep: str) -> SweepInfo:
        return await self._call(ask(bulk.GET_SWEEP, sweep))

    async def cancel(self, sweep: str, *, reason: str = "") -> SweepInfo:
        """Stop it; changed runs stay changed. Raises ConflictError if it has ended."""
        return await self._call(ask(bulk.CANCEL_SWEEP, sweep, body=sweeps.CancelSweepBody(reason=reason)))

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> SweepPage:
        return await self._call(ask(bulk.LIST_SWEEPS, query=bulk.SweepQuery(limit=limit, cursor=cursor)))
