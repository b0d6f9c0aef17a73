"""Triggers and their instants, as a server shows them, and as people may write them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

import msgspec


class TriggerFields(TypedDict, total=False):
    """What people may say of a trigger; what is left out has its default."""

    job: str
    when: Mapping[str, Any]
    """The rule: its `kind` (`cron`, `interval`, `delay`, `once`, `windows`, `webhook`, `event`), and what belongs to that."""
    description: str
    input: Mapping[str, Any]
    queue: str | None
    priority: int | None
    labels: Mapping[str, str]
    tags: Sequence[str]
    start_at: datetime | None
    end_at: datetime | None
    fires_max: int | None
    jitter: float
    group: str
    spread: float
    calendar: str
    roll: str
    misfire: str
    catch_up_max: int
    start_deadline: float | None
    overlap: str
    overlap_max: int
    pause_after: int | None
    note: str


class TriggerPause(msgspec.Struct, frozen=True):
    reason: str
    by: str
    at: datetime


class TriggerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger at the moment it was asked for."""

    name: str
    namespace: str
    revision: int
    """Grows with every change of the definition."""
    state: str
    """`active`, `paused` or `ended`."""
    words: str
    """When it fires, for people."""
    spec: dict[str, Any]
    """The definition, without what has its default."""
    next_due: datetime | None = None
    last_fire_at: datetime | None = None
    fired: int = 0
    failures: int = 0
    pending: list[str] = []
    """Runs whose ends it waits for,"""
    held: list[datetime] = []
    """and the instants that wait with it."""
    skips: list[datetime] = []
    """Instants that are left out because a caller asked for that, oldest first; one that has passed may still stand here."""
    paused: TriggerPause | None = None
    owner: str = ""
    drifted: bool = False
    created_at: datetime
    updated_at: datetime


class TriggerPage(msgspec.Struct, frozen=True):
    """Some triggers by name; `next` is the cursor of the page behind."""

    triggers: list[TriggerInfo]
    next: str | None


class SkippedInstant(msgspec.Struct, frozen=True):
    skipped: datetime
    trigger: TriggerInfo


class PreviewedInstant(msgspec.Struct, frozen=True):
    at: datetime
    local: datetime
    """The same instant on the clock of the trigger's zone."""
    note: str = ""
    """What a clock that is set forward or back has to do with it."""
    spread: float = 0.0
    """Seconds by which its run is due later: by the trigger's place in the spread of its group,"""
    jitter: float = 0.0
    """and by its jitter."""


class TriggerPreview(msgspec.Struct, frozen=True):
    words: str
    instants: list[PreviewedInstant]


class InstantInfo(msgspec.Struct, frozen=True):
    """What became of an instant: `fired`, `skipped`, `prepared`, `held`, `paused`, `expected` or `missing`."""

    at: datetime
    outcome: str
    reason: str | None = None
    run: str | None = None
    backfill: str | None = None
    """What made that run, if the instant lay behind by then."""
    last: datetime | None = None
    """If it is there, this stands for all instants from `at` to `last`, whose rule has been changed since."""


class InstantPage(msgspec.Struct, frozen=True):
    """Some instants, oldest first; `next` is the cursor of the page behind."""

    instants: list[InstantInfo]
    next: str | None


class TriggerForecast(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs triggers will start, step by step; steps begin at multiples of their length, in UTC."""

    since: datetime
    step: int
    """Seconds."""
    counts: list[int]
    """In each step."""
    total: int
    peak: int
    triggers: int
    """How many were looked at,"""
    complete: bool
    """and whether that were all of them, with all of their instants."""
