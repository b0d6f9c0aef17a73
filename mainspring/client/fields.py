"""Definitions as keyword arguments: the fields that callers may set; the rest has its default."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict


class RetryFields(TypedDict, total=False):
    """The fields of a retry policy."""

    attempts: int
    backoff: float
    backoff_max: float
    multiplier: float
    retry_on: Sequence[str]
    give_up_on: Sequence[str]
    budget: float | None


class JobFields(TypedDict, total=False):
    """The fields of a job."""

    handler: str
    queue: str
    priority: int
    retry: RetryFields
    description: str
    input: dict[str, Any]
    timeout: float | None
    deadline: float | None
    start_within: float | None
    on_lost: str
    losses_max: int
    policy: Mapping[str, Any]
    """How many of its runs may be under way, how fast they start, and where."""
    note: str


class TriggerFields(TypedDict, total=False):
    """The fields of a trigger; those left out have their defaults."""

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


class CalendarFields(TypedDict, total=False):
    """The fields of a calendar; those left out have their defaults."""

    description: str
    zone: str
    weekdays: Sequence[str]
    holidays: Sequence[Mapping[str, str]]
    dates: Mapping[str, str]
    counted: Sequence[str]
    blackouts: Sequence[Mapping[str, Any]]
    daily_blackouts: Sequence[Mapping[str, Any]]
    note: str
