"""Serves the live feed: the changes of a namespace, or the states of one run, as server-sent events.

Not in the OpenAPI document, which describes answers that end. See docs/guides/events.md.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from mainspring.api.auth import is_still_authorized
from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.engine_gate import engine_of
from mainspring.api.input.parameters import choice
from mainspring.api.routes.runs.views import show_run
from mainspring.contract.operations.events import STREAM_EVENTS, StreamQuery
from mainspring.domain.feed import ChangeKind, FeedChange, FeedGap, Wanted
from mainspring.domain.ids import RunId, parse_run_id
from mainspring.domain.runs.run import Run
from mainspring.errors import InvalidInputError, UnavailableError
from mainspring.scheduler.insights.feed import Changes

BEAT = 15.0
"""Seconds of silence after which a comment shows that the stream lives."""
SLICE = 1.0
"""Seconds after which a stream looks whether it may go on."""
OPENING = b"retry: 1000\n"
"""How many milliseconds a browser waits before it comes back by itself."""
BEATING = b": beat\n\n"
RUN_CHANGED = "run.changed"
GAP = "gap"

LAST_ID = "last-event-id"
FRAMES_KEPT = 256
"""Changes that are kept as they were sent: readers are a second apart at most, and a slower one has its frames made anew."""

router = Routes()


class Frames:
    """Changes as they are sent, encoded once for all who read them."""

    def __init__(self) -> None:
        self._made: dict[str, bytes] = {}

    def of(self, change: FeedChange, place: str) -> bytes:
        if (known := self._made.get(place)) is not None:
            return known
        if len(self._made) >= FRAMES_KEPT:
            del self._made[next(iter(self._made))]
        made = self._made[place] = show_change(change, place)
        return made


class EventStream(StreamingResponse):
    """An answer that continues until the server or the reader ends it; either way its generator is closed."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[bytes, None]) -> None:
        super().__init__(events, headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._events.aclose()


@router.bind(STREAM_EVENTS)
async def stream_events(call: Call, query: StreamQuery) -> Response:
    engine, namespace, request = call.engine, call.namespace, call.request
    if query.run is not None:
        if query.kind or query.queue is not None or query.job is not None:
            raise InvalidInputError("run", "is followed alone: leave out kind, queue and job", code="bad_run")
        first = await engine.get(namespace, parse_run_id(query.run))
        return EventStream(with_beats(request, run_events(request, first)))
    kinds = frozenset(ChangeKind(choice("kind", kind, ChangeKind)) for kind in query.kind)
    wanted = Wanted(namespace=namespace, kinds=kinds, queue=query.queue, job=query.job)
    engine.events.check_room()
    last = request.headers.get(LAST_ID)
    return EventStream(with_beats(request, change_events(engine.events, wanted, last, request.app.state.frames)))


async def with_beats(request: Request, events: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The events, with a sign of life after every silence; they end when the caller may not stay or the server drains."""
    clock = request.app.state.clock
    spoken = clock.monotonic()
    async with aclosing(events):
        async for event in events:
            if not may_stay(request):
                return
            if event or clock.monotonic() - spoken >= BEAT:
                spoken = clock.monotonic()
                yield event or BEATING


async def change_events(
    changes: Changes, wanted: Wanted, last: str | None, frames: Frames
) -> AsyncGenerator[bytes, None]:
    """Changes as they come, and nothing now and then while there are none."""
    with changes.follow(wanted, after=last) as follower:
        yield OPENING + b"id: " + follower.place.encode() + b"\n\n"
        while not changes.closed:
            found = await follower.next(seconds=SLICE)
            yield b"".join(frame_of(one, changes.id_of(one.position), wanted, frames) for one in found)


async def run_events(request: Request, run: Run) -> AsyncGenerator[bytes, None]:
    """The run as it looks, and again whenever it looks different, until it is final."""
    yield OPENING + event(RUN_CHANGED, show_run(run))
    seen = run
    while not seen.state.final:
        found = await engine_of(request).follow(seen.namespace, RunId(seen.id), seen, seconds=SLICE)
        seen = found or seen
        yield event(RUN_CHANGED, show_run(found)) if found is not None else b""


def may_stay(request: Request) -> bool:
    try:
        return is_still_authorized(request)
    except UnavailableError:
        return False


def frame_of(change: FeedChange | FeedGap, place: str, wanted: Wanted, frames: Frames) -> bytes:
    if isinstance(change, FeedGap):
        return event(GAP, {"reason": change.reason}, place)
    return frames.of(change, place) if wanted.job is None else show_change(only_of(change, wanted.job), place)


def only_of(change: FeedChange, job: str) -> FeedChange:
    """The change without what it says of other jobs."""
    if not isinstance(jobs := change.content.get("jobs"), dict):
        return change
    return msgspec.structs.replace(change, content={**change.content, "jobs": {job: jobs[job]}})


def show_change(change: FeedChange, place: str) -> bytes:
    named = {} if change.queue is None else {"queue": change.queue}
    return event(change.kind, {"at": change.at, "namespace": change.namespace, **named, **change.content}, place)


def event(kind: str, content: Any, place: str | None = None) -> bytes:
    """In the form of the standard; JSON has no line breaks, so the data is one line."""
    lines = [b"event: " + kind.encode(), b"data: " + msgspec.json.encode(content), b"\n"]
    return b"\n".join(lines if place is None else [b"id: " + place.encode(), *lines])
