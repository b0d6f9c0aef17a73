"""Serves the reasons why a run is not running, or a trigger has not fired."""

from collections.abc import Sequence

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.contract import limits
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.domain.limits.obstacles import Obstacle

router = Routes()


@router.bind(limits.EXPLAIN_RUN)
async def explain_run(call: Call, identifier: str) -> limits.WhyInfo:
    run, reasons = await call.engine.limits.why.run(call.namespace, parse_run_id(identifier))
    return limits.WhyInfo(id_text(run.id), run.state.label, show_obstacles(reasons))


@router.bind(limits.EXPLAIN_TRIGGER)
async def explain_trigger(call: Call, name: str) -> limits.WhyInfo:
    trigger, reasons = await call.engine.limits.why.trigger(call.namespace, name)
    return limits.WhyInfo(trigger.name, trigger.state.value, show_obstacles(reasons))


def show_obstacles(obstacles: Sequence[Obstacle]) -> list[limits.ObstacleInfo]:
    return [
        limits.ObstacleInfo(
            code=one.code, text=one.text, remedy=one.remedy, since=one.since, until=one.until, facts=one.facts
        )
        for one in obstacles
    ]
