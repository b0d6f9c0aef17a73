"""Serves pauses of jobs and namespaces, and maintenance."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.jobs.views import show_job
from mainspring.contract import limits
from mainspring.contract.base.operation import EmptyBody
from mainspring.contract.jobs import JobInfo
from mainspring.domain.access.permissions import check_namespace_name
from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.queue import CLUSTER_WHOLE
from mainspring.scheduler.operations.queues import check_reason

router = Routes()


@router.bind(limits.PAUSE_JOB)
async def pause_job(call: Call, name: str, body: limits.StopBody) -> JobInfo:
    pauses = call.engine.limits.pauses
    return show_job(await pauses.pause_job(call.namespace, name, reason=body.reason, actor=call.actor))


@router.bind(limits.RESUME_JOB)
async def resume_job(call: Call, name: str, _body: EmptyBody) -> JobInfo:
    return show_job(await call.engine.limits.pauses.resume_job(call.namespace, name, actor=call.actor))


@router.bind(limits.PAUSE_NAMESPACE)
async def pause_namespace(call: Call, name: str, body: limits.StopNamespaceBody) -> limits.PauseInfo:
    await call.engine.access.check_namespace(check_namespace_name(name))
    pauses = call.engine.limits.pauses
    rule = await pauses.pause_namespace(name, reason=body.reason, actor=call.actor, lasts=body.lasts)
    return show_pause(rule.pause)


@router.bind(limits.RESUME_NAMESPACE)
async def resume_namespace(call: Call, name: str, _body: EmptyBody) -> limits.PauseInfo:
    await call.engine.access.check_namespace(check_namespace_name(name))
    rule = await call.engine.limits.pauses.resume_namespace(name, actor=call.actor)
    return show_pause(rule.pause)


@router.bind(limits.GET_MAINTENANCE)
async def get_maintenance(call: Call) -> limits.PauseInfo:
    return show_pause(call.engine.limits.pauses.rule_of(CLUSTER_WHOLE).pause)


@router.bind(limits.SET_MAINTENANCE)
async def set_maintenance(call: Call, body: limits.MaintenanceBody) -> limits.PauseInfo:
    pauses, actor, reason = call.engine.limits.pauses, call.actor, check_reason(body.reason)
    if body.on:
        rule = await pauses.begin_maintenance(reason=reason, actor=actor, lasts=body.lasts)
    else:
        rule = await pauses.end_maintenance(actor=actor)
    return show_pause(rule.pause)


def show_pause(pause: Pause | None) -> limits.PauseInfo:
    if pause is None:
        return limits.PauseInfo(paused=False)
    return limits.PauseInfo(paused=True, reason=pause.reason, by=pause.by, since=pause.since, until=pause.until)
