"""Generated from mainspring/client/nouns/triggers.py by `make client-sync`: do not edit."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Unpack

from mainspring.client.calls import SyncCall
from mainspring.client.fields import TriggerFields
from mainspring.client.nouns.triggers import (
    Written,
    create_trigger,
    delete_trigger,
    fire_trigger,
    get_forecast,
    get_trigger,
    list_instants,
    list_triggers,
    load_triggers,
    pause_trigger,
    preview_rule,
    preview_trigger,
    put_trigger,
    resume_trigger,
    skip_next,
)
from mainspring.contract.triggers import (
    InstantPage,
    SkippedInstant,
    TriggerForecast,
    TriggerInfo,
    TriggerPage,
    TriggerPreview,
)


class Triggers:
    """`client.triggers` of a `Client`; a change names the revision that it was made for."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> TriggerInfo:
        return self._call(get_trigger(name))

    def create(self, name: str, **fields: Unpack[TriggerFields]) -> TriggerInfo:
        """Make a trigger; raises StaleError if there is one of that name."""
        return self._call(create_trigger(name, fields))

    def put(self, name: str, revision: int, **fields: Unpack[TriggerFields]) -> TriggerInfo:
        """Replace a definition as a whole; raises StaleError if it is at another revision by now."""
        return self._call(put_trigger(name, revision, fields))

    def load(self, triggers: Iterable[Written], *, note: str = "") -> int:
        """Make many, or give those that are there these definitions; each chunk of 10,000 whole or not at all."""
        return sum([(self._call(request)).triggers for request in load_triggers(triggers, note)])

    def delete(self, name: str, *, revision: int | None = None, note: str = "") -> None:
        self._call(delete_trigger(name, revision, note))

    def pause(self, name: str, *, reason: str = "") -> TriggerInfo:
        """Fire at nothing from now on."""
        return self._call(pause_trigger(name, reason))

    def resume(self, name: str) -> TriggerInfo:
        return self._call(resume_trigger(name))

    def skip_next(self, name: str) -> SkippedInstant:
        """Leave out the next instant."""
        return self._call(skip_next(name))

    def fire(self, name: str) -> str:
        """Start a run as the trigger would, now; returns its id."""
        return (self._call(fire_trigger(name))).id

    def preview(self, name: str, *, count: int = 10, after: datetime | None = None) -> TriggerPreview:
        """When it fires next."""
        return self._call(preview_trigger(name, count=count, after=after))

    def preview_rule(
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
        return self._call(preview_rule(when, fields))

    def instants(
        self,
        name: str,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> InstantPage:
        """What became of each instant: expected against actual; of the last day, unless said otherwise."""
        return self._call(list_instants(name, since=since, until=until, limit=limit, cursor=cursor))

    def forecast(self, *, since: datetime | None = None, hours: int = 24, step: int = 3600) -> TriggerForecast:
        """How many runs the triggers of the namespace will start, in steps of so many seconds."""
        return self._call(get_forecast(since=since, hours=hours, step=step))

    def list(self, *, limit: int = 50, cursor: str | None = None, **filters: str | None) -> TriggerPage:
        """By `prefix`, `job`, `kind`, `state`, `owner`, `calendar`, `group`."""
        return self._call(list_triggers(limit=limit, cursor=cursor, **filters))
