"""Generated from mainspring/client/nouns/backfills.py by `make client-sync`: do not edit."""

from datetime import datetime

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.backfills import (
    CONCURRENCY,
    PRIORITY,
    BackfillRange,
    cancel_backfill,
    create_backfill,
    get_backfill,
    list_backfills,
    list_filled,
    preview_backfill,
)
from mainspring.contract.bulk import BackfillInfo, BackfillPage, BackfillPreview, FilledPage


class Backfills:
    """`client.backfills` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def create(
        self,
        trigger: str,
        *,
        since: datetime,
        until: datetime | None = None,
        concurrency: int = CONCURRENCY,
        priority: int = PRIORITY,
        rerun: bool = False,
        reason: str = "",
    ) -> BackfillInfo:
        """Begin to make runs for the trigger's instants of that range, in the background, skipping those that have run."""
        wanted = BackfillRange(
            since=since, until=until, concurrency=concurrency, priority=priority, rerun=rerun, reason=reason
        )
        return self._call(create_backfill(trigger, wanted))

    def preview(
        self, trigger: str, *, since: datetime, until: datetime | None = None, rerun: bool = False
    ) -> BackfillPreview:
        """What that would do; nothing is changed."""
        wanted = BackfillRange(since=since, until=until, concurrency=CONCURRENCY, priority=PRIORITY, rerun=rerun)
        return self._call(preview_backfill(trigger, wanted))

    def get(self, backfill: str) -> BackfillInfo:
        return self._call(get_backfill(backfill))

    def instants(self, backfill: str, *, limit: int = 100, cursor: str | None = None) -> FilledPage:
        """What it has made: each instant with its run."""
        return self._call(list_filled(backfill, limit=limit, cursor=cursor))

    def cancel(self, backfill: str, *, reason: str = "") -> BackfillInfo:
        """Make no more runs; those that were made go on. Raises ConflictError if it is over."""
        return self._call(cancel_backfill(backfill, reason=reason))

    def list(self, *, trigger: str | None = None, limit: int = 50, cursor: str | None = None) -> BackfillPage:
        return self._call(list_backfills(trigger=trigger, limit=limit, cursor=cursor))
