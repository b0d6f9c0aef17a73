"""Webhooks: their callers, who show a secret instead of a token, and those who look after their secrets."""

from datetime import timedelta
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.errors import problem_of
from mainspring.api.http.bodies import check_content_type
from mainspring.api.http.connections import welcome
from mainspring.api.http.json_io import read_small, read_struct, show, show_secret
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.runs.views import show_accepted
from mainspring.api.routes.triggers.define import TriggerName
from mainspring.contract.runs import AcceptedRun
from mainspring.contract.webhooks import CallProblem, HookInfo, HookSecret, SecretBody, TriedCall, TryBody
from mainspring.domain.webhooks.webhook import HOOK_ID, Call, Hook
from mainspring.scheduler.triggers.try_calls import Trial

HOOK_BODY_MAX = 1024 * 1024
TRY_BODY_MAX = HOOK_BODY_MAX + 64 * 1024

Address = Annotated[str, Path(alias="id", json_schema_extra={"pattern": f"^{HOOK_ID.pattern}$"})]


STRUCTS = (SecretBody, HookInfo, HookSecret, TryBody, TriedCall)
NULL = msgspec.Raw(b"null")
ANY_JSON: dict[str, Any] = {"requestBody": {"required": True, "content": {"application/json": {"schema": {}}}}}

router = APIRouter(route_class=GuardedRoute, tags=["webhooks"])
_secret = msgspec.json.Decoder(SecretBody)
_try = msgspec.json.Decoder(TryBody)


@router.post(
    "/hooks/{id}", status_code=202, openapi_extra=ANY_JSON | answers({202: (AcceptedRun,)}), response_model=None
)
@require(Permission.OPEN)
async def call_hook(request: Request, address: Address) -> Response:
    """Call a webhook: its signature, or the secret itself, stands for a token."""
    check_content_type(request)
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in request.scope["headers"]}
    with request.app.state.intake.hold() as held:
        body = bytes(await read_small(request, HOOK_BODY_MAX, held))
        accepted = await engine_of(request).called.hooks.call(address, Call(headers, body))
    welcome(request.scope)
    return show(show_accepted(accepted), status=202)


@router.get("/api/v1/triggers/{name}/secret", openapi_extra=answers({200: (HookInfo,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def get_hook(request: Request, name: TriggerName) -> Response:
    """How a webhook is called, and since when it has its secret."""
    return show(show_hook(await engine_of(request).called.secrets.get(namespace_of(request), name)))


@router.post(
    "/api/v1/triggers/{name}/secret",
    openapi_extra=accepts(SecretBody, optional=True) | answers({200: (HookSecret,)}),
    response_model=None,
)
@require(Permission.TRIGGERS_WRITE)
async def rotate_secret(request: Request, name: TriggerName) -> Response:
    """Give a webhook its secret and address, or a new secret; it is in the answer, and can be read nowhere else."""
    body = await read_struct(request, _secret, optional=True)
    made = await engine_of(request).called.secrets.rotate(
        namespace_of(request),
        name,
        grace=timedelta(seconds=body.grace),
        new_address=body.new_address,
        actor=actor_of(request),
    )
    return show_secret(HookSecret(made.text, show_hook(made.hook)))


@router.post(
    "/api/v1/triggers/{name}/test", openapi_extra=accepts(TryBody) | answers({200: (TriedCall,)}), response_model=None
)
@require(Permission.TRIGGERS_WRITE)
async def try_call(request: Request, name: TriggerName) -> Response:
    """Say what a call of a webhook, or an event with these data, would come to; nothing is done."""
    body = await read_struct(request, _try, most=TRY_BODY_MAX)
    call = Call(body.headers, body.body.encode())
    return show(show_tried(await engine_of(request).called.trials.try_out(namespace_of(request), name, call)))


def show_hook(hook: Hook) -> HookInfo:
    return HookInfo(path=hook.path, auth=hook.auth, made_at=hook.made_at, old_until=hook.old_until)


def show_tried(trial: Trial) -> TriedCall:
    problem = None if trial.problem is None else problem_of(trial.problem)
    return TriedCall(
        would_run=trial.would_run,
        signed=trial.signed,
        matched=trial.matched,
        unmet=trial.unmet,
        input=NULL if trial.arguments is None else msgspec.Raw(trial.arguments),
        key=trial.key,
        problem=None if problem is None else CallProblem(problem.code, problem.detail, problem.field),
    )
