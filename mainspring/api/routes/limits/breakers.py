"""Serves circuit breakers."""

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.views import view_of
from mainspring.contract import breakers
from mainspring.domain.breakers.breaker import Breaker, BreakerTransition
from mainspring.domain.breakers.spec import BreakerSpec

router = Routes()


@router.bind(breakers.LIST_BREAKERS)
async def list_breakers(call: Call) -> breakers.BreakerPage:
    return breakers.BreakerPage([await show(call, one) for one in call.engine.limits.breakers.list(call.namespace)])


@router.bind(breakers.GET_BREAKER)
async def get_breaker(call: Call, name: str) -> breakers.BreakerInfo:
    return await show(call, await call.engine.limits.breakers.get(call.namespace, name))


@router.bind(breakers.GET_BREAKER_HISTORY)
async def get_breaker_history(call: Call, name: str, query: breakers.HistoryQuery) -> breakers.BreakerHistory:
    operations = call.engine.limits.breakers
    breaker = await operations.get(call.namespace, name)
    return breakers.BreakerHistory([show_change(one) for one in await operations.changes(breaker, limit=query.limit)])


@router.bind(breakers.SET_BREAKER)
async def set_breaker(call: Call, name: str, body: breakers.BreakerBody) -> breakers.BreakerInfo:
    spec = spec_of(body)
    return await show(call, await call.engine.limits.breakers.set(call.namespace, name, spec, actor=call.actor))


@router.bind(breakers.TRY_BREAKER)
async def try_breaker(call: Call, name: str, body: breakers.BreakerTrialBody) -> breakers.BreakerTrial:
    tried = await call.engine.limits.try_rule(call.namespace, name, spec_of(body.rule), runs=body.runs)
    trial = tried.trial
    return view_of(
        breakers.BreakerTrial,
        tried,
        name=name,
        jobs=list(tried.jobs),
        calls=trial.calls,
        failures=trial.failures,
        slow=trial.slow,
        opened=[view_of(breakers.BreakerOpening, one) for one in trial.spans],
        open_seconds=0.0 if tried.until is None else trial.open_seconds(tried.until),
        held=trial.held,
        unknown=list(tried.unknown),
    )


def spec_of(body: breakers.BreakerBody) -> BreakerSpec:
    fields = msgspec.structs.asdict(body)
    return BreakerSpec(**{**fields, "record": tuple(body.record), "ignore": tuple(body.ignore)})


@router.bind(breakers.DELETE_BREAKER)
async def delete_breaker(call: Call, name: str) -> None:
    await call.engine.limits.breakers.delete(call.namespace, name, actor=call.actor)


@router.bind(breakers.FORCE_BREAKER_OPEN)
async def force_breaker_open(call: Call, name: str, body: breakers.BreakerReasonBody) -> breakers.BreakerInfo:
    operations = call.engine.limits.breakers
    return await show(call, await operations.force_open(call.namespace, name, reason=body.reason, actor=call.actor))


@router.bind(breakers.DISABLE_BREAKER)
async def disable_breaker(call: Call, name: str, body: breakers.BreakerReasonBody) -> breakers.BreakerInfo:
    operations = call.engine.limits.breakers
    return await show(call, await operations.disable(call.namespace, name, reason=body.reason, actor=call.actor))


@router.bind(breakers.WATCH_BREAKER)
async def watch_breaker(call: Call, name: str, body: breakers.BreakerReasonBody) -> breakers.BreakerInfo:
    operations = call.engine.limits.breakers
    return await show(call, await operations.watch_only(call.namespace, name, reason=body.reason, actor=call.actor))


@router.bind(breakers.RESUME_BREAKER)
async def resume_breaker(call: Call, name: str, body: breakers.BreakerReasonBody) -> breakers.BreakerInfo:
    operations = call.engine.limits.breakers
    return await show(call, await operations.resume(call.namespace, name, reason=body.reason, actor=call.actor))


@router.bind(breakers.RESET_BREAKER)
async def reset_breaker(call: Call, name: str, body: breakers.BreakerReasonBody) -> breakers.BreakerInfo:
    operations = call.engine.limits.breakers
    return await show(call, await operations.reset(call.namespace, name, reason=body.reason, actor=call.actor))


async def show(call: Call, breaker: Breaker) -> breakers.BreakerInfo:
    counted = await call.engine.limits.breakers.counted(breaker)
    return breakers.BreakerInfo(
        name=breaker.name,
        state=breaker.state.value,
        since=breaker.since,
        until=None if breaker.state.steered else breaker.until,
        reason=breaker.reason,
        by=breaker.by,
        streak=breaker.streak,
        wave=breaker.wave,
        calls=counted.calls,
        failures=counted.failures,
        slow=counted.slow,
        epoch=breaker.epoch,
        rule=show_rule(breaker.spec),
    )


def show_rule(spec: BreakerSpec) -> breakers.BreakerRule:
    fields = msgspec.structs.asdict(spec)
    return breakers.BreakerRule(**{**fields, "record": list(spec.record), "ignore": list(spec.ignore)})


def show_change(change: BreakerTransition) -> breakers.BreakerChange:
    fields = msgspec.structs.asdict(change)
    return breakers.BreakerChange(**{**fields, "was": change.was.value, "state": change.state.value})
