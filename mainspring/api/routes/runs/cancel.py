"""Runs: cancel them, and have them run again."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import read_struct, show
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.runs.bodies import RUN_ID
from mainspring.api.routes.runs.create import RunIdText
from mainspring.api.routes.runs.views import RunView, show_run
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.runs.cancel import CANCELS_MAX, REASON, REASON_MAX
from mainspring.domain.runs.run import INPUT_MAX, RunState

RETRY_MAX = INPUT_MAX + 64 * 1024
RUN_FINAL, RUN_UNKNOWN = "run_final", "unknown_run"

Reason = Annotated[str, msgspec.Meta(max_length=REASON_MAX, extra_json_schema={"pattern": f"^{REASON.pattern}$"})]
Input = Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "object"})]
RunIdItem = Annotated[str, msgspec.Meta(pattern=RUN_ID)]


class CancelBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""
    children: bool = False
    """Also what its handler asked for, and what their handlers did, and so on."""


class CancelRunsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    runs: Annotated[list[RunIdItem], msgspec.Meta(min_length=1, max_length=CANCELS_MAX)]
    reason: Reason = ""


class RetryBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    input: Input | msgspec.UnsetType = msgspec.UNSET
    """Instead of the one that it had."""
    force: bool = False
    """Run it again although it has succeeded."""
    reason: Reason = ""


class CancelledView(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one of many."""

    id: str
    state: str | None
    """`cancelled`; `running` while its attempt is being stopped; the state it had ended in before; null if it is unknown."""
    code: str | None
    """Why it was not cancelled: `run_final` or `unknown_run`."""


class CancelledRunsView(msgspec.Struct, frozen=True):
    """In the order of the request."""

    runs: list[CancelledView]


STRUCTS = (CancelBody, CancelRunsBody, RetryBody, CancelledRunsView)

router = APIRouter(prefix="/api/v1/runs", route_class=GuardedRoute, tags=["runs"])
_cancel = msgspec.json.Decoder(CancelBody)
_cancel_many = msgspec.json.Decoder(CancelRunsBody)
_retry = msgspec.json.Decoder(RetryBody)


@router.post(
    "/cancel", openapi_extra=accepts(CancelRunsBody) | answers({200: (CancelledRunsView,)}), response_model=None
)
@require(Permission.RUNS_STEER)
async def cancel_runs(request: Request) -> Response:
    """Cancel up to 1,000 runs; the answer says of each what became of it."""
    body = await read_struct(request, _cancel_many)
    runs = [parse_run_id(text) for text in body.runs]
    steering, namespace, actor = engine_of(request).steering, namespace_of(request), actor_of(request)
    states = await steering.cancel_many(namespace, runs, actor=actor, reason=body.reason)
    return show(CancelledRunsView([show_cancelled(run, states.get(run)) for run in runs]))


@router.post(
    "/{id}/cancel",
    openapi_extra=accepts(CancelBody, optional=True) | answers({200: (RunView,), 202: (RunView,)}),
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
    openapi_extra=accepts(RetryBody, optional=True) | answers({200: (RunView,)}),
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


def show_cancelled(run: RunId, state: RunState | None) -> CancelledView:
    if state is None:
        return CancelledView(id=id_text(run), state=None, code=RUN_UNKNOWN)
    refused = state.final and state is not RunState.CANCELLED
    return CancelledView(id=id_text(run), state=state.label, code=RUN_FINAL if refused else None)
