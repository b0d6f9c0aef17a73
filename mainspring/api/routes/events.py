"""Serves events: publishing them, and the counts of their types."""

import re

import msgspec
from starlette.requests import Request

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.errors import problem_of
from mainspring.api.http.json_io import read_small
from mainspring.api.http.paging import next_of
from mainspring.api.input.bodies import HeldBytes, check_content_type, check_text, unreadable
from mainspring.api.input.explain import explain
from mainspring.api.views import view_of
from mainspring.contract.events import EventRefusal, EventRun, EventTypeInfo, EventTypePage, Published
from mainspring.contract.operations import events
from mainspring.domain.ids import id_text
from mainspring.scheduler.triggers.events import EventResult, PublishedEvent

MANY = re.compile(rb'\s*\{\s*"events"\s*:')

router = Routes()
_one = msgspec.json.Decoder(events.EventBody)
_many = msgspec.json.Decoder(events.EventsBody)


@router.bind(events.PUBLISH_EVENTS, reads_body=True)
async def publish_events(call: Call) -> Published:
    with call.request.app.state.intake.hold() as held:
        bodies = await read_events(call.request, held)
        told = [PublishedEvent(type=each.type, data=bytes(each.data), id=each.id) for each in bodies]
        answers, waits = await call.engine.called.events.tell(call.namespace, told)
    return show_answers(len(told), answers, waits)


@router.bind(events.LIST_EVENT_TYPES)
async def list_event_types(call: Call, query: events.EventTypeQuery) -> EventTypePage:
    counts = await call.engine.called.events.counts(call.namespace, after=query.cursor, limit=query.limit)
    views = [view_of(EventTypeInfo, one) for one in counts]
    return EventTypePage(views, next_of(counts, query.limit, lambda last: last.type))


async def read_events(request: Request, held: HeldBytes) -> list[events.EventBody]:
    check_content_type(request)
    body = await read_small(request, events.EVENTS_BODY_MAX, held)
    check_text(body)
    several = MANY.match(body) is not None
    try:
        return _many.decode(body).events if several else [_one.decode(body)]
    except msgspec.ValidationError as error:
        raise explain(str(error), events.EventsBody if several else events.EventBody) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise unreadable(body, error) from None


def show_answers(told: int, answers: list[EventResult], waits: int) -> Published:
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
    matched = sum(not run.existing for run in runs)
    return Published(told=told, matched=matched, waits=waits, runs=runs, refused=refused)


def show_refusal(answer: EventResult) -> EventRefusal:
    assert answer.refused is not None
    problem = problem_of(answer.refused)
    return EventRefusal(
        event=answer.event, trigger=answer.trigger, code=problem.code, detail=problem.detail, field=problem.field
    )
