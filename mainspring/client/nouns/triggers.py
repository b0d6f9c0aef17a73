"""Triggers: their definitions, their fire times, and acts on them; the addresses and secrets of webhooks."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Unpack

import msgspec

from mainspring.client.calls import AsyncCall, Request, ask, if_match, if_new
from mainspring.client.fields import TriggerFields
from mainspring.client.values import encode, instant_text, plain_seconds
from mainspring.contract.insights import herds
from mainspring.contract.insights.herds import HerdInfo, TriggerSpread
from mainspring.contract.operations import triggers, webhooks
from mainspring.contract.operations.jobs import NoteQuery
from mainspring.contract.triggers import (
    CrontabPreview,
    FiredRun,
    InstantPage,
    LoadedTriggers,
    SkippedInstant,
    TriggerForecast,
    TriggerInfo,
    TriggerPage,
    TriggerPreview,
)
from mainspring.contract.webhooks import HookCallList, HookInfo, HookSecret, TriedCall

LOAD_MAX = 10_000
Written = Mapping[str, Any] | msgspec.Raw | msgspec.Struct
"""A whole trigger or calendar, with its name."""


def load_triggers(wanted: Iterable[Written], note: str) -> Iterator[Request[LoadedTriggers]]:
    """One request for each chunk, which is loaded whole or not at all."""
    rest, query = iter(wanted), NoteQuery(note=note)
    while chunk := list(islice(rest, LOAD_MAX)):
        yield ask(triggers.LOAD_TRIGGERS, query=query, body=encode(chunk, "trigger"), wait=60.0)


class AsyncTriggers:
    """`client.triggers` of an `AsyncClient`; a change names the revision that it was made for."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> TriggerInfo:
        return await self._call(ask(triggers.GET_TRIGGER, name))

    async def create(self, name: str, **fields: Unpack[TriggerFields]) -> TriggerInfo:
        """Create a trigger; raises StaleError if the name is taken."""
        return await self._call(ask(triggers.PUT_TRIGGER, name, body=encode(fields, "trigger"), headers=if_new()))

    async def put(self, name: str, revision: int, **fields: Unpack[TriggerFields]) -> TriggerInfo:
        """Replace a definition as a whole; raises StaleError if the trigger is at another revision."""
        body = encode(fields, "trigger")
        return await self._call(ask(triggers.PUT_TRIGGER, name, body=body, headers=if_match(revision)))

    async def load(self, wanted: Iterable[Written], *, note: str = "") -> int:
        """Create or replace many triggers; each chunk of 10,000 whole or not at all. Returns their number."""
        return sum([(await self._call(request)).triggers for request in load_triggers(wanted, note)])

    async def delete(self, name: str, *, revision: int | None = None, note: str = "") -> None:
        headers = if_match(revision)
        await self._call(ask(triggers.DELETE_TRIGGER, name, query=NoteQuery(note=note), headers=headers))

    async def pause(self, name: str, *, reason: str = "") -> TriggerInfo:
        """Stop firing it."""
        return await self._call(ask(triggers.PAUSE_TRIGGER, name, body=triggers.PauseTriggerBody(reason=reason)))

    async def resume(self, name: str) -> TriggerInfo:
        return await self._call(ask(triggers.RESUME_TRIGGER, name))

    async def skip_next(self, name: str) -> SkippedInstant:
        """Skip its next fire time."""
        return await self._call(ask(triggers.SKIP_NEXT, name))

    async def fire(self, name: str) -> FiredRun:
        """Start a run of a trigger now, despite its policies; the answer names those that were passed over."""
        return await self._call(ask(triggers.FIRE_NOW, name))

    async def preview(self, name: str, *, count: int = 10, after: datetime | None = None) -> TriggerPreview:
        """Its next fire times."""
        query = triggers.PreviewQuery(count=count, after=instant_text(after, "after"))
        return await self._call(ask(triggers.PREVIEW_TRIGGER, name, query=query))

    async def read_crontab(
        self, text: str, *, zone: str = "UTC", system: bool | None = None, count: int = 3
    ) -> CrontabPreview:
        """The triggers that the lines of a crontab would become; `load` makes those that are wanted.

        `zone` is for lines that no `CRON_TZ` is above; `system`: a user stands before each command, as in /etc/crontab.
        """
        body = triggers.CrontabBody(text=text, zone=zone, system=system, count=count)
        return await self._call(ask(triggers.READ_CRONTAB, body=body))

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
        """The fire times of a rule that is not saved; `name` decides the meaning of `H`."""
        fields = {"name": name, "calendar": calendar, "roll": roll, "count": count, "after": after}
        body = {"when": when, **{field: value for field, value in fields.items() if value is not None}}
        return await self._call(ask(triggers.PREVIEW_RULE, body=encode(body, "trigger")))

    async def instants(
        self,
        name: str,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> InstantPage:
        """The outcome of each fire time, expected against actual; by default of the last day."""
        first, last = instant_text(since, "since"), instant_text(until, "until")
        query = triggers.InstantQuery(since=first, until=last, limit=limit, cursor=cursor)
        return await self._call(ask(triggers.LIST_INSTANTS, name, query=query))

    async def forecast(
        self, *, since: datetime | None = None, hours: int = 24, step: int = 3600, wait: float = 30.0
    ) -> TriggerForecast:
        """Count the runs that the triggers of the namespace will start, in steps of `step` seconds.

        Waits so many seconds, up to 60, until all are counted; if `counting` is true then, ask again for more.
        """
        query = triggers.ForecastQuery(since=instant_text(since, "since"), hours=hours, step=step, wait=wait)
        return await self._call(ask(triggers.GET_FORECAST, query=query, wait=wait + 30.0))

    async def herd(self, at: datetime, *, step: int = 300, limit: int = 200) -> HerdInfo:
        """List the triggers that make up the step of a forecast which begins at that instant."""
        query = herds.HerdQuery(at=instant_text(at, "at") or "", step=step, limit=limit)
        return await self._call(ask(herds.GET_HERD, query=query, wait=30.0))

    async def spread(
        self,
        names: Iterable[str],
        over: float | timedelta,
        *,
        group: str = "",
        at: datetime | None = None,
        dry_run: bool = False,
        note: str = "",
    ) -> TriggerSpread:
        """Spread up to 1,000 triggers over a time after their instants, all or none; `dry_run` only counts."""
        seconds = plain_seconds(over)
        body = herds.SpreadBody(names=[*names], over=seconds, group=group, at=at, dry_run=dry_run, note=note)
        return await self._call(ask(herds.SPREAD_TRIGGERS, body=body, wait=30.0))

    async def list(self, *, limit: int = 50, cursor: str | None = None, **filters: str | None) -> TriggerPage:
        """By `prefix`, `job`, `kind`, `state`, `owner`, `calendar`, `group`."""
        named = {name: value for name, value in filters.items() if value is not None}
        query = triggers.TriggerQuery(limit=limit, cursor=cursor, **named)
        return await self._call(ask(triggers.LIST_TRIGGERS, query=query))


class AsyncHooks:
    """`client.hooks` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, trigger: str) -> HookInfo:
        """Raises ConflictError if the webhook has no secret yet."""
        return await self._call(ask(webhooks.GET_HOOK, trigger))

    async def calls(self, trigger: str) -> HookCallList:
        """The newest calls of a webhook, with the run of each or why it was refused."""
        return await self._call(ask(webhooks.LIST_HOOK_CALLS, trigger))

    async def rotate(self, trigger: str, *, grace: float | timedelta = 0, new_address: bool = False) -> HookSecret:
        """Give a webhook its first secret, or another one; the old one stays valid for `grace` seconds."""
        body = webhooks.SecretBody(grace=plain_seconds(grace), new_address=new_address)
        return await self._call(ask(webhooks.ROTATE_SECRET, trigger, body=body))

    async def test(self, trigger: str, body: str, headers: Mapping[str, str] | None = None) -> TriedCall:
        """Show the effect of a call, or of an event with that data; nothing is done."""
        small = {name.lower(): value for name, value in (headers or {}).items()}
        return await self._call(ask(webhooks.TRY_CALL, trigger, body=webhooks.TryBody(headers=small, body=body)))
