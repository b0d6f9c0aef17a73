"""Runs: cancel them, and have them run again."""

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import read_struct, show
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.runs.create import RunIdText
from mainspring.api.routes.runs.views import show_run
from mainspring.contract.runs import CancelBody, CancelledRun, CancelledRuns, CancelRunsBody, RetryBody, RunInfo
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.runs.run import INPUT_MAX, RunState

RETRY_MAX = INPUT_MAX + 64 * 1024
RUN_FINAL, RUN_UNKNOWN = "run_final", "unknown_run"


STRUCTS = (CancelBody, CancelRunsBody, RetryBody, CancelledRuns)

router = APIRouter(prefix="/api/v1/runs", route_class=GuardedRoute, tags=["runs"])
_cancel = msgspec.json.Decoder(CancelBody)
_cancel_many = msgspec.json.Decoder(CancelRunsBody)
_retry = msgspec.json.Decoder(RetryBody)


@router.post("/cancel", openapi_extra=accepts(CancelRunsBody) | answers({200: (CancelledRuns,)}), response_model=None)
@require(Permission.RUNS_STEER)
async def cancel_runs(request: Request) -> Response:
    """Cancel up to 1,000 runs; the answer says of each what became of it."""
    body = await read_struct(request, _cancel_many)
    runs = [parse_run_id(text) for text in body.runs]
    steering, namespace, actor = engine_of(request).steering, namespace_of(request), actor_of(request)
    states = await steering.cancel_many(namespace, runs, actor=actor, reason=body.reason)
    return show(CancelledRuns([show_cancelled(run, states.get(run)) for run in runs]))


@router.post(
    "/{id}/cancel",
    openapi_extra=accepts(CancelBody, optional=True) | answers({200: (RunInfo,), 202: (RunInfo,)}),
    response_model=None,
)
@require(Permission.RUNS_STEER)
async def cancel_run(request: Request, run_id: RunIdText) -> Response:
    """Cancel a run: 200 if it is over, 202 while its attempt is being stopped."""
    body = await read_struct(request, _cancel, optional=True)
    engine, namespace, run = engine_of(request), namespace_of(request), parse_run_id(run_id)
    if body.children:
        # Also of a run that has ended: its children may not have.
        await engine.get(namespace, run)
        await engine.steering.cancel_many(namespace, [run], actor=actor_of(request), reason=body.reason)
        await engine.dead.cancel_below(namespace, run, actor=actor_of(request), reason=body.reason)
    else:
        await engine.steering.cancel(namespace, run, actor=actor_of(request), reason=body.reason)
    found = await engine.get(namespace, run)
    return show(show_run(found), status=200 if found.state.final else 202)


@router.post(
    "/{id}/retry",
    openapi_extra=accepts(RetryBody, optional=True) | answers({200: (RunInfo,)}),
    response_model=None,
)
@require(Permission.RUNS_STEER)
async def retry_run(request: Request, run_id: RunIdText) -> Response:
    """Have a run that has ended run again, now, with another input if one is given; after a success only by force."""
    body = await read_struct(request, _retry, optional=True, most=RETRY_MAX)
    engine, namespace, run, actor = engine_of(request), namespace_of(request), parse_run_id(run_id), actor_of(request)
    edited = None if body.input is msgspec.UNSET else await engine.dead.check_input(namespace, run, bytes(body.input))
    await engine.steering.retry(namespace, run, actor=actor, force=body.force, reason=body.reason, input=edited)
    return show(show_run(await engine.get(namespace, run)))


def show_cancelled(run: RunId, state: RunState | None) -> CancelledRun:
    if state is None:
        return CancelledRun(id=id_text(run), state=None, code=RUN_UNKNOWN)
    refused = state.final and state is not RunState.CANCELLED
    return CancelledRun(id=id_text(run), state=state.label, code=RUN_FINAL if refused else None)
