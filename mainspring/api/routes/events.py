"""Events that somebody tells, for the triggers that wait for them; what was told is counted."""

import re
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.errors import problem_of
from mainspring.api.http.bodies import Held, check_content_type, check_text, unreadable
from mainspring.api.http.json_io import read_small, show
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.runs.bodies import explain
from mainspring.contract.events import (
    EventBody,
    EventRefusal,
    EventRun,
    EventsBody,
    EventTypeInfo,
    EventTypePage,
    Published,
)
from mainspring.domain.ids import id_text
from mainspring.domain.webhooks.event_match import EVENT_TYPE
from mainspring.scheduler.triggers.events import Answer, Told

EVENTS_BODY_MAX = 4 * 1024 * 1024
PAGE_MAX = 500
MANY = re.compile(rb'\s*\{\s*"events"\s*:')

Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
After = Annotated[str, Query(alias="cursor", pattern=f"^({EVENT_TYPE.pattern})?$", max_length=200)]


STRUCTS = (EventBody, EventsBody, Published, EventTypePage)

router = APIRouter(prefix="/api/v1/events", route_class=GuardedRoute, tags=["events"])
_one = msgspec.json.Decoder(EventBody)
_many = msgspec.json.Decoder(EventsBody)


@router.post(
    "",
    status_code=202,
    openapi_extra=accepts(EventBody, EventsBody) | answers({202: (Published,)}),
    response_model=None,
)
@require(Permission.RUNS_WRITE)
async def tell_events(request: Request) -> Response:
    """Tell one event, or up to 1,000; each trigger that waits for one gets a run, all of them or none."""
    with request.app.state.intake.hold() as held:
        bodies = await read_events(request, held)
        events = [Told(type=each.type, data=bytes(each.data), id=each.id) for each in bodies]
        answers = await engine_of(request).called.events.tell(namespace_of(request), events)
    return show(show_answers(len(events), answers), status=202)


@router.get("/types", openapi_extra=answers({200: (EventTypePage,)}), response_model=None)
@require(Permission.EVENTS_READ)
async def list_event_types(request: Request, *, limit: Limit = 50, after: After = "") -> Response:
    """The types of events that were told, whether or not somebody waited for them."""
    found = await engine_of(request).called.events.counts(namespace_of(request), after=after, limit=limit)
    views = [
        EventTypeInfo(
            type=one.type,
            told=one.told,
            matched=one.matched,
            unmatched=one.unmatched,
            first_at=one.first_at,
            last_at=one.last_at,
        )
        for one in found
    ]
    return show(EventTypePage(views, found[-1].type if len(found) == limit else None))


async def read_events(request: Request, held: Held) -> list[EventBody]:
    check_content_type(request)
    body = await read_small(request, EVENTS_BODY_MAX, held)
    check_text(body)
    several = MANY.match(body) is not None
    try:
        return _many.decode(body).events if several else [_one.decode(body)]
    except msgspec.ValidationError as error:
        raise explain(str(error), EventsBody if several else EventBody) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise unreadable(body, error) from None


def show_answers(told: int, answers: list[Answer]) -> Published:
    runs = [
        EventRun(
            event=answer.event,
            trigger=answer.trigger,
            run=id_text(answer.accepted.id),
            existing=answer.accepted.existing,
        )
        for answer in answers
        if answer.accepted is not None
    ]
    refused = [show_refusal(answer) for answer in answers if answer.refused is not None]
    return Published(told=told, matched=sum(not run.existing for run in runs), runs=runs, refused=refused)


def show_refusal(answer: Answer) -> EventRefusal:
    assert answer.refused is not None
    problem = problem_of(answer.refused)
    return EventRefusal(
        event=answer.event, trigger=answer.trigger, code=problem.code, detail=problem.detail, field=problem.field
    )
