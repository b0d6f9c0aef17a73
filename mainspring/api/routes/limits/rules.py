"""Serves limits that operators set."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.contract import limits
from mainspring.domain.access.permissions import check_namespace_name
from mainspring.domain.limits.gates import GateState, LimitRule, Scope
from mainspring.domain.limits.policy import Rate
from mainspring.errors import InvalidInputError
from mainspring.store.interface.lanes import LaneState

router = Routes()


@router.bind(limits.LIST_LIMITS)
async def list_limits(call: Call) -> limits.LimitPage:
    rules = call.engine.limits.rules
    return limits.LimitPage([show_limit(one, await rules.state(one)) for one in rules.list(call.namespace)])


@router.bind(limits.GET_LIMIT)
async def get_limit(call: Call, name: str) -> limits.LimitInfo:
    rules = call.engine.limits.rules
    rule = rules.get(call.namespace, Scope.NAMED, name)
    return show_limit(rule, await rules.state(rule))


@router.bind(limits.SET_LIMIT)
async def set_limit(call: Call, name: str, body: limits.LimitBody) -> limits.LimitInfo:
    return await save(call, call.namespace, Scope.NAMED, name, body)


@router.bind(limits.DELETE_LIMIT)
async def delete_limit(call: Call, name: str) -> None:
    await call.engine.limits.rules.delete(call.namespace, Scope.NAMED, name, actor=call.actor)


@router.bind(limits.SET_QUEUE_LIMIT)
async def set_queue_limit(call: Call, name: str, body: limits.LimitBody) -> limits.LimitInfo:
    return await save(call, call.namespace, Scope.QUEUE, name, body)


@router.bind(limits.DELETE_QUEUE_LIMIT)
async def delete_queue_limit(call: Call, name: str) -> None:
    await call.engine.limits.rules.delete(call.namespace, Scope.QUEUE, name, actor=call.actor)


@router.bind(limits.SET_NAMESPACE_LIMIT)
async def set_namespace_limit(call: Call, name: str, body: limits.LimitBody) -> limits.LimitInfo:
    await call.engine.access.check_namespace(check_namespace_name(name))
    return await save(call, name, Scope.NAMESPACE, name, body)


@router.bind(limits.DELETE_NAMESPACE_LIMIT)
async def delete_namespace_limit(call: Call, name: str) -> None:
    await call.engine.access.check_namespace(check_namespace_name(name))
    await call.engine.limits.rules.delete(name, Scope.NAMESPACE, name, actor=call.actor)


@router.bind(limits.LIST_JOB_KEYS)
async def list_job_keys(call: Call, name: str) -> limits.KeyPage:
    keys = await call.engine.limits.rules.keys(call.namespace, Scope.JOB, name)
    return limits.KeyPage([show_key(one) for one in keys])


@router.bind(limits.SET_JOB_KEY)
async def set_job_key(call: Call, name: str, key: str, body: limits.KeyBody) -> limits.KeyInfo:
    return await save_key(call, Scope.JOB, name, key, body)


@router.bind(limits.LIST_LIMIT_KEYS)
async def list_limit_keys(call: Call, name: str) -> limits.KeyPage:
    keys = await call.engine.limits.rules.keys(call.namespace, Scope.NAMED, name)
    return limits.KeyPage([show_key(one) for one in keys])


@router.bind(limits.SET_LIMIT_KEY)
async def set_limit_key(call: Call, name: str, key: str, body: limits.KeyBody) -> limits.KeyInfo:
    return await save_key(call, Scope.NAMED, name, key, body)


async def save_key(call: Call, scope: Scope, name: str, key: str, body: limits.KeyBody) -> limits.KeyInfo:
    rules = call.engine.limits.rules
    found = await rules.set_key(
        call.namespace, scope, name, key, at_once=body.at_once, weight=body.weight, actor=call.actor
    )
    return show_key(found)


def show_key(state: LaneState) -> limits.KeyInfo:
    return limits.KeyInfo(
        key=state.key, at_once=state.at_once, weight=state.weight, held=state.held, waiting=state.waiting
    )


async def save(call: Call, namespace: str, scope: Scope, name: str, body: limits.LimitBody) -> limits.LimitInfo:
    if body.rate is None and body.burst is not None:
        raise InvalidInputError("burst", "needs a rate", code="incompatible")
    rate = None if body.rate is None else Rate(body.rate, burst=body.burst)
    rule = LimitRule(namespace=namespace, scope=scope, name=name, at_once=body.at_once, rate=rate, key=body.key)
    made = await call.engine.limits.rules.set(rule, actor=call.actor)
    return show_limit(made, await call.engine.limits.rules.state(made))


def show_limit(rule: LimitRule, state: GateState | None) -> limits.LimitInfo:
    return limits.LimitInfo(
        scope=rule.scope.value,
        name=rule.name,
        at_once=rule.at_once,
        rate=None if rule.rate is None else rule.rate.of,
        burst=None if rule.rate is None else rule.rate.burst,
        key=rule.key,
        held=0 if state is None else state.held,
        opens_at=None if state is None else state.opens_at,
        revision=rule.revision,
        updated_at=rule.updated_at,
    )
