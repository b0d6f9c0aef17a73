"""Backfills: runs for past fire times of a trigger."""

from datetime import datetime

from mainspring.client.calls import AsyncCall, ask
from mainspring.client.values import aware
from mainspring.contract.bulk import BackfillInfo, BackfillPage, BackfillPreview, FilledPage
from mainspring.contract.operations import bulk

CONCURRENCY, PRIORITY = 1, 1
PREVIEW_BACKFILL = bulk.CREATE_BACKFILL.answering(BackfillPreview)


def checked(body: bulk.NewBackfillBody) -> bulk.NewBackfillBody:
    """The body; raises InvalidInputError for a time without an offset."""
    aware(body.since, "since")
    if body.until is not None:
        aware(body.until, "until")
    return body


class AsyncBackfills:
    """`client.backfills` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(
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
        return await self._call(ask(bulk.CREATE_BACKFILL, trigger, body=checked(body), wait=30.0))

    async def preview(
        self, trigger: str, *, since: datetime, until: datetime | None = None, rerun: bool = False
    ) -> BackfillPreview:
        """Preview a backfill; nothing is changed."""
        body = checked(bulk.NewBackfillBody(since=since, until=until, rerun=rerun, dry_run=True))
        return await self._call(ask(PREVIEW_BACKFILL, trigger, body=body, wait=30.0, repeatable=True))

    async def get(self, backfill: str) -> BackfillInfo:
        return await self._call(ask(bulk.GET_BACKFILL, backfill))

    async def instants(self, backfill: str, *, limit: int = 100, cursor: str | None = None) -> FilledPage:
        """The fire times it has filled, each with its run."""
        query = bulk.FilledQuery(limit=limit, cursor=cursor)
        return await self._call(ask(bulk.LIST_FILLED, backfill, query=query))

    async def cancel(self, backfill: str, *, reason: str = "") -> BackfillInfo:
        """Stop creating runs; those created continue. Raises ConflictError if it has ended."""
        return await self._call(ask(bulk.CANCEL_BACKFILL, backfill, body=bulk.CancelBackfillBody(reason=reason)))

    async def list(self, *, trigger: str | None = None, limit: int = 50, cursor: str | None = None) -> BackfillPage:
        query = bulk.BackfillQuery(trigger=trigger, limit=limit, cursor=cursor)
        return await self._call(ask(bulk.LIST_BACKFILLS, query=query))
