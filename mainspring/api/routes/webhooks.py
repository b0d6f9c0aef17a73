"""Webhooks: their callers, who show a secret instead of a token, and those who look after their secrets."""

from datetime import datetime, timedelta
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
from mainspring.api.routes.runs.bodies import NAME_MAX
from mainspring.api.routes.runs.views import AcceptedView, show_accepted
from mainspring.api.routes.triggers.define import TriggerName
from mainspring.domain.triggers.spec import HookAuth
from mainspring.domain.webhooks.call import HEADER_NAME
from mainspring.domain.webhooks.webhook import GRACE_MAX, HOOK_ID, Call, Hook
from mainspring.scheduler.triggers.try_calls import Trial

HOOK_BODY_MAX = 1024 * 1024
TRY_BODY_MAX = HOOK_BODY_MAX + 64 * 1024
HEADERS_MAX = 100

HeaderName = Annotated[str, msgspec.Meta(pattern=f"^{HEADER_NAME.pattern}$", max_length=NAME_MAX)]
HeaderValue = Annotated[str, msgspec.Meta(max_length=8192)]
Address = Annotated[str, Path(alias="id", json_schema_extra={"pattern": f"^{HOOK_ID.pattern}$"})]


class SecretBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    grace: Annotated[float, msgspec.Meta(ge=0, le=GRACE_MAX.total_seconds())] = 0
    """Seconds for which the old secret stays good."""
    new_address: bool = False
    """Whether the address changes as well; the old one ends at once."""


class HookView(msgspec.Struct, frozen=True, kw_only=True):
    """How a webhook is called; nobody can be shown its secret again."""

    path: str
    """Of its address, behind that of the server."""
    auth: HookAuth
    made_at: datetime
    """When it got its secret."""
    old_until: datetime | None
    """Until when the one before is good as well."""


class SecretView(msgspec.Struct, frozen=True):
    """`secret` is told this once."""

    secret: str
    hook: HookView


class TryBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A call to try out: as a webhook would be sent it, or the data of an event."""

    headers: Annotated[dict[HeaderName, HeaderValue], msgspec.Meta(max_length=HEADERS_MAX)] = {}
    """Of a webhook; their names in small letters."""
    body: str = "{}"
    """As it is sent, to the letter: a signature is of that."""


class TryProblem(msgspec.Struct, frozen=True):
    code: str
    detail: str
    field: str | None = None


class TriedView(msgspec.Struct, frozen=True, kw_only=True):
    """What would happen; nothing did."""

    would_run: bool
    signed: bool | None
    """Of a webhook: whether its caller would be let in."""
    matched: bool | None
    """Of an event: whether the trigger waits for such data,"""
    unmet: str | None
    """and if not, because of which place in them."""
    input: Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": ["object", "null"]})]
    key: str | None
    problem: TryProblem | None


STRUCTS = (SecretBody, HookView, SecretView, TryBody, TriedView)
NULL = msgspec.Raw(b"null")
ANY_JSON: dict[str, Any] = {"requestBody": {"required": True, "content": {"application/json": {"schema": {}}}}}

router = APIRouter(route_class=GuardedRoute, tags=["webhooks"])
_secret = msgspec.json.Decoder(SecretBody)
_try = msgspec.json.Decoder(TryBody)


@router.post(
    "/hooks/{id}", status_code=202, openapi_extra=ANY_JSON | answers({202: (AcceptedView,)}), response_model=None
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


@router.get("/api/v1/triggers/{name}/secret", openapi_extra=answers({200: (HookView,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def get_hook(request: Request, name: TriggerName) -> Response:
    """How a webhook is called, and since when it has its secret."""
    return show(show_hook(await engine_of(request).called.secrets.get(namespace_of(request), name)))


@router.post(
    "/api/v1/triggers/{name}/secret",
    openapi_extra=accepts(SecretBody, optional=True) | answers({200: (SecretView,)}),
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
    return show_secret(SecretView(made.text, show_hook(made.hook)))


@router.post(
    "/api/v1/triggers/{name}/test", openapi_extra=accepts(TryBody) | answers({200: (TriedView,)}), response_model=None
)
@require(Permission.TRIGGERS_WRITE)
async def try_call(request: Request, name: TriggerName) -> Response:
    """Say what a call of a webhook, or an event with these data, would come to; nothing is done."""
    body = await read_struct(request, _try, most=TRY_BODY_MAX)
    call = Call(body.headers, body.body.encode())
    return show(show_tried(await engine_of(request).called.trials.try_out(namespace_of(request), name, call)))


def show_hook(hook: Hook) -> HookView:
    return HookView(path=hook.path, auth=hook.auth, made_at=hook.made_at, old_until=hook.old_until)


def show_tried(trial: Trial) -> TriedView:
    problem = None if trial.problem is None else problem_of(trial.problem)
    return TriedView(
        would_run=trial.would_run,
        signed=trial.signed,
        matched=trial.matched,
        unmet=trial.unmet,
        input=NULL if trial.arguments is None else msgspec.Raw(trial.arguments),
        key=trial.key,
        problem=None if problem is None else TryProblem(problem.code, problem.detail, problem.field),
    )
