"""Backfills: runs for instants of a trigger that lie behind."""

from datetime import datetime

import msgspec

from mainspring.client.calls import AsyncCall, given, part
from mainspring.client.transport.requests import Request
from mainspring.client.values import aware, instant_text, json_bytes
from mainspring.contract.bulk import BackfillInfo, BackfillPage, BackfillPreview, FilledPage

PATH = "/api/v1/backfills"
CONCURRENCY, PRIORITY = 1, 1


class BackfillRange(msgspec.Struct, frozen=True, kw_only=True):
    """What a backfill is to fill, and how."""

    since: datetime
    until: datetime | None
    concurrency: int
    priority: int
    rerun: bool
    reason: str = ""

    def body(self, *, dry_run: bool) -> bytes:
        until = instant_text(self.until, "until")
        said = msgspec.structs.asdict(self) | {"since": aware(self.since, "since"), "until": until, "dry_run": dry_run}
        return json_bytes(said)


def create_backfill(trigger: str, wanted: BackfillRange) -> Request[BackfillInfo]:
    path = f"/api/v1/triggers/{part(trigger)}/backfills"
    return Request("POST", path, _backfill, body=wanted.body(dry_run=False), wait=30.0)


def preview_backfill(trigger: str, wanted: BackfillRange) -> Request[BackfillPreview]:
    path = f"/api/v1/triggers/{part(trigger)}/backfills"
    return Request("POST", path, _plan, body=wanted.body(dry_run=True), wait=30.0, repeatable=True)


def get_backfill(backfill: str) -> Request[BackfillInfo]:
    return Request("GET", f"{PATH}/{part(backfill)}", _backfill)


def list_filled(backfill: str, *, limit: int, cursor: str | None) -> Request[FilledPage]:
    return Request("GET", f"{PATH}/{part(backfill)}/instants", _filled, params=given(limit=str(limit), cursor=cursor))


def list_backfills(*, trigger: str | None, limit: int, cursor: str | None) -> Request[BackfillPage]:
    return Request("GET", PATH, _page, params=given(trigger=trigger, limit=str(limit), cursor=cursor))


def cancel_backfill(backfill: str, *, reason: str) -> Request[BackfillInfo]:
    return Request("POST", f"{PATH}/{part(backfill)}/cancel", _backfill, body=json_bytes({"reason": reason}))


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
        """Begin to make runs for the trigger's instants of that range, in the background, skipping those that have run."""
        wanted = BackfillRange(
            since=since, until=until, concurrency=concurrency, priority=priority, rerun=rerun, reason=reason
        )
        return await self._call(create_backfill(trigger, wanted))

    async def preview(
        self, trigger: str, *, since: datetime, until: datetime | None = None, rerun: bool = False
    ) -> BackfillPreview:
        """What that would do; nothing is changed."""
        wanted = BackfillRange(since=since, until=until, concurrency=CONCURRENCY, priority=PRIORITY, rerun=rerun)
        return await self._call(preview_backfill(trigger, wanted))

    async def get(self, backfill: str) -> BackfillInfo:
        return await self._call(get_backfill(backfill))

    async def instants(self, backfill: str, *, limit: int = 100, cursor: str | None = None) -> FilledPage:
        """What it has made: each instant with its run."""
        return await self._call(list_filled(backfill, limit=limit, cursor=cursor))

    async def cancel(self, backfill: str, *, reason: str = "") -> BackfillInfo:
        """Make no more runs; those that were made go on. Raises ConflictError if it is over."""
        return await self._call(cancel_backfill(backfill, reason=reason))

    async def list(self, *, trigger: str | None = None, limit: int = 50, cursor: str | None = None) -> BackfillPage:
        return await self._call(list_backfills(trigger=trigger, limit=limit, cursor=cursor))


_backfill = msgspec.json.Decoder(BackfillInfo).decode
_plan = msgspec.json.Decoder(BackfillPreview).decode
_page = msgspec.json.Decoder(BackfillPage).decode
_filled = msgspec.json.Decoder(FilledPage).decode
