"""Triggers: what starts runs, and when."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any, Unpack

import msgspec

from mainspring.client.calls import AsyncCall, given, part
from mainspring.client.fields import TriggerFields
from mainspring.client.nouns.jobs import seen
from mainspring.client.transport.requests import Request
from mainspring.client.values import instant_text, json_bytes
from mainspring.contract.runs import AcceptedRun
from mainspring.contract.triggers import (
    InstantPage,
    LoadedTriggers,
    SkippedInstant,
    TriggerForecast,
    TriggerInfo,
    TriggerPage,
    TriggerPreview,
)
from mainspring.errors import InvalidInputError

PATH = "/api/v1/triggers"
LOAD_MAX = 10_000
Written = Mapping[str, Any] | msgspec.Raw | msgspec.Struct
"""A whole trigger or calendar, with its name."""


def list_triggers(*, limit: int, cursor: str | None, **filters: str | None) -> Request[TriggerPage]:
    return Request("GET", PATH, _page, params=given(**filters, limit=str(limit), cursor=cursor))


def get_trigger(name: str) -> Request[TriggerInfo]:
    return Request("GET", f"{PATH}/{part(name)}", _trigger)


def create_trigger(name: str, fields: TriggerFields) -> Request[TriggerInfo]:
    return Request("PUT", f"{PATH}/{part(name)}", _trigger, body=encode(fields), headers={"if-none-match": "*"})


def put_trigger(name: str, revision: int, fields: TriggerFields) -> Request[TriggerInfo]:
    return Request("PUT", f"{PATH}/{part(name)}", _trigger, body=encode(fields), headers=seen(revision))


def delete_trigger(name: str, revision: int | None, note: str) -> Request[None]:
    return Request("DELETE", f"{PATH}/{part(name)}", _nothing, params=given(note=note or None), headers=seen(revision))


def load_triggers(triggers: Iterable[Written], note: str) -> Iterator[Request[LoadedTriggers]]:
    """One request for each chunk, which is loaded whole or not at all."""
    rest = iter(triggers)
    while chunk := list(islice(rest, LOAD_MAX)):
        yield Request("POST", f"{PATH}/bulk", _loaded, params=given(note=note or None), body=encode(chunk), wait=60.0)


def pause_trigger(name: str, reason: str) -> Request[TriggerInfo]:
    return Request("POST", f"{PATH}/{part(name)}/pause", _trigger, body=json_bytes({"reason": reason}))


def resume_trigger(name: str) -> Request[TriggerInfo]:
    return Request("POST", f"{PATH}/{part(name)}/resume", _trigger)


def skip_next(name: str) -> Request[SkippedInstant]:
    return Request("POST", f"{PATH}/{part(name)}/skip-next", _skipped)


def fire_trigger(name: str) -> Request[AcceptedRun]:
    return Request("POST", f"{PATH}/{part(name)}/fire", _accepted)


def preview_trigger(name: str, *, count: int, after: datetime | None) -> Request[TriggerPreview]:
    params = given(count=str(count), after=instant_text(after, "after"))
    return Request("GET", f"{PATH}/{part(name)}/preview", _preview, params=params)


def preview_rule(when: Mapping[str, Any], fields: Mapping[str, Any]) -> Request[TriggerPreview]:
    said = {name: value for name, value in fields.items() if value is not None}
    return Request("POST", f"{PATH}/preview", _preview, body=encode({"when": when, **said}), repeatable=True)


def list_instants(
    name: str, *, since: datetime | None, until: datetime | None, limit: int, cursor: str | None
) -> Request[InstantPage]:
    params = given(
        since=instant_text(since, "since"), until=instant_text(until, "until"), limit=str(limit), cursor=cursor
    )
    return Request("GET", f"{PATH}/{part(name)}/instants", _instants, params=params)


def get_forecast(*, since: datetime | None, hours: int, step: int) -> Request[TriggerForecast]:
    params = given(since=instant_text(since, "since"), hours=str(hours), step=str(step))
    return Request("GET", "/api/v1/forecast", _forecast, params=params, wait=30.0)


def encode(content: Any) -> bytes:
    try:
        return json_bytes(content)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError("trigger", f"cannot be written as JSON: {error}", code="bad_trigger") from None


class AsyncTriggers:
    """`client.triggers` of an `AsyncClient`; a change names the revision that it was made for."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> TriggerInfo:
        return await self._call(get_trigger(name))

    async def create(self, name: str, **fields: Unpack[TriggerFields]) -> TriggerInfo:
        """Make a trigger; raises StaleError if there is one of that name."""
        return await self._call(create_trigger(name, fields))

    async def put(self, name: str, revision: int, **fields: Unpack[TriggerFields]) -> TriggerInfo:
        """Replace a definition as a whole; raises StaleError if it is at another revision by now."""
        return await self._call(put_trigger(name, revision, fields))

    async def load(self, triggers: Iterable[Written], *, note: str = "") -> int:
        """Make many, or give those that are there these definitions; each chunk of 10,000 whole or not at all."""
        return sum([(await self._call(request)).triggers for request in load_triggers(triggers, note)])

    async def delete(self, name: str, *, revision: int | None = None, note: str = "") -> None:
        await self._call(delete_trigger(name, revision, note))

    async def pause(self, name: str, *, reason: str = "") -> TriggerInfo:
        """Fire at nothing from now on."""
        return await self._call(pause_trigger(name, reason))

    async def resume(self, name: str) -> TriggerInfo:
        return await self._call(resume_trigger(name))

    async def skip_next(self, name: str) -> SkippedInstant:
        """Leave out the next instant."""
        return await self._call(skip_next(name))

    async def fire(self, name: str) -> str:
        """Start a run as the trigger would, now; returns its id."""
        return (await self._call(fire_trigger(name))).id

    async def preview(self, name: str, *, count: int = 10, after: datetime | None = None) -> TriggerPreview:
        """When it fires next."""
        return await self._call(preview_trigger(name, count=count, after=after))

    async def preview_rule(
        self,
        when: Mapping[str, Any],
        *,
        name: str | None = None,
        calendar: str | None = None,
        roll: str | None = None,
        count: int = 10,
        after: datetime | None = None,
    ) -> TriggerPreview:
        """When a trigger would fire that nobody has saved; `name` decides what `H` stands for."""
        fields = {"name": name, "calendar": calendar, "roll": roll, "count": count, "after": after}
        return await self._call(preview_rule(when, fields))

    async def instants(
        self,
        name: str,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> InstantPage:
        """What became of each instant: expected against actual; of the last day, unless said otherwise."""
        return await self._call(list_instants(name, since=since, until=until, limit=limit, cursor=cursor))

    async def forecast(self, *, since: datetime | None = None, hours: int = 24, step: int = 3600) -> TriggerForecast:
        """How many runs the triggers of the namespace will start, in steps of so many seconds."""
        return await self._call(get_forecast(since=since, hours=hours, step=step))

    async def list(self, *, limit: int = 50, cursor: str | None = None, **filters: str | None) -> TriggerPage:
        """By `prefix`, `job`, `kind`, `state`, `owner`, `calendar`, `group`."""
        return await self._call(list_triggers(limit=limit, cursor=cursor, **filters))


_trigger = msgspec.json.Decoder(TriggerInfo).decode
_page = msgspec.json.Decoder(TriggerPage).decode
_loaded = msgspec.json.Decoder(LoadedTriggers).decode
_skipped = msgspec.json.Decoder(SkippedInstant).decode
_accepted = msgspec.json.Decoder(AcceptedRun).decode
_preview = msgspec.json.Decoder(TriggerPreview).decode
_forecast = msgspec.json.Decoder(TriggerForecast).decode
_instants = msgspec.json.Decoder(InstantPage).decode


def _nothing(_content: bytes) -> None: ...
