"""Serves the triggers behind one step of a forecast, and spreads them."""

from datetime import timedelta

from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import parse_instant
from mainspring.contract.insights import herds
from mainspring.domain.triggers.describe import say
from mainspring.domain.triggers.fire_times.herd import Member
from mainspring.domain.triggers.trigger import Trigger
from mainspring.errors import InvalidInputError
from mainspring.scheduler.operations.herds import find_herd, look_at_spread, spread_triggers

router = Routes()


@router.bind(herds.GET_HERD)
async def get_herd(call: Call, query: herds.HerdQuery) -> Response:
    shared = call.request.app.state.shared_answers
    key = f"herd {call.namespace} {query.at} {query.step} {query.limit}"
    return Response(await shared.get_costly(key, lambda: make_herd(call, query)), media_type="application/json")


async def make_herd(call: Call, query: herds.HerdQuery) -> herds.HerdInfo:
    at = parse_instant("at", query.at)
    if at is None:
        raise InvalidInputError("at", "is empty", code="bad_at")
    clock = call.request.app.state.clock
    herd = await find_herd(call.engine.triggers, clock, call.namespace, at, timedelta(seconds=query.step))
    return herds.HerdInfo(
        at=at,
        step=query.step,
        runs=sum(one.runs for one in herd.members),
        triggers=[show_member(one) for one in herd.members[: query.limit]],
        more=max(0, len(herd.members) - query.limit),
        complete=herd.complete,
    )


@router.bind(herds.SPREAD_TRIGGERS)
async def spread(call: Call, body: herds.SpreadBody) -> herds.TriggerSpread:
    triggers, names = call.engine.triggers, sorted(set(body.names))
    clock = call.request.app.state.clock
    found = await look_at_spread(triggers, clock, call.namespace, names, body.over, body.group, body.at or call.now)
    if not body.dry_run:
        await spread_triggers(triggers, call.namespace, names, body.over, body.group, call.actor, body.note)
    return herds.TriggerSpread(
        applied=not body.dry_run,
        since=found.since,
        step=int(found.step.total_seconds()),
        before=list(found.before),
        after=list(found.after),
        peak_before=max(found.before, default=0),
        peak_after=max(found.after, default=0),
        triggers=[show_before(one) for one in found.was],
    )


def show_member(member: Member) -> herds.HerdMember:
    spec = member.trigger.spec
    return herds.HerdMember(name=spec.name, job=spec.job, words=say(spec), runs=member.runs, spread=spec.spread)


def show_before(trigger: Trigger) -> herds.SpreadBefore:
    return herds.SpreadBefore(name=trigger.name, spread=trigger.spec.spread, group=trigger.spec.group)
