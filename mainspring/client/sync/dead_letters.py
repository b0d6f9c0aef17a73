"""Generated from mainspring/client/nouns/dead_letters.py by `make client-sync`: do not edit."""

from typing import Unpack

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.dead_letters import (
    SweepFilters,
    cancel_sweep,
    create_sweep,
    discard_run,
    get_sweep,
    list_groups,
    list_letters,
    list_sweeps,
)
from mainspring.contract.bulk import DeadGroupPage, DeadLetterInfo, DeadLetterPage, SweepInfo, SweepPage


class Dead:
    """`client.dead` of a `Client`: what failed for good."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def groups(self, *, job: str | None = None, limit: int = 50, cursor: str | None = None) -> DeadGroupPage:
        """By job, class of error and message; the one seen last first."""
        return self._call(list_groups(job=job, limit=limit, cursor=cursor))

    def letters(self, fingerprint: str, *, limit: int = 50, cursor: str | None = None) -> DeadLetterPage:
        """The runs of one group, oldest first."""
        return self._call(list_letters(fingerprint, limit=limit, cursor=cursor))

    def discard(self, run: str, *, reason: str = "") -> DeadLetterInfo:
        """Have a run listed no more; it stays failed. Raises ConflictError if it has not failed."""
        return self._call(discard_run(run, reason=reason))


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
        """Begin to `retry` or `discard` dead letters, or to `cancel` live runs; `everything` is needed without a filter."""
        return self._call(create_sweep(act, filters, reason=reason, canaries=canaries, everything=everything))

    def get(self, sweep: str) -> SweepInfo:
        return self._call(get_sweep(sweep))

    def cancel(self, sweep: str, *, reason: str = "") -> SweepInfo:
        """Leave the rest as it is. Raises ConflictError if it is over."""
        return self._call(cancel_sweep(sweep, reason=reason))

    def list(self, *, limit: int = 50, cursor: str | None = None) -> SweepPage:
        return self._call(list_sweeps(limit=limit, cursor=cursor))
