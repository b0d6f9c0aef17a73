"""Generated from mainspring/client/nouns/dead_letters.py by `make client-sync`: do not edit."""

from typing import Unpack

from mainspring.client.calls import SyncCall, ask
from mainspring.client.nouns.dead_letters import SweepFilters, plain
from mainspring.contract.bulk import DeadGroupPage, DeadLetterInfo, DeadLetterPage, SweepInfo, SweepPage
from mainspring.contract.operations import bulk


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
        **filters: Unpack[SweepFilters],
    ) -> SweepInfo:
        """Begin to `retry` or `discard` dead letters, or to `cancel` live runs; without a filter, `everything` is needed."""
        chosen = {name: plain(value, name) for name, value in filters.items() if value}
        body = {"act": act, "filter": chosen, "reason": reason, "canaries": canaries, "all": everything}
        return self._call(ask(bulk.CREATE_SWEEP, body=body))

    def get(self, sweep: str) -> SweepInfo:
        return self._call(ask(bulk.GET_SWEEP, sweep))

    def cancel(self, sweep: str, *, reason: str = "") -> SweepInfo:
        """Stop it; changed runs stay changed. Raises ConflictError if it has ended."""
        return self._call(ask(bulk.CANCEL_SWEEP, sweep, body=bulk.CancelSweepBody(reason=reason)))

    def list(self, *, limit: int = 50, cursor: str | None = None) -> SweepPage:
        return self._call(ask(bulk.LIST_SWEEPS, query=bulk.SweepQuery(limit=limit, cursor=cursor)))
