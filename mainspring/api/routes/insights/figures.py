"""Serves the last runs of jobs and the last instants of triggers, many of them in one answer."""

from datetime import datetime, timedelta

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.runs.views import show_run
from mainspring.api.routes.triggers.views import show_instants
from mainspring.contract.insights import lookups
from mainspring.domain.triggers.spec import is_timed
from mainspring.domain.triggers.trigger import Trigger
from mainspring.errors import NotFoundError

SHOWN = 30
TICK = timedelta(microseconds=1)

router = Routes()


@router.bind(lookups.GET_JOB_RUNS)
async def get_job_runs(call: Call, query: lookups.JobRunsQuery) -> lookups.JobRunsList:
    names = list(dict.fromkeys(query.name))
    found = await call.engine.last_of(call.namespace, names, limit=SHOWN)
    each = zip(names, found, strict=True)
    return lookups.JobRunsList([lookups.JobRuns(job=name, runs=list(map(show_run, runs))) for name, runs in each])


@router.bind(lookups.GET_TRIGGER_FIGURES)
async def get_trigger_figures(call: Call, query: lookups.TriggerFiguresQuery) -> lookups.TriggerFigures:
    figures = [await figure_of(call, name) for name in dict.fromkeys(query.name)]
    return lookups.TriggerFigures([figure for figure in figures if figure is not None])


async def figure_of(call: Call, name: str) -> lookups.TriggerFigure | None:
    """None for one that is unknown, or was deleted since the list was made."""
    triggers, now = call.engine.triggers, call.now
    try:
        trigger = await triggers.get(call.namespace, name)
    except NotFoundError:
        return None
    since = first_shown(call, trigger, now) if is_timed(trigger.spec) else None
    if since is None:
        return lookups.TriggerFigure(name=name, instants=[])
    instants = await triggers.instants(call.namespace, name, since=since, until=now + TICK, limit=2 * SHOWN)
    return lookups.TriggerFigure(name=name, instants=show_instants(instants, limit=2 * SHOWN).instants[-SHOWN:])


def first_shown(call: Call, trigger: Trigger, now: datetime) -> datetime | None:
    """The earliest of the last instants of its rule since it was made; None: there was none."""
    timer, at, first = call.engine.triggers.timer(trigger), now + TICK, None
    for _ in range(SHOWN):
        before = timer.previous(at)
        if before is None or before < trigger.created_at:
            break
        at = first = before
    return first
