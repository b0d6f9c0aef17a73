"""Generated from mainspring/client/nouns/backfills.py by `make client-sync`: do not edit."""

from datetime import datetime

from mainspring.client.calls import SyncCall, ask
from mainspring.client.nouns.backfills import CONCURRENCY, PREVIEW_BACKFILL, PRIORITY, checked
from mainspring.contract.bulk import BackfillInfo, BackfillPage, BackfillPreview, FilledPage
from mainspring.contract.operations import bulk


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
        """Begin to create runs for the fire times of that range, in the background, skipping those that have run."""
        body = bulk.NewBackfillBody(
            since=since, until=until, concurrency=concurrency, priority=priority, rerun=rerun, reason=reason
        )
        return self._call(ask(bulk.CREATE_BACKFILL, trigger, body=checked(body), wait=30.0))

    def preview(
        self, trigger: str, *, since: datetime, until: datetime | None = None, rerun: bool = False
    ) -> BackfillPreview:
        """Preview a backfill; nothing is changed."""
        body = checked(bulk.NewBackfillBody(since=since, until=until, rerun=rerun, dry_run=True))
        return self._call(ask(PREVIEW_BACKFILL, trigger, body=body, wait=30.0, repeatable=True))

    def get(self, backfill: str) -> BackfillInfo:
        return self._call(ask(bulk.GET_BACKFILL, backfill))

    def instants(self, backfill: str, *, limit: int = 100, cursor: str | None = None) -> FilledPage:
        """The fire times it has filled, each with its run."""
        query = bulk.FilledQuery(limit=limit, cursor=cursor)
        return self._call(ask(bulk.LIST_FILLED, backfill, query=query))

    def cancel(self, backfill: str, *, reason: str = "") -> BackfillInfo:
        """Stop creating runs; those created continue. Raises ConflictError if it has ended."""
        return self._call(ask(bulk.CANCEL_BACKFILL, backfill, body=bulk.CancelBackfillBody(reason=reason)))

    def list(self, *, trigger: str | None = None, limit: int = 50, cursor: str | None = None) -> BackfillPage:
        query = bulk.BackfillQuery(trigger=trigger, limit=limit, cursor=cursor)
        return self._call(ask(bulk.LIST_BACKFILLS, query=query))
