"""What a run's handlers logged: a page of it, or, with `follow=true`, all of it as server-sent events until its end.

The stream is not in the OpenAPI document, which describes answers that end. See docs/guides/cancel-and-retry.md.
"""

import re
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import show
from mainspring.api.openapi.document import answers
from mainspring.api.openapi.parameters import takes
from mainspring.api.routes.feed import OPENING, EventStream, event, with_beats
from mainspring.api.routes.runs.create import RunIdText
from mainspring.api.routes.runs.views import show_log
from mainspring.contract.runs import LogPage
from mainspring.domain.ids import parse_run_id
from mainspring.domain.runs.run import Run
from mainspring.errors import InvalidInputError

LOGS_MAX = 1000
LINE, END = "log", "end"
POSITION = re.compile("[0-9]{1,18}")
YES, NO = ("true", "1"), ("false", "0")

STRUCTS = (LogPage,)

router = APIRouter(prefix="/api/v1/runs", route_class=GuardedRoute, tags=["runs"])
After = Annotated[int, Query(ge=0, lt=2**63, description="The `next` of the page before.")]
Follow = Annotated[str, Query(include_in_schema=False)]
LastId = Annotated[str | None, Header(alias="Last-Event-ID", include_in_schema=False)]


@router.get("/{id}/logs", openapi_extra=answers({200: (LogPage,)}), response_model=None)
@require(Permission.RUNS_READ)
@takes("follow")
async def list_logs(
    request: Request,
    run_id: RunIdText,
    *,
    after: After = 0,
    limit: Annotated[int, Query(ge=1, le=LOGS_MAX)] = LOGS_MAX,
    follow: Follow = "false",
    last: LastId = None,
) -> Response:
    """What a run's handlers logged, in the order it arrived."""
    run, engine, namespace = parse_run_id(run_id), engine_of(request), namespace_of(request)
    if is_yes(follow):
        found = await engine.get(namespace, run)
        engine.logbook.check_room()
        return EventStream(with_beats(request, log_events(request, found, position_of(last, after))))
    entries = await engine.logs(namespace, run, after=after, limit=limit)
    following = entries[-1][0] if entries else after
    return show(LogPage([show_log(entry) for _, entry in entries], following))


def is_yes(text: str) -> bool:
    if text.lower() not in YES + NO:
        raise InvalidInputError("follow", f"{text!r} is neither true nor false", code="bad_follow")
    return text.lower() in YES


def position_of(last: str | None, after: int) -> int:
    """Where to go on: behind the last event that the caller has seen, or where it says."""
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
