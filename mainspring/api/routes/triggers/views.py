"""How triggers and their instants look in JSON, going in and coming out."""

from collections.abc import Sequence

from mainspring.api.http.paging import write_instant_cursor
from mainspring.api.views import view_of
from mainspring.contract.operations.triggers import PREVIEW_NAME, PreviewBody, TriggerBody
from mainspring.contract.triggers import (
    InstantInfo,
    InstantPage,
    PreviewedInstant,
    TriggerForecast,
    TriggerInfo,
    TriggerPause,
    TriggerPreview,
)
from mainspring.domain.ids import id_text
from mainspring.domain.triggers.describe import say
from mainspring.domain.triggers.fire_times.expected import Instant
from mainspring.domain.triggers.fire_times.preview import Previewed
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger
from mainspring.errors import InvalidInputError
from mainspring.scheduler.triggers.count_forecasts import ForecastSoFar

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


def show_trigger(trigger: Trigger) -> TriggerInfo:
    pause = trigger.paused
    return view_of(
        TriggerInfo,
        trigger,
        words=say(trigger.spec),
        pending=[id_text(run) for run in trigger.pending],
        held=list(trigger.held),
        skips=list(trigger.asked),
        paused=None if pause is None else TriggerPause(pause.reason, pause.by, pause.at),
    )


def show_preview(spec: TriggerSpec, instants: Sequence[Previewed]) -> TriggerPreview:
    found = [PreviewedInstant(each.at, each.local, each.note, each.spread, each.jitter) for each in instants]
    return TriggerPreview(say(spec), found)


def show_instants(instants: Sequence[Instant], *, limit: int) -> InstantPage:
    following = write_instant_cursor(instants[-1].at) if len(instants) >= limit else None
    return InstantPage([show_instant(each) for each in instants], following)


def show_instant(instant: Instant) -> InstantInfo:
    run = None if instant.run is None else id_text(instant.run)
    backfill = None if instant.backfill is None else id_text(instant.backfill)
    return InstantInfo(instant.at, instant.outcome, instant.reason, run, backfill, instant.last)


def show_forecast(found: ForecastSoFar) -> TriggerForecast:
    forecast, at = found.forecast, found.at
    step = int(forecast.step.total_seconds())
    return view_of(TriggerForecast, forecast, step=step, counts=list(forecast.counts), counted_at=at)
