"""Serves the log lines of a run: a page of them, or with `follow=true` all of them as server-sent events until its end.

See docs/guides/cancel-and-retry.md.
"""

import re
from collections.abc import AsyncGenerator

from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.engine_gate import engine_of
from mainspring.api.routes.feed import LAST_ID, OPENING, EventStream, event, with_beats
from mainspring.api.routes.runs.views import show_log
from mainspring.contract.operations.runs import LIST_LOGS, LogQuery
from mainspring.contract.runs import LogPage
from mainspring.domain.ids import parse_run_id
from mainspring.domain.runs.run import Run
from mainspring.errors import InvalidInputError

LINE, END = "log", "end"
POSITION = re.compile("[0-9]{1,18}")

router = Routes()


@router.bind(LIST_LOGS)
async def list_logs(call: Call, run_id: str, query: LogQuery) -> LogPage | Response:
    run, engine, namespace = parse_run_id(run_id), call.engine, call.namespace
    if query.follow:
        found = await engine.get(namespace, run)
        engine.logbook.check_room()
        position = position_of(call.request.headers.get(LAST_ID), query.after)
        return EventStream(with_beats(call.request, log_events(call.request, found, position)))
    entries = await engine.logs(namespace, run, after=query.after, limit=query.limit)
    following = entries[-1][0] if entries else query.after
    return LogPage([show_log(entry) for _, entry in entries], following)


def position_of(last: str | None, after: int) -> int:
    """The position after the last event that the caller has seen, or the one it asks for."""
    if last is None:
        return after
    if not POSITION.fullmatch(last):
        raise InvalidInputError("Last-Event-ID", "is not the id of a line of this log", code="bad_last_event_id")
    return int(last)


async def log_events(request: Request, run: Run, after: int) -> AsyncGenerator[bytes, None]:
    """Lines as they come, each under its position, and at last the state that the run ended in."""
    yield OPENING + b"\n"
    async for lines in engine_of(request).logbook.follow(run, after=after):
        if lines is None:
            break
        yield b"".join(event(LINE, show_log(entry), str(position)) for position, entry in lines)
    else:
        return
    found = await engine_of(request).get(run.namespace, run.id)
    if found.state.final:
        yield event(END, {"state": found.state.label, "reason": found.reason})
