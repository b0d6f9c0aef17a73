"""Runs: ask for them, look at them, wait for them."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import DirectRoute, GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of, seat_of
from mainspring.api.http.bodies import MANY, read_runs_body
from mainspring.api.http.headers import headers
from mainspring.api.http.json_io import show
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.runs.bodies import decode_many, decode_one
from mainspring.api.routes.runs.views import show_accepted, show_attempt, show_run
from mainspring.contract.fields import RUN_ID
from mainspring.contract.runs import AcceptedRun, AcceptedRuns, AttemptPage, NewRunBody, NewRunsBody, RunInfo
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import KEY_MAX, Run, RunState
from mainspring.errors import ConflictError, InvalidInputError

KEY_HEADER = "idempotency-key"
WAIT_MAX = 60.0
WAIT_SLICE = 1.0
STRUCTS = (NewRunBody, NewRunsBody, AcceptedRun, AcceptedRuns, RunInfo, AttemptPage)
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "For one run, what the body's `key` says: the same key is the same run. It may stand in quotes.",
    "schema": {"type": "string", "pattern": "^[!-~][ -~]*$", "maxLength": KEY_MAX},
}
RESULT = answers({200: ()})
RESULT["responses"]["200"]["content"] = {"application/json": {"schema": {}}}

router = APIRouter(prefix="/api/v1/runs", route_class=GuardedRoute, tags=["runs"])

RunIdText = Annotated[str, Path(alias="id", description="A UUID.", json_schema_extra={"pattern": RUN_ID})]


@require(Permission.RUNS_WRITE)
async def create_runs(request: Request) -> Response:
    """Accept one run, or up to 10,000 at once: all or none."""
    with request.app.state.intake.hold() as held:
        body = await read_runs_body(request, held)
        now, by, key = request.app.state.clock.now(), actor_of(request).name, header_key(request)
        if not MANY.match(body):
            return await accept_one(request, decode_one(body, now, by, key))
        if key is not None:
            raise bad_key("names one run: give each of many its own key")
        return await accept_many(request, decode_many(body, now, by))


def header_key(request: Request) -> str | None:
    """The key for one run from the header, if it is there."""
    keys = {unquoted(text.strip()) for text in headers(request, b"idempotency-key")}
    if not keys:
        return None
    if len(keys) > 1:
        raise bad_key("was sent twice, with different keys")
    [key] = keys
    if not key:
        raise bad_key("is empty: send a key, or leave the header out")
    if not key.isascii():
        raise bad_key("takes ASCII; other keys go into the body")
    return key


def unquoted(text: str) -> str:
    """The key, which may stand in quotes."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def bad_key(reason: str) -> InvalidInputError:
    return InvalidInputError(KEY_HEADER, reason, code="bad_key")


async def accept_one(request: Request, wanted: RunRequest) -> Response:
    [accepted] = await engine_of(request).accept(namespace_of(request), [wanted])
    return show(show_accepted(accepted), status=200 if accepted.existing else 201)


async def accept_many(request: Request, wanted: list[RunRequest]) -> Response:
    accepted = await engine_of(request).accept(namespace_of(request), wanted)
    return show(AcceptedRuns([show_accepted(each) for each in accepted]), status=201)


router.add_api_route(
    "",
    create_runs,
    methods=["POST"],
    status_code=201,
    response_model=None,
    route_class_override=DirectRoute,
    openapi_extra=accepts(NewRunBody, NewRunsBody)
    | answers({200: (AcceptedRun,), 201: (AcceptedRun, AcceptedRuns)})
    | {"parameters": [KEY]},
)


@router.get("/{id}", openapi_extra=answers({200: (RunInfo,)}), response_model=None)
@require(Permission.RUNS_READ)
async def get_run(
    request: Request, run_id: RunIdText, *, wait: Annotated[float, Query(ge=0, le=WAIT_MAX)] = 0
) -> Response:
    """One run; with `wait`, as soon as it is final or after so many seconds."""
    engine, namespace, run = engine_of(request), namespace_of(request), parse_run_id(run_id)
    found = await (wait_for_run(request, run, wait) if wait else engine.get(namespace, run))
    dead = await engine.dead.letter(namespace, run) if found.state is RunState.FAILED else None
    return show(show_run(found, discard=None if dead is None else dead.discarded))


async def wait_for_run(request: Request, run: RunId, seconds: float) -> Run:
    """In slices, so that a server that drains does not keep its callers, nor they it."""
    seat, engine, namespace = seat_of(request), engine_of(request), namespace_of(request)
    while True:
        found = await engine.wait(namespace, run, seconds=min(seconds, WAIT_SLICE))
        seconds -= WAIT_SLICE
        if found.state.final or seconds <= 0 or seat.draining:
            return found


@router.get("/{id}/result", openapi_extra=RESULT, response_model=None)
@require(Permission.RUNS_READ)
async def get_result(request: Request, run_id: RunIdText) -> Response:
    """What a run's handler returned, as it stands; a problem if the run is not over or did not succeed."""
    run = await engine_of(request).get(namespace_of(request), parse_run_id(run_id))
    if run.state is not RunState.SUCCEEDED:
        raise no_result(run)
    return Response(run.result or b"null", media_type="application/json")


def no_result(run: Run) -> ConflictError:
    if not run.state.final:
        return ConflictError("run", id_text(run.id), f"is {run.state.label}: it has no result yet", code="run_not_over")
    said = f"{run.failure.error}: {run.failure.message}" if run.failure is not None else run.reason
    reason = f"ended {run.state.label}" + (f": {said}" if said else "")
    code = "run_cancelled" if run.state is RunState.CANCELLED else "run_failed"
    return ConflictError("run", id_text(run.id), reason, code=code)


@router.get("/{id}/attempts", openapi_extra=answers({200: (AttemptPage,)}), response_model=None)
@require(Permission.RUNS_READ)
async def list_attempts(request: Request, run_id: RunIdText) -> Response:
    """The attempts of a run that did not succeed, oldest first."""
    engine, namespace, run = engine_of(request), namespace_of(request), parse_run_id(run_id)
    job = (await engine.get(namespace, run)).job
    return show(AttemptPage([show_attempt(attempt, job) for attempt in await engine.attempts(namespace, run)]))
