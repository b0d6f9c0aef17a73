"""Serves the overview of a namespace: one read in place of many, shared by all who look."""

from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.alerts.alerts import show_finding
from mainspring.api.routes.bulk.dead_letters import show_groups
from mainspring.api.routes.executors.operate import show_executor
from mainspring.api.routes.limits.pauses import show_pause
from mainspring.api.routes.queues.views import show_queue, show_rates
from mainspring.api.routes.workflows.approvals import show_approval
from mainspring.contract.executors import ExecutorInfo
from mainspring.contract.insights.operations import GET_OVERVIEW
from mainspring.contract.insights.views import NextFire, OverviewInfo, OverviewTotals
from mainspring.contract.queues import QueueInfo
from mainspring.domain.queues.queue import CLUSTER_WHOLE
from mainspring.domain.queues.rollup import Resolution
from mainspring.domain.triggers.describe import say
from mainspring.domain.triggers.trigger import Trigger
from mainspring.store.interface import PresenceFilter

MINUTES = 60
FINDINGS_MAX = 50
QUEUES_READ, QUEUES_SHOWN = 1000, 20
EXECUTORS_READ, EXECUTORS_SHOWN = 200, 10
GROUPS_READ, GROUPS_SHOWN = 50, 8
FIRES_SHOWN = 6
APPROVALS_SHOWN = 20

router = Routes()


@router.bind_direct(GET_OVERVIEW)
async def get_overview(request: Request) -> Response:
    """By the short way, since every page of every viewer asks for it every few seconds."""
    call, shared = Call(request), request.app.state.shared_answers
    content = await shared.get(f"overview {call.namespace}", lambda: make_overview(call))
    return Response(content, media_type="application/json")


async def make_overview(call: Call) -> OverviewInfo:
    engine, namespace, now = call.engine, call.namespace, call.now
    look = await engine.alerting.looking.look(namespace)
    window = await engine.queues.rates(namespace, None, Resolution.MINUTE, steps=MINUTES)
    groups = await engine.dead.groups(namespace, job=None, after=None, limit=GROUPS_READ)
    fires = await engine.triggers.upcoming(namespace, limit=FIRES_SHOWN)
    approvals = await engine.workflows.approvals.list(namespace, after=None, limit=APPROVALS_SHOWN)
    states = await engine.queues.page(namespace, after="", limit=QUEUES_READ)
    presences = await engine.executors.list(PresenceFilter(namespace=namespace, limit=EXECUTORS_READ))
    queues = [show_queue(state, now=now) for state in states]
    executors = [show_executor(presence, now) for presence in presences]
    return OverviewInfo(
        taken_at=now,
        totals=totals_of(queues, executors),
        maintenance=show_pause(engine.limits.pauses.rule_of(CLUSTER_WHOLE).pause),
        pause=show_pause(engine.queues.namespace_rule(namespace).pause),
        findings=[show_finding(one) for one in look.findings[:FINDINGS_MAX]],
        findings_more=max(0, len(look.findings) - FINDINGS_MAX),
        queues=sorted(queues, key=by_trouble)[:QUEUES_SHOWN],
        executors=[one for one in executors if one.stuck or one.blocked][:EXECUTORS_SHOWN],
        rates=show_rates(window, Resolution.MINUTE),
        failing=await show_groups(call, groups[:GROUPS_SHOWN]),
        failing_groups=len(groups),
        failing_more=len(groups) == GROUPS_READ,
        next_fires=[show_fire(trigger) for trigger in fires],
        approvals=[show_approval(one) for one in approvals],
        approvals_more=len(approvals) == APPROVALS_SHOWN,
    )


def totals_of(queues: list[QueueInfo], executors: list[ExecutorInfo]) -> OverviewTotals:
    rates = [queue.rates for queue in queues if queue.rates is not None]
    return OverviewTotals(
        queues=len(queues),
        paused_queues=sum(queue.paused is not None for queue in queues),
        queued=sum(queue.queued for queue in queues),
        later=sum(queue.later for queue in queues),
        waiting=sum(queue.waiting for queue in queues),
        running=sum(queue.running for queue in queues),
        oldest_seconds=max((queue.oldest_seconds or 0.0 for queue in queues), default=0.0) or None,
        finished=round(sum(one.finished for one in rates), 2),
        failed=round(sum(one.failed for one in rates), 2),
        executors=len(executors),
        executors_more=len(executors) == EXECUTORS_READ,
        slots=sum(pool.max for one in executors for pool in one.pools),
    )


def by_trouble(queue: QueueInfo) -> tuple[bool, float, int, int]:
    """A paused queue that holds runs first: people look for it."""
    is_held = queue.paused is not None and queue.queued > 0
    return (not is_held, -(queue.oldest_seconds or 0.0), -queue.queued, -queue.running)


def show_fire(trigger: Trigger) -> NextFire:
    assert trigger.next_due is not None
    return NextFire(trigger=trigger.name, job=trigger.spec.job, at=trigger.next_due, words=say(trigger.spec))
