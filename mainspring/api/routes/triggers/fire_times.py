"""Instants of triggers: those to come, what became of those that came, and how many come together."""

from datetime import timedelta
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import NUMBER, parse_instant, read_struct, show
from mainspring.api.http.paging import read_instant_cursor
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.triggers.define import TriggerName
from mainspring.api.routes.triggers.views import previewed_spec, show_forecast, show_instants, show_preview
from mainspring.contract.triggers import PREVIEW_MAX, InstantPage, PreviewBody, TriggerForecast, TriggerPreview
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError

STRUCTS = (PreviewBody, TriggerPreview, InstantPage, TriggerForecast)
INSTANTS_MAX = 1_000
DAY = timedelta(days=1)

Instant = Annotated[str, Query(description="RFC 3339 with a UTC offset.", json_schema_extra={"format": "date-time"})]
Count = Annotated[int, Query(ge=1, le=PREVIEW_MAX)]
Limit = Annotated[int, Query(ge=1, le=INSTANTS_MAX)]
Cursor = Annotated[str, Query(json_schema_extra={"pattern": f"^{NUMBER.pattern}$"})]
Hours = Annotated[int, Query(ge=1, le=24 * 31)]
Step = Annotated[int, Query(ge=1, le=86_400, description="Seconds that are counted together.")]

router = APIRouter(prefix="/api/v1", route_class=GuardedRoute, tags=["triggers"])
_preview = msgspec.json.Decoder(PreviewBody)


@router.post(
    "/triggers/preview", openapi_extra=accepts(PreviewBody) | answers({200: (TriggerPreview,)}), response_model=None
)
@require(Permission.TRIGGERS_READ)
async def preview_rule(request: Request) -> Response:
    """When a trigger would fire that nobody has saved, in its zone and in UTC."""
    body = await read_struct(request, _preview)
    spec = previewed_spec(body)
    if body.after is not None:
        check_years(body.after, "after", code="bad_after")
    after = body.after or request.app.state.clock.now()
    found = await engine_of(request).triggers.preview(namespace_of(request), spec, after=after, count=body.count)
    return show(show_preview(spec, found))


@router.get("/triggers/{name}/preview", openapi_extra=answers({200: (TriggerPreview,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def preview_trigger(
    request: Request, name: TriggerName, *, after: Instant | None = None, count: Count = 10
) -> Response:
    """When a trigger fires next, in its zone and in UTC, as if it were not paused."""
    namespace, triggers = namespace_of(request), engine_of(request).triggers
    spec = (await triggers.get(namespace, name)).spec
    since = parse_instant("after", after) or request.app.state.clock.now()
    return show(show_preview(spec, await triggers.preview(namespace, spec, after=since, count=count)))


@router.get("/triggers/{name}/instants", openapi_extra=answers({200: (InstantPage,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def list_instants(
    request: Request,
    name: TriggerName,
    *,
    since: Instant | None = None,
    until: Instant | None = None,
    limit: Limit = 100,
    cursor: Cursor | None = None,
) -> Response:
    """Expected against actual: what became of each instant of a range, oldest first; of the last day unless one is said."""
    now = request.app.state.clock.now()
    before = parse_instant("until", until) or now
    first = parse_instant("since", since) or min(before, now) - DAY
    if first > before:
        raise InvalidInputError("since", "is after until", code="bad_since")
    found = await engine_of(request).triggers.instants(
        namespace_of(request),
        name,
        since=first,
        until=before,
        limit=limit,
        shown=None if cursor is None else read_instant_cursor(cursor),
    )
    return show(show_instants(found, limit=limit))


@router.get("/forecast", openapi_extra=answers({200: (TriggerForecast,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def get_forecast(
    request: Request, *, since: Instant | None = None, hours: Hours = 24, step: Step = 3600
) -> Response:
    """How many runs the triggers of a namespace will start, step by step: the herds, before they come."""
    first = parse_instant("since", since) or request.app.state.clock.now()
    found = await engine_of(request).triggers.forecast(
        namespace_of(request), since=first, hours=hours, step=timedelta(seconds=step)
    )
    return show(show_forecast(found))
