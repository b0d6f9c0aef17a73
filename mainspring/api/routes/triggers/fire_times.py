"""Serves the fire times of triggers: those to come, the outcomes of those that came, and how many come together."""

from datetime import timedelta

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.engine_gate import gate_of
from mainspring.api.http.json_io import parse_instant
from mainspring.api.http.paging import read_instant_cursor
from mainspring.api.routes.triggers.views import previewed_spec, show_forecast, show_instants, show_preview
from mainspring.contract.operations import triggers
from mainspring.contract.triggers import InstantPage, TriggerForecast, TriggerPreview
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError
from mainspring.scheduler.triggers.count_forecasts import PATIENCE, ForecastSoFar, Question

DAY = timedelta(days=1)
WAIT_SLICE = 1.0

router = Routes()


@router.bind(triggers.PREVIEW_RULE)
async def preview_rule(call: Call, body: triggers.PreviewBody) -> TriggerPreview:
    spec = previewed_spec(body)
    if body.after is not None:
        check_years(body.after, "after", code="bad_after")
    after = body.after or call.now
    return show_preview(spec, await call.engine.triggers.preview(call.namespace, spec, after=after, count=body.count))


@router.bind(triggers.PREVIEW_TRIGGER)
async def preview_trigger(call: Call, name: str, query: triggers.PreviewQuery) -> TriggerPreview:
    spec = (await call.engine.triggers.get(call.namespace, name)).spec
    after = parse_instant("after", query.after) or call.now
    return show_preview(spec, await call.engine.triggers.preview(call.namespace, spec, after=after, count=query.count))


@router.bind(triggers.LIST_INSTANTS)
async def list_instants(call: Call, name: str, query: triggers.InstantQuery) -> InstantPage:
    now = call.now
    before = parse_instant("until", query.until) or now
    first = parse_instant("since", query.since) or min(before, now) - DAY
    if first > before:
        raise InvalidInputError("since", "is after until", code="bad_since")
    instants = await call.engine.triggers.instants(
        call.namespace,
        name,
        since=first,
        until=before,
        limit=query.limit,
        shown=None if query.cursor is None else read_instant_cursor(query.cursor),
    )
    return show_instants(instants, limit=query.limit)


@router.bind(triggers.GET_FORECAST)
async def get_forecast(call: Call, query: triggers.ForecastQuery) -> TriggerForecast:
    since, step = parse_instant("since", query.since), timedelta(seconds=query.step)
    question = Question(call.namespace, since, query.hours, step)
    return show_forecast(await wait_for_forecast(call, question, query.wait))


async def wait_for_forecast(call: Call, question: Question, seconds: float) -> ForecastSoFar:
    """Waits in slices, so that a draining server is not kept by its callers."""
    gate = gate_of(call.request)
    while True:
        found = await call.engine.forecasts.look(question, wait=min(max(seconds, PATIENCE), WAIT_SLICE))
        seconds -= WAIT_SLICE
        if not found.forecast.counting or seconds <= 0 or gate.draining:
            return found
