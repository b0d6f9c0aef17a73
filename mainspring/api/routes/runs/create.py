"""Serves runs: accepting them, reading one, waiting for its end."""

from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.auth import actor_of
from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.engine_gate import engine_of, gate_of, namespace_of
from mainspring.api.http.headers import header, headers
from mainspring.api.http.json_io import respond
from mainspring.api.input.bodies import MANY, read_options_body, read_runs_body
from mainspring.api.routes.runs.bodies import decode_many, decode_one, decode_options, show_accepted
from mainspring.api.routes.runs.views import show_attempt, show_run
from mainspring.contract.operations import runs
from mainspring.contract.runs import AcceptedRuns, AttemptPage, RunInfo
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import Run, RunState
from mainspring.errors import ConflictError, InvalidInputError

KEY_HEADER = "idempotency-key"
PRESSURE_HEADER = b"mainspring-pressure"
WAIT_SLICE = 1.0

router = Routes()


@router.bind_direct(runs.CREATE_RUNS)
async def create_runs(request: Request) -> Response:
    with request.app.state.intake.hold() as held:
        body = await read_runs_body(request, held)
        now, by, key = request.app.state.clock.now(), actor_of(request).name, header_key(request)
        trace = header(request, b"traceparent")
        if not MANY.match(body):
            return await accept_one(request, decode_one(body, now, by, key, trace))
        if key is not None:
            raise bad_key("names one run: give each of many its own key")
        return await accept_many(request, decode_many(body, now, by, trace))


@router.bind(runs.START_RUN, reads_body=True)
async def start_run(call: Call, name: str) -> Response:
    body = await read_options_body(call.request)
    trace = header(call.request, b"traceparent")
    wanted = decode_options(name, body, call.now, call.actor.name, header_key(call.request), trace)
    return await accept_one(call.request, wanted)


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
    engine, namespace = engine_of(request), namespace_of(request)
    [accepted] = await engine.accept(namespace, [wanted])
    answer = respond(show_accepted(accepted), status=200 if accepted.existing else 201)
    return pressed(answer, engine.pressure(namespace, [wanted]))


async def accept_many(request: Request, wanted: list[RunRequest]) -> Response:
    engine, namespace = engine_of(request), namespace_of(request)
    accepted = await engine.accept(namespace, wanted)
    answer = respond(AcceptedRuns([show_accepted(each) for each in accepted]), status=201)
    return pressed(answer, engine.pressure(namespace, wanted))


def pressed(answer: Response, pressure: float | None) -> Response:
    """The answer, with how full the fullest place of its runs is; None: no place has a budget."""
    if pressure is not None:
        answer.raw_headers.append((PRESSURE_HEADER, b"%.2f" % pressure))
    return answer


@router.bind(runs.GET_RUN)
async def get_run(call: Call, run_id: str, query: runs.WaitQuery) -> RunInfo:
    engine, namespace, run = call.engine, call.namespace, parse_run_id(run_id)
    found = await (wait_for_run(call, run, query.wait) if query.wait else engine.get(namespace, run))
    dead = await engine.dead.letter(namespace, run) if found.state is RunState.FAILED else None
    discard = None if dead is None else dead.discarded
    return show_run(found, discard=discard, trace_url=trace_link(call.request.app.state.trace_url, found.trace))


def trace_link(template: str, trace: str | None) -> str | None:
    """Where a trace is shown, if the operator has said it."""
    return template.replace("{trace}", trace) if template and trace else None


async def wait_for_run(call: Call, run: RunId, seconds: float) -> Run:
    """Waits in slices, so that a draining server is not kept by its callers."""
    gate, engine, namespace = gate_of(call.request), call.engine, call.namespace
    while True:
        found = await engine.wait(namespace, run, seconds=min(seconds, WAIT_SLICE))
        seconds -= WAIT_SLICE
        if found.state.final or seconds <= 0 or gate.draining:
            return found


@router.bind(runs.GET_RESULT)
async def get_result(call: Call, run_id: str) -> Response:
    run = await call.engine.get(call.namespace, parse_run_id(run_id))
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


@router.bind(runs.LIST_ATTEMPTS)
async def list_attempts(call: Call, run_id: str) -> AttemptPage:
    engine, namespace, run = call.engine, call.namespace, parse_run_id(run_id)
    job = (await engine.get(namespace, run)).job
    return AttemptPage([show_attempt(attempt, job) for attempt in await engine.attempts(namespace, run)])
