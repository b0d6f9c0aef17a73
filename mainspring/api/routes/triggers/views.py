"""How triggers and their instants look in JSON, going in and coming out."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import msgspec

from mainspring.api.http.json_io import EPOCH, instant_at
from mainspring.api.routes.jobs.views import Note
from mainspring.api.routes.queues.views import Reason
from mainspring.domain.ids import id_text
from mainspring.domain.triggers.describe import say
from mainspring.domain.triggers.fire_times.expected import Instant, Outcome
from mainspring.domain.triggers.fire_times.forecast import Forecast
from mainspring.domain.triggers.fire_times.misfires import SkipReason
from mainspring.domain.triggers.fire_times.preview import Previewed
from mainspring.domain.triggers.spec import AnyRule, Roll, TriggerSpec
from mainspring.domain.triggers.trigger import Trigger, TriggerState
from mainspring.errors import InvalidInputError

PREVIEW_MAX = 1_000
PREVIEW_NAME = "preview"
BULK_MAX = 10_000

Count = Annotated[int, msgspec.Meta(ge=1, le=PREVIEW_MAX)]
Aware = Annotated[datetime, msgspec.Meta(tz=True, description="RFC 3339 with a UTC offset.")]


class TriggerBody(TriggerSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole definition; what is left out has its default."""

    name: str = ""
    """May be left out: it is in the address."""
    note: Note = ""
    """Kept in the audit log."""


class TriggerPauseBody(msgspec.Struct, forbid_unknown_fields=True):
    reason: Reason = ""


class NoBody(msgspec.Struct, forbid_unknown_fields=True):
    """There is nothing to say about it."""


class PreviewBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule that nobody has saved, and how many of its instants to name."""

    when: AnyRule
    name: str = PREVIEW_NAME
    """Decides what `H` stands for."""
    start_at: Aware | None = None
    end_at: Aware | None = None
    calendar: str = ""
    roll: Roll = Roll.SKIP
    after: Aware | None = None
    """Null: now."""
    count: Count = 10


class TriggerPauseView(msgspec.Struct, frozen=True):
    reason: str
    by: str
    at: datetime


class TriggerView(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger as it is now. Its revision grows with every change of the definition."""

    name: str
    namespace: str
    revision: int
    state: TriggerState
    words: str
    """When it fires, for people."""
    spec: TriggerSpec
    next_due: datetime | None
    """When it fires next."""
    last_fire_at: datetime | None
    """Null: it has not fired, or nobody knows any more."""
    fired: int
    failures: int
    """Runs in a row that failed, if that matters to it."""
    pending: list[str]
    """Runs whose ends it waits for,"""
    held: list[datetime]
    """and the instants that wait with it."""
    skips: list[datetime]
    """Instants that are left out because a caller asked for that, oldest first; one that has passed may still stand here."""
    paused: TriggerPauseView | None
    owner: str
    """What it was applied from; empty: it was made through the API."""
    drifted: bool
    """Whether it was changed since it was applied."""
    created_at: datetime
    updated_at: datetime


class TriggersView(msgspec.Struct, frozen=True):
    """A page; `next` is the cursor of the one behind it."""

    triggers: list[TriggerView]
    next: str | None


class LoadedView(msgspec.Struct, frozen=True):
    """How many were loaded."""

    triggers: int


class SkippedView(msgspec.Struct, frozen=True):
    skipped: datetime
    trigger: TriggerView


class PreviewedView(msgspec.Struct, frozen=True):
    at: datetime
    local: datetime
    """The same instant as the clock of the trigger's zone shows it."""
    note: str
    """What a clock that is set forward or back has to do with it; empty: nothing."""
    spread: float
    """Seconds by which its run is due later: by the trigger's place in the spread of its group,"""
    jitter: float
    """and by its jitter."""


class PreviewView(msgspec.Struct, frozen=True):
    words: str
    instants: list[PreviewedView]


class InstantView(msgspec.Struct, frozen=True):
    at: datetime
    outcome: Outcome
    reason: SkipReason | None
    """Why it has no run."""
    run: str | None
    backfill: str | None
    """What made that run, if the instant lay behind by then."""
    last: datetime | None
    """If it is there, this stands for all instants from `at` to `last`, skipped by a rule or a calendar that was changed since:
    the two are known, how many lie between is not."""


class InstantsView(msgspec.Struct, frozen=True):
    """A page, oldest first; `next` is the cursor of the one behind it."""

    instants: list[InstantView]
    next: str | None


class ForecastView(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs triggers will start, in steps from `since` on, which is a multiple of the step since 1970 in UTC; the first
    and the last step may be cut short by what was asked for."""

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


STRUCTS = (
    TriggerSpec,
    TriggerBody,
    TriggerPauseBody,
    NoBody,
    TriggerView,
    TriggersView,
    LoadedView,
    SkippedView,
)
SPEC_FIELDS = TriggerSpec.__struct_fields__


def as_spec(name: str, body: TriggerBody) -> TriggerSpec:
    if body.name not in ("", name):
        raise InvalidInputError("name", f"is another one than in the address: {name!r}", code="bad_trigger")
    return TriggerSpec(**{field: getattr(body, field) for field in SPEC_FIELDS} | {"name": name})


def previewed_spec(body: PreviewBody) -> TriggerSpec:
    """A trigger that fires so; which job it would start does not matter."""
    return TriggerSpec(
        name=body.name,
        job=PREVIEW_NAME,
        when=body.when,
        start_at=body.start_at,
        end_at=body.end_at,
        calendar=body.calendar,
        roll=body.roll,
    )


def show_trigger(trigger: Trigger) -> TriggerView:
    pause = trigger.paused
    return TriggerView(
        name=trigger.name,
        namespace=trigger.namespace,
        revision=trigger.revision,
        state=trigger.state,
        words=say(trigger.spec),
        spec=trigger.spec,
        next_due=trigger.next_due,
        last_fire_at=trigger.last_fire_at,
        fired=trigger.fired,
        failures=trigger.failures,
        pending=[id_text(run) for run in trigger.pending],
        held=list(trigger.held),
        skips=list(trigger.asked),
        paused=None if pause is None else TriggerPauseView(pause.reason, pause.by, pause.at),
        owner=trigger.owner,
        drifted=trigger.drifted,
        created_at=trigger.created_at,
        updated_at=trigger.updated_at,
    )


def show_preview(spec: TriggerSpec, instants: Sequence[Previewed]) -> PreviewView:
    found = [PreviewedView(each.at, each.local, each.note, each.spread, each.jitter) for each in instants]
    return PreviewView(say(spec), found)


def show_instants(instants: Sequence[Instant], *, limit: int) -> InstantsView:
    following = write_cursor(instants[-1].at) if len(instants) >= limit else None
    return InstantsView([show_instant(each) for each in instants], following)


def show_instant(instant: Instant) -> InstantView:
    run = None if instant.run is None else id_text(instant.run)
    backfill = None if instant.backfill is None else id_text(instant.backfill)
    return InstantView(instant.at, instant.outcome, instant.reason, run, backfill, instant.last)


def write_cursor(at: datetime) -> str:
    """Where a page of instants ended."""
    return str((at - EPOCH) // datetime.resolution)


def read_cursor(text: str) -> datetime:
    """The last of the page before."""
    return instant_at(text)


def show_forecast(forecast: Forecast) -> ForecastView:
    return ForecastView(
        since=forecast.since,
        step=int(forecast.step.total_seconds()),
        counts=list(forecast.counts),
        total=forecast.total,
        peak=forecast.peak,
        triggers=forecast.triggers,
        complete=forecast.complete,
    )
