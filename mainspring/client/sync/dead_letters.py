"""Generated from mainspring/client/nouns/dead_letters.py by `make client-sync`: do not edit."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Unpack

from mainspring.client.calls import SyncCall, ask
from mainspring.client.nouns.dead_letters import SweepFilters, plain
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


class Dead:
    """`client.dead` of a `Client`: runs that failed for good."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def groups(self, *, job: str | None = None, limit: int = 50, cursor: str | None = None) -> DeadGroupPage:
        """Groups by job, error class and message; the one seen last first."""
        query = bulk.DeadGroupQuery(job=job, limit=limit, cursor=cursor)
        return self._call(ask(bulk.LIST_DEAD_GROUPS, query=query))

    def letters(self, fingerprint: str, *, limit: int = 50, cursor: str | None = None) -> DeadLetterPage:
        """The runs of one group, oldest first."""
        query = bulk.DeadLetterQuery(limit=limit, cursor=cursor)
        return self._call(ask(bulk.LIST_DEAD_LETTERS, fingerprint, query=query))

    def discard(self, run: str, *, reason: str = "") -> DeadLetterInfo:
        """Remove a run from the dead letters; it stays failed. Raises ConflictError if it has not failed."""
        return self._call(ask(bulk.DISCARD_RUN, run, body=bulk.DiscardBody(reason=reason)))

    def note(self, fingerprint: str, note: str) -> FailureNoteInfo:
        """Write down what is known of a group, for everybody who looks at it; an empty note takes it away."""
        return self._call(ask(failures.NOTE_FAILURE, fingerprint, body=failures.FailureNoteBody(note=note)))

    def assign(self, fingerprint: str, owner: str) -> FailureNoteInfo:
        """Say which person or team looks after a group; an empty owner takes the one away that there is."""
        return self._call(ask(failures.ASSIGN_FAILURE, fingerprint, body=failures.FailureOwnerBody(owner=owner)))

    def figures(self, fingerprints: Iterable[str]) -> FailureFigures:
        """Count up to 100 groups by the hours of the last day, with the code versions of their newest runs."""
        query = failures.FailureFiguresQuery(fingerprint=list(fingerprints))
        return self._call(ask(failures.GET_FAILURE_FIGURES, query=query))

    def mute(self, fingerprint: str, *, until: datetime | None = None, reason: str = "") -> FailureNoteInfo:
        """Have no alert tell of it as a new failure, until an instant or else until it comes again."""
        end = None if until is None else aware(until, "until")
        return self._call(ask(failures.MUTE_FAILURE, fingerprint, body=failures.MuteBody(until=end, reason=reason)))

    def unmute(self, fingerprint: str, *, reason: str = "") -> FailureNoteInfo:
        """Raises NotFoundError if it is not muted."""
        return self._call(ask(failures.UNMUTE_FAILURE, fingerprint, body=failures.UnmuteBody(reason=reason)))


class Sweeps:
    """`client.sweeps` of a `Client`: one act on every run that matches, done in the background."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def create(
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
        return self._call(ask(bulk.CREATE_SWEEP, body=body))

    def preview(
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
        return self._call(ask(bulk.PREVIEW_SWEEP, body=body))

    def get(self, sweep: str) -> SweepInfo:
        return self._call(ask(bulk.GET_SWEEP, sweep))

    def cancel(self, sweep: str, *, reason: str = "") -> SweepInfo:
        """Stop it; changed runs stay changed. Raises ConflictError if it has ended."""
        return self._call(ask(bulk.CANCEL_SWEEP, sweep, body=sweeps.CancelSweepBody(reason=reason)))

    def list(self, *, limit: int = 50, cursor: str | None = None) -> SweepPage:
        return self._call(ask(bulk.LIST_SWEEPS, query=bulk.SweepQuery(limit=limit, cursor=cursor)))
