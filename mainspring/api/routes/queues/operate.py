"""Serves queues. Nothing here counts runs: surveys and roll-ups do."""

from typing import Any

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import read_name_cursor
from mainspring.api.input.parameters import choice
from mainspring.api.routes.queues.views import show_figures, show_queue, show_queues, show_rates, show_scaling
from mainspring.contract.base.operation import EmptyBody
from mainspring.contract.operations import queues
from mainspring.contract.queues import (
    JobFigures,
    NamespaceBudget,
    NamespacePolicyInfo,
    QueueInfo,
    QueuePage,
    QueueScaling,
    RatesInfo,
)
from mainspring.domain.access.permissions import check_namespace_name
from mainspring.domain.access.token import check_reach
from mainspring.domain.queues.rollup import Resolution

router = Routes()


@router.bind(queues.LIST_QUEUES)
async def list_queues(call: Call, query: queues.QueueQuery) -> QueuePage:
    after = read_name_cursor("queue", query.cursor)
    found = await call.engine.queues.page(call.namespace, after=after, limit=query.limit)
    return show_queues(found, limit=query.limit, now=call.now)


@router.bind(queues.GET_QUEUE)
async def get_queue(call: Call, name: str) -> QueueInfo:
    return show_queue(await call.engine.queues.get(call.namespace, name), now=call.now)


@router.bind(queues.GET_RATES)
async def get_rates(call: Call, name: str, query: queues.RatesQuery) -> RatesInfo:
    step = parse_step(query.step)
    window = await call.engine.queues.rates(call.namespace, name, step, steps=query.steps, job=query.job)
    return show_rates(window, step)


@router.bind(queues.GET_NAMESPACE_RATES)
async def get_namespace_rates(call: Call, query: queues.RatesQuery) -> RatesInfo:
    step = parse_step(query.step)
    window = await call.engine.queues.rates(call.namespace, None, step, steps=query.steps, job=query.job)
    return show_rates(window, step)


@router.bind(queues.GET_JOB_FIGURES)
async def get_job_figures(call: Call, query: queues.FiguresQuery) -> JobFigures:
    window, jobs = await call.engine.queues.figures(call.namespace, parse_step(query.step), steps=query.steps)
    return show_figures(window, jobs)


@router.bind(queues.GET_SCALING)
async def get_scaling(call: Call, name: str, query: queues.ScalingQuery) -> QueueScaling:
    found = [await call.engine.queues.get(call.namespace, name)]
    return show_scaling(found, slots=query.slots, within=query.within, now=call.now)


@router.bind(queues.GET_SCALING_OF)
async def get_scaling_of(call: Call, query: queues.ScalingOfQuery) -> QueueScaling:
    names = list(dict.fromkeys(filter(None, query.queues.split(","))))
    found = await call.engine.queues.states(call.namespace, names)
    return show_scaling(found, slots=query.slots, within=query.within, now=call.now)


@router.bind(queues.PAUSE_QUEUE)
async def pause_queue(call: Call, name: str, body: queues.PauseBody) -> QueueInfo:
    paused = await call.engine.queues.pause(
        call.namespace, name, reason=body.reason, actor=call.actor, new=body.new, lasts=body.lasts
    )
    return show_queue(paused, now=call.now)


@router.bind(queues.RESUME_QUEUE)
async def resume_queue(call: Call, name: str, _body: EmptyBody) -> QueueInfo:
    return show_queue(await call.engine.queues.resume(call.namespace, name, actor=call.actor), now=call.now)


@router.bind(queues.SET_BUDGET)
async def set_budget(call: Call, name: str, body: queues.BudgetBody) -> QueueInfo:
    queue = await call.engine.queues.set_budget(call.namespace, name, body.max_queued, actor=call.actor, new=body.new)
    return show_queue(queue, now=call.now)


@router.bind(queues.CHANGE_QUEUE)
async def change_queue(call: Call, name: str, body: queues.QueuePolicyBody) -> QueueInfo:
    queue = await call.engine.queues.change(call.namespace, name, given(body), actor=call.actor, new=body.new)
    return show_queue(queue, now=call.now)


@router.bind(queues.CHANGE_NAMESPACE)
async def change_namespace(call: Call, name: str, body: queues.NamespacePolicyBody) -> NamespacePolicyInfo:
    engine = call.engine
    await engine.access.check_namespace(check_namespace_name(name))
    rule = await engine.queues.change_namespace(name, given(body), actor=call.actor)
    policy = rule.policy
    return NamespacePolicyInfo(
        namespace=name, blackout=policy.blackout, when_full=policy.when_full, weight=policy.weight
    )


@router.bind(queues.GET_NAMESPACE_BUDGET)
async def get_namespace_budget(call: Call, name: str) -> NamespaceBudget:
    check_reach(call.grant.token, check_namespace_name(name))
    engine = call.engine
    await engine.access.check_namespace(name)
    return NamespaceBudget(name, engine.queues.namespace_rule(name).max_queued)


@router.bind(queues.SET_NAMESPACE_BUDGET)
async def set_namespace_budget(call: Call, name: str, body: queues.NamespaceBudgetBody) -> NamespaceBudget:
    engine = call.engine
    await engine.access.check_namespace(check_namespace_name(name))
    rule = await engine.queues.set_namespace_budget(name, body.max_queued, actor=call.actor)
    return NamespaceBudget(name, rule.max_queued)


def given(body: queues.QueuePolicyBody | queues.NamespacePolicyBody) -> dict[str, Any]:
    """The fields of a policy that the caller named."""
    fields = msgspec.structs.asdict(body)
    return {name: value for name, value in fields.items() if name != "new" and value is not msgspec.UNSET}


def parse_step(text: str) -> Resolution:
    return Resolution[choice("step", text, [step.label for step in Resolution]).upper()]
