"""Runs: ask for them, look at them, wait for them."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import DirectRoute, GuardedRoute, Permission, require
from mainspring.api.bodies import MANY, read_runs_body
from mainspring.api.documents import accepts, answers
from mainspring.api.schemas import NewRunBody, NewRunsBody, decode_many, decode_one
from mainspring.api.seat import engine_of, namespace_of, seat_of
from mainspring.api.views import (
    AcceptedRunsView,
    AcceptedView,
    AttemptsView,
    LogsView,
    RunsView,
    RunView,
    show_accepted,
    show_attempt,
    show_log,
    show_run,
    show_runs,
)
from mainspring.domain.ids import RunId, parse_run_id
from mainspring.domain.run import Run, RunState
from mainspring.errors import InvalidInputError
from mainspring.scheduler.requests import RunRequest
from mainspring.store.interface import RunFilter

WAIT_MAX = 60.0
WAIT_SLICE = 1.0
PAGE_MAX = 500
LOGS_MAX = 1000
STRUCTS = (NewRunBody, NewRunsBody, AcceptedView, AcceptedRunsView, RunsView, RunView, AttemptsView, LogsView)

router = APIRouter(prefix="/api/v1/runs", route_class=GuardedRoute, tags=["runs"])
encode = msgspec.json.Encoder().encode

RunIdText = Annotated[str, Path(alias="id", description="A UUID.")]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]


def as_json(content: msgspec.Struct, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(encode(content), status_code=status, headers=headers, media_type="application/json")


@require(Permission.RUNS_WRITE)
async def create_runs(request: Request) -> Response:
    """Accept one run, or up to 10,000 at once: all or none."""
    body = await read_runs_body(request)
    now = request.app.state.clock.now()
    if MANY.match(body):
        return await accept_many(request, decode_many(body, now))
    return await accept_one(request, decode_one(body, now))


async def accept_one(request: Request, wanted: RunRequest) -> Response:
    [accepted] = await engine_of(request).accept(namespace_of(request), [wanted])
    return as_json(show_accepted(accepted), status=200 if accepted.existing else 201)


async def accept_many(request: Request, wanted: list[RunRequest]) -> Response:
    accepted = await engine_of(request).accept(namespace_of(request), wanted)
    return as_json(AcceptedRunsView([show_accepted(each) for each in accepted]), status=201)


router.add_api_route(
    "",
    create_runs,
    methods=["POST"],
    status_code=201,
    response_model=None,
    route_class_override=DirectRoute,
    openapi_extra=accepts(NewRunBody, NewRunsBody)
    | answers({200: (AcceptedView,), 201: (AcceptedView, AcceptedRunsView)}),
)


@router.get("", openapi_extra=answers({200: (RunsView,)}), response_model=None)
@require(Permission.RUNS_READ)
async def list_runs(
    request: Request,
    *,
    job: str | None = None,
    queue: str | None = None,
    state: Annotated[list[str], Query()] = [],  # noqa: B006
    limit: Limit = 50,
    cursor: str | None = None,
) -> Response:
    """Runs, newest first."""
    query = RunFilter(
        namespace=namespace_of(request),
        job=job,
        queue=queue,
        states=tuple(parse_state(name) for name in state),
        before=None if cursor is None else parse_cursor(cursor),
        limit=limit,
    )
    return as_json(show_runs(await engine_of(request).list(query), limit=limit))


@router.get("/{id}", openapi_extra=answers({200: (RunView,)}), response_model=None)
@require(Permission.RUNS_READ)
async def get_run(
    request: Request, run_id: RunIdText, *, wait: Annotated[float, Query(ge=0, le=WAIT_MAX)] = 0
) -> Response:
    """One run; with `wait`, as soon as it is final or after so many seconds."""
    engine, namespace, run = engine_of(request), namespace_of(request), parse_run_id(run_id)
    found = await (wait_for_run(request, run, wait) if wait else engine.get(namespace, run))
    return as_json(show_run(found, await engine.progress(namespace, run)))


async def wait_for_run(request: Request, run: RunId, seconds: float) -> Run:
    """In slices, so that a server that drains does not keep its callers, nor they it."""
    seat, engine, namespace = seat_of(request), engine_of(request), namespace_of(request)
    while True:
        found = await engine.wait(namespace, run, seconds=min(seconds, WAIT_SLICE))
        seconds -= WAIT_SLICE
        if found.state.final or seconds <= 0 or seat.draining:
            return found


@router.get("/{id}/attempts", openapi_extra=answers({200: (AttemptsView,)}), response_model=None)
@require(Permission.RUNS_READ)
async def list_attempts(request: Request, run_id: RunIdText) -> Response:
    """The attempts of a run that did not succeed, oldest first."""
    attempts = await engine_of(request).attempts(namespace_of(request), parse_run_id(run_id))
    return as_json(AttemptsView([show_attempt(attempt) for attempt in attempts]))


@router.get("/{id}/logs", openapi_extra=answers({200: (LogsView,)}), response_model=None)
@require(Permission.RUNS_READ)
async def list_logs(
    request: Request,
    run_id: RunIdText,
    *,
    after: Annotated[int, Query(ge=0, description="The `next` of the page before.")] = 0,
    limit: Annotated[int, Query(ge=1, le=LOGS_MAX)] = LOGS_MAX,
) -> Response:
    """What a run's handlers logged, in the order it arrived."""
    run = parse_run_id(run_id)
    entries = await engine_of(request).logs(namespace_of(request), run, after=after, limit=limit)
    following = entries[-1][0] if entries else after
    return as_json(LogsView([show_log(entry) for _, entry in entries], following))


def parse_state(name: str) -> RunState:
    try:
        return RunState[name.upper()]
    except KeyError:
        known = ", ".join(state.label for state in RunState)
        raise InvalidInputError("state", f"{name!r} is not one of {known}", code="bad_state") from None


def parse_cursor(text: str) -> RunId:
    try:
        return parse_run_id(text)
    except InvalidInputError:
        raise InvalidInputError("cursor", "is not the `next` of a page", code="bad_cursor") from None
