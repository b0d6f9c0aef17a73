"""Serves webhooks: their calls, and the secrets that authorise these."""

from datetime import timedelta

import msgspec
from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.errors import problem_of
from mainspring.api.http.connections import mark_known
from mainspring.api.http.json_io import read_small, respond_secret
from mainspring.api.input.bodies import check_content_type
from mainspring.api.routes.runs.bodies import show_accepted
from mainspring.api.views import view_of
from mainspring.contract.operations import webhooks
from mainspring.contract.runs import AcceptedRun
from mainspring.contract.webhooks import CallProblem, HookCallInfo, HookCallList, HookInfo, HookSecret, TriedCall
from mainspring.domain.webhooks.webhook import Hook, WebhookCall
from mainspring.scheduler.triggers.try_calls import Trial

NULL = msgspec.Raw(b"null")

router = Routes()


@router.bind(webhooks.CALL_HOOK, reads_body=True)
async def call_hook(call: Call, address: str) -> AcceptedRun:
    request = call.request
    check_content_type(request)
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in request.scope["headers"]}
    with request.app.state.intake.hold() as held:
        # A signature covers the bytes of the body, so that they are not decoded here.
        body = bytes(await read_small(request, webhooks.HOOK_BODY_MAX, held))
        accepted = await call.engine.called.hooks.call(address, WebhookCall(headers, body))
    mark_known(request.scope)
    return show_accepted(accepted)


@router.bind(webhooks.GET_HOOK)
async def get_hook(call: Call, name: str) -> HookInfo:
    return show_hook(await call.engine.called.secrets.get(call.namespace, name))


@router.bind(webhooks.LIST_HOOK_CALLS)
async def list_calls(call: Call, name: str) -> HookCallList:
    found = await call.engine.called.secrets.calls(call.namespace, name)
    return HookCallList([view_of(HookCallInfo, one) for one in found])


@router.bind(webhooks.ROTATE_SECRET)
async def rotate_secret(call: Call, name: str, body: webhooks.SecretBody) -> Response:
    made = await call.engine.called.secrets.rotate(
        call.namespace,
        name,
        grace=timedelta(seconds=body.grace),
        new_address=body.new_address,
        actor=call.actor,
    )
    return respond_secret(HookSecret(made.text, show_hook(made.hook)))


@router.bind(webhooks.TRY_CALL)
async def try_call(call: Call, name: str, body: webhooks.TryBody) -> TriedCall:
    tried = WebhookCall(body.headers, body.body.encode())
    return show_tried(await call.engine.called.trials.try_out(call.namespace, name, tried))


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
