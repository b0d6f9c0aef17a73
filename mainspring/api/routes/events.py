"""Events that somebody tells, for the triggers that wait for them; what was told is counted."""

import re
from datetime import datetime
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
from mainspring.domain.ids import id_text
from mainspring.domain.webhooks.call import EVENT_TYPE, KEY_TEXT_MAX
from mainspring.scheduler.triggers.events import EVENTS_MAX, Answer, Told

EVENTS_BODY_MAX = 4 * 1024 * 1024
PAGE_MAX = 500
MANY = re.compile(rb'\s*\{\s*"events"\s*:')

EventType = Annotated[str, msgspec.Meta(pattern=f"^{EVENT_TYPE.pattern}$", max_length=200)]
EventId = Annotated[str, msgspec.Meta(min_length=1, max_length=KEY_TEXT_MAX)]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
After = Annotated[str, Query(alias="cursor", pattern=f"^({EVENT_TYPE.pattern})?$", max_length=200)]


class EventBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Something has happened."""

    type: EventType
    data: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"{}"))
    """Any JSON."""
    id: EventId | None = None
    """Told again with the same id, it makes no second run of a trigger."""


class EventsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Several events, all or none."""

    events: Annotated[list[EventBody], msgspec.Meta(min_length=1, max_length=EVENTS_MAX)]


class EventRunView(msgspec.Struct, frozen=True, kw_only=True):
    event: int
    """The position of the event."""
    trigger: str
    run: str
    existing: bool
    """Whether the event had been told before."""


class EventRefusalView(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger that waited for the event, and could not take it."""

    event: int
    trigger: str
    code: str
    detail: str
    field: str | None


class EventsView(msgspec.Struct, frozen=True, kw_only=True):
    """What the events came to; `matched` are runs that were made now."""

    told: int
    matched: int
    runs: list[EventRunView]
    refused: list[EventRefusalView]


class EventTypeView(msgspec.Struct, frozen=True, kw_only=True):
    """How many events of a type were told, and how many runs that made; no trigger waited for the `unmatched` of them."""

    type: str
    told: int
    matched: int
    unmatched: int
    first_at: datetime
    last_at: datetime


class EventTypesView(msgspec.Struct, frozen=True):
    """A page; `next` is the cursor of the one behind it."""

    types: list[EventTypeView]
    next: str | None


STRUCTS = (EventBody, EventsBody, EventsView, EventTypesView)

router = APIRouter(prefix="/api/v1/events", route_class=GuardedRoute, tags=["events"])
_one = msgspec.json.Decoder(EventBody)
_many = msgspec.json.Decoder(EventsBody)


@router.post(
    "",
    status_code=202,
    openapi_extra=accepts(EventBody, EventsBody) | answers({202: (EventsView,)}),
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


@router.get("/types", openapi_extra=answers({200: (EventTypesView,)}), response_model=None)
@require(Permission.EVENTS_READ)
async def list_event_types(request: Request, *, limit: Limit = 50, after: After = "") -> Response:
    """The types of events that were told, whether or not somebody waited for them."""
    found = await engine_of(request).called.events.counts(namespace_of(request), after=after, limit=limit)
    views = [
        EventTypeView(
            type=one.type,
            told=one.told,
            matched=one.matched,
            unmatched=one.unmatched,
            first_at=one.first_at,
            last_at=one.last_at,
        )
        for one in found
    ]
    return show(EventTypesView(views, found[-1].type if len(found) == limit else None))


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


def show_answers(told: int, answers: list[Answer]) -> EventsView:
    runs = [
        EventRunView(
            event=answer.event,
            trigger=answer.trigger,
            run=id_text(answer.accepted.id),
            existing=answer.accepted.existing,
        )
        for answer in answers
        if answer.accepted is not None
    ]
    refused = [show_refusal(answer) for answer in answers if answer.refused is not None]
    return EventsView(told=told, matched=sum(not run.existing for run in runs), runs=runs, refused=refused)


def show_refusal(answer: Answer) -> EventRefusalView:
    assert answer.refused is not None
    problem = problem_of(answer.refused)
    return EventRefusalView(
        event=answer.event, trigger=answer.trigger, code=problem.code, detail=problem.detail, field=problem.field
    )
