"""Dead letters, and sweeps over many runs."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypedDict, Unpack

import msgspec

from mainspring.client.calls import AsyncCall, given, part
from mainspring.client.transport.requests import Request
from mainspring.client.values import aware, json_bytes
from mainspring.contract.bulk import DeadGroupPage, DeadLetterInfo, DeadLetterPage, SweepInfo, SweepPage

DEAD, SWEEPS = "/api/v1/dead-letters", "/api/v1/sweeps"


class SweepFilters(TypedDict, total=False):
    """Which runs: those that match all of these."""

    fingerprint: str | None
    job: str | None
    queue: str | None
    states: Iterable[str]
    """Of a cancel: any of them."""
    tags: Iterable[str]
    labels: Mapping[str, str]
    since: datetime | None
    until: datetime | None


def list_groups(*, job: str | None, limit: int, cursor: str | None) -> Request[DeadGroupPage]:
    return Request("GET", DEAD, _groups, params=given(job=job, limit=str(limit), cursor=cursor))


def list_letters(fingerprint: str, *, limit: int, cursor: str | None) -> Request[DeadLetterPage]:
    return Request("GET", f"{DEAD}/{part(fingerprint)}", _letters, params=given(limit=str(limit), cursor=cursor))


def discard_run(run: str, *, reason: str) -> Request[DeadLetterInfo]:
    body = json_bytes({"reason": reason})
    return Request("POST", f"/api/v1/runs/{part(run)}/discard", _letter, body=body)


def create_sweep(
    act: str, filters: SweepFilters, *, reason: str, canaries: int, everything: bool
) -> Request[SweepInfo]:
    chosen = {name: value if isinstance(value, str) else plain(value, name) for name, value in filters.items() if value}
    said = {"act": act, "filter": chosen, "reason": reason, "canaries": canaries, "all": everything}
    return Request("POST", SWEEPS, _sweep, body=json_bytes(said))


def plain(value: Any, field: str) -> Any:
    """An instant with its offset, a mapping, or a list of words."""
    if isinstance(value, datetime):
        return aware(value, field)
    return dict(value) if isinstance(value, Mapping) else list(value)


def get_sweep(sweep: str) -> Request[SweepInfo]:
    return Request("GET", f"{SWEEPS}/{part(sweep)}", _sweep)


def list_sweeps(*, limit: int, cursor: str | None) -> Request[SweepPage]:
    return Request("GET", SWEEPS, _sweeps, params=given(limit=str(limit), cursor=cursor))


def cancel_sweep(sweep: str, *, reason: str) -> Request[SweepInfo]:
    return Request("POST", f"{SWEEPS}/{part(sweep)}/cancel", _sweep, body=json_bytes({"reason": reason}))


class AsyncDead:
    """`client.dead` of an `AsyncClient`: what failed for good."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def groups(self, *, job: str | None = None, limit: int = 50, cursor: str | None = None) -> DeadGroupPage:
        """By job, class of error and message; the one seen last first."""
        return await self._call(list_groups(job=job, limit=limit, cursor=cursor))

    async def letters(self, fingerprint: str, *, limit: int = 50, cursor: str | None = None) -> DeadLetterPage:
        """The runs of one group, oldest first."""
        return await self._call(list_letters(fingerprint, limit=limit, cursor=cursor))

    async def discard(self, run: str, *, reason: str = "") -> DeadLetterInfo:
        """Have a run listed no more; it stays failed. Raises ConflictError if it has not failed."""
        return await self._call(discard_run(run, reason=reason))


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
        **filters: Unpack[SweepFilters],
    ) -> SweepInfo:
        """Begin to `retry` or `discard` dead letters, or to `cancel` live runs; `everything` is needed without a filter."""
        return await self._call(create_sweep(act, filters, reason=reason, canaries=canaries, everything=everything))

    async def get(self, sweep: str) -> SweepInfo:
        return await self._call(get_sweep(sweep))

    async def cancel(self, sweep: str, *, reason: str = "") -> SweepInfo:
        """Leave the rest as it is. Raises ConflictError if it is over."""
        return await self._call(cancel_sweep(sweep, reason=reason))

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> SweepPage:
        return await self._call(list_sweeps(limit=limit, cursor=cursor))


_groups = msgspec.json.Decoder(DeadGroupPage).decode
_letters = msgspec.json.Decoder(DeadLetterPage).decode
_letter = msgspec.json.Decoder(DeadLetterInfo).decode
_sweep = msgspec.json.Decoder(SweepInfo).decode
_sweeps = msgspec.json.Decoder(SweepPage).decode
