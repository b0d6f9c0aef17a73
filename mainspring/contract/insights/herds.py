"""Triggers that start runs together: the operations that show and spread them, their bodies and views."""

from datetime import datetime
from typing import Annotated

import msgspec

from mainspring.contract.base.fields import Instant, InstantText, Note
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.base.view import View
from mainspring.contract.operations.triggers import StepSeconds, TriggerName
from mainspring.domain.access.permissions import Permission

SPREAD_NAMES_MAX = 1_000
SPREAD_MAX = 86_400.0


class HerdQuery(Query):
    at: InstantText
    step: StepSeconds = 300
    limit: Annotated[int, msgspec.Meta(ge=1, le=SPREAD_NAMES_MAX)] = 200


class HerdMember(View, frozen=True, kw_only=True):
    """A trigger, and how many of its runs are due in the step."""

    name: str
    job: str
    words: str
    runs: int
    spread: float
    """Seconds that it is spread over already."""


class HerdInfo(View, frozen=True, kw_only=True):
    """The triggers that make up one step of a forecast, those with the most runs first."""

    at: datetime
    step: int
    runs: int
    """Of all of them."""
    triggers: list[HerdMember]
    more: int
    """Triggers that are not listed."""
    complete: bool
    """Whether every trigger of the namespace was looked at."""


class SpreadBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Triggers to spread: each keeps its rule, and its runs are due at a place of its own behind the instant."""

    names: Annotated[list[TriggerName], msgspec.Meta(min_length=1, max_length=SPREAD_NAMES_MAX)]
    over: Annotated[float, msgspec.Meta(ge=0, le=SPREAD_MAX)]
    """Seconds; 0: no spread."""
    group: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """Empty: each keeps its own."""
    at: Instant | None = None
    """Where the counts begin; null: now."""
    dry_run: bool = False
    """Count only; change nothing."""
    note: Note = ""
    """Kept in the audit log."""


class SpreadBefore(View, frozen=True, kw_only=True):
    """How a trigger was spread before, to take the change back."""

    name: str
    spread: float
    group: str


class TriggerSpread(View, frozen=True, kw_only=True):
    """Runs of these triggers by steps of time from `since` on, before and after."""

    applied: bool
    since: datetime
    step: int
    """Seconds."""
    before: list[int]
    after: list[int]
    peak_before: int
    peak_after: int
    triggers: list[SpreadBefore]


GET_HERD = Operation(
    "get_herd",
    "GET /api/v1/forecast/cell",
    Permission.TRIGGERS_READ,
    "List the triggers that make up one step of a forecast.",
    HerdInfo,
    query=HerdQuery,
    tag="triggers",
)
SPREAD_TRIGGERS = Operation(
    "spread_triggers",
    "POST /api/v1/triggers/spread",
    Permission.TRIGGERS_WRITE,
    "Spread triggers over a time after their instants, all or none; with `dry_run`, only count before and after.",
    TriggerSpread,
    body=SpreadBody,
    repeatable=True,
    tag="triggers",
)
