"""What a job is: as it is shown, and as people may say it."""

from collections.abc import Sequence
from typing import Any, TypedDict

import msgspec


class RetryInfo(msgspec.Struct, frozen=True):
    attempts: int
    backoff: float
    backoff_max: float
    multiplier: float = 2.0
    retry_on: tuple[str, ...] = ()
    give_up_on: tuple[str, ...] = ()
    budget: float | None = None


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    """What a job is, as code or somebody says."""

    handler: str
    queue: str
    priority: int
    retry: RetryInfo
    description: str
    input: dict[str, Any] = {}
    schema: dict[str, Any] = {}
    timeout: float | None = None
    """Seconds that an attempt may take."""
    deadline: float | None = None
    """Seconds that a run may take in all, from when it is due."""
    start_within: float | None = None
    """Seconds that a run may wait for its first attempt, from when it is due."""
    on_lost: str = "retry"
    losses_max: int = 3


class RetryFields(TypedDict, total=False):
    """What may be said about tries."""

    attempts: int
    backoff: float
    backoff_max: float
    multiplier: float
    retry_on: Sequence[str]
    give_up_on: Sequence[str]
    budget: float | None


class JobFields(TypedDict, total=False):
    """What people may say of a job."""

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
    note: str
