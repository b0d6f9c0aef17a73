"""Queues: how full, how fast, pause, resume, budgets. Nothing here counts runs: surveys and roll-ups do."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, grant_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import read_struct, show
from mainspring.api.http.paging import read_name_cursor
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.access.namespaces import NamespaceName
from mainspring.api.routes.queues.views import CURSOR, STRUCTS, show_queue, show_queues, show_rates, show_scaling
from mainspring.contract.queues import (
    BudgetBody,
    NamespaceBudget,
    NamespaceBudgetBody,
    PauseBody,
    QueueInfo,
    QueuePage,
    QueueScaling,
    RatesInfo,
    ResumeBody,
)
from mainspring.domain.access.permissions import check_namespace_name
from mainspring.domain.access.token import check_reach
from mainspring.domain.names import QUEUE_MAX, WORD
from mainspring.domain.queues.rollup import Step
from mainspring.errors import InvalidInputError

__all__ = ["STRUCTS", "router"]

PAGE_MAX = 500
STEPS_MAX = 1440

QueueName = Annotated[str, Path(alias="name", description="Written as %2F, a slash is part of the name.")]
NewName = Annotated[str, Path(alias="name", max_length=QUEUE_MAX, json_schema_extra={"pattern": f"^{WORD.pattern}$"})]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Steps = Annotated[int, Query(ge=1, le=STEPS_MAX, description="How many steps back, the one under way included.")]
StepName = Annotated[str, Query(json_schema_extra={"enum": [step.label for step in Step]})]

router = APIRouter(prefix="/api/v1", route_class=GuardedRoute, tags=["queues"])
_pause = msgspec.json.Decoder(PauseBody)
_resume = msgspec.json.Decoder(ResumeBody)
_budget = msgspec.json.Decoder(BudgetBody)
_namespace_budget = msgspec.json.Decoder(NamespaceBudgetBody)


@router.get("/queues", openapi_extra=answers({200: (QueuePage,)}), response_model=None)
@require(Permission.QUEUES_READ)
async def list_queues(request: Request, *, limit: Limit = 100, cursor: str | None = None) -> Response:
    """Queues by name, each as it was counted last."""
    after = read_name_cursor(CURSOR, cursor)
    found = await engine_of(request).queues.page(namespace_of(request), after=after, limit=limit)
    return show(show_queues(found, limit=limit, now=request.app.state.clock.now()))


@router.get("/queues/{name}", openapi_extra=answers({200: (QueueInfo,)}), response_model=None)
@require(Permission.QUEUES_READ)
async def get_queue(request: Request, name: QueueName) -> Response:
    """One queue, as it was counted last."""
    found = await engine_of(request).queues.get(namespace_of(request), name)
    return show(show_queue(found, now=request.app.state.clock.now()))


@router.get("/queues/{name}/rates", openapi_extra=answers({200: (RatesInfo,)}), response_model=None)
@require(Permission.QUEUES_READ)
async def get_rates(
    request: Request, name: QueueName, *, step: StepName = "minute", steps: Steps = 60, job: str | None = None
) -> Response:
    """What passed through a queue, step by step: minutes for seven days, hours for a year."""
    found = await engine_of(request).queues.rates(namespace_of(request), name, parse_step(step), steps=steps, job=job)
    return show(show_rates(found, parse_step(step)))


@router.get("/queues/{name}/scaling", openapi_extra=answers({200: (QueueScaling,)}), response_model=None)
@require(Permission.QUEUES_READ)
async def get_scaling(request: Request, name: QueueName) -> Response:
    """The few numbers that an autoscaler needs."""
    found = await engine_of(request).queues.get(namespace_of(request), name)
    return show(show_scaling(found, now=request.app.state.clock.now()))


@router.post(
    "/queues/{name}/pause",
    openapi_extra=accepts(PauseBody, optional=True) | answers({200: (QueueInfo,)}),
    response_model=None,
)
@require(Permission.QUEUES_STEER)
async def pause_queue(request: Request, name: NewName) -> Response:
    """Start nothing of the queue from now on; what runs goes on, and runs are still accepted."""
    body = await read_struct(request, _pause, optional=True)
    found = await engine_of(request).queues.pause(
        namespace_of(request), name, reason=body.reason, actor=actor_of(request), new=body.new
    )
    return show(show_queue(found, now=request.app.state.clock.now()))


@router.post(
    "/queues/{name}/resume",
    openapi_extra=accepts(ResumeBody, optional=True) | answers({200: (QueueInfo,)}),
    response_model=None,
)
@require(Permission.QUEUES_STEER)
async def resume_queue(request: Request, name: QueueName) -> Response:
    """End a pause; without one nothing is changed."""
    await read_struct(request, _resume, optional=True)
    found = await engine_of(request).queues.resume(namespace_of(request), name, actor=actor_of(request))
    return show(show_queue(found, now=request.app.state.clock.now()))


@router.put(
    "/queues/{name}/budget", openapi_extra=accepts(BudgetBody) | answers({200: (QueueInfo,)}), response_model=None
)
@require(Permission.QUEUES_WRITE)
async def set_budget(request: Request, name: NewName) -> Response:
    """How many accepted runs may wait in the queue; over it, requests for more are answered 429."""
    body = await read_struct(request, _budget)
    found = await engine_of(request).queues.set_budget(
        namespace_of(request), name, body.max_queued, actor=actor_of(request), new=body.new
    )
    return show(show_queue(found, now=request.app.state.clock.now()))


@router.get("/namespaces/{name}/budget", openapi_extra=answers({200: (NamespaceBudget,)}), response_model=None)
@require(Permission.NAMESPACES_READ)
async def get_namespace_budget(request: Request, name: NamespaceName) -> Response:
    """How many accepted runs may wait in all queues of the namespace together."""
    check_reach(grant_of(request).token, check_namespace_name(name))
    engine = engine_of(request)
    await engine.access.check_namespace(name)
    return show(NamespaceBudget(name, engine.queues.namespace_rule(name).max_queued))


@router.put(
    "/namespaces/{name}/budget",
    openapi_extra=accepts(NamespaceBudgetBody) | answers({200: (NamespaceBudget,)}),
    response_model=None,
)
@require(Permission.NAMESPACES_WRITE)
async def set_namespace_budget(request: Request, name: NamespaceName) -> Response:
    """Set or remove the budget of a namespace; over it, requests for more runs there are answered 429."""
    body = await read_struct(request, _namespace_budget)
    engine = engine_of(request)
    await engine.access.check_namespace(check_namespace_name(name))
    rule = await engine.queues.set_namespace_budget(name, body.max_queued, actor=actor_of(request))
    return show(NamespaceBudget(name, rule.max_queued))


def parse_step(name: str) -> Step:
    try:
        return Step[name.upper()]
    except KeyError:
        known = " or ".join(step.label for step in Step)
        raise InvalidInputError("step", f"{name!r} is not {known}", code="bad_step") from None
