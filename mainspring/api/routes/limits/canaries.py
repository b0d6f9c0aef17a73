"""Serves the trials of versions."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.contract.canaries import GET_CANARY, CanaryInfo, CanarySideInfo
from mainspring.domain.routing.canary import CanarySide

router = Routes()


@router.bind(GET_CANARY)
async def get_canary(call: Call, name: str) -> CanaryInfo:
    trial = await call.engine.limits.canaries.trial(call.namespace, name)
    canary = trial.canary
    return CanaryInfo(
        job=name,
        version=canary.version,
        share=canary.share,
        stopped=canary.stopped,
        stop_above=canary.stop_above,
        min_runs=canary.min_runs,
        since=trial.since,
        canary=show_side(trial.tried),
        others=show_side(trial.others),
    )


def show_side(side: CanarySide) -> CanarySideInfo:
    return CanarySideInfo(
        runs=side.runs,
        succeeded=side.succeeded,
        failed=side.failed,
        retrying=side.retrying,
        failure_rate=side.failure_rate,
    )
