"""Serves histograms of runs: by roll-ups where they have the answer, else by a look at the newest runs."""

from datetime import datetime, timedelta

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.runs.search import COUNT_MAX, filter_of, looked_at
from mainspring.contract.insights.operations import GET_HISTOGRAM, HistogramQuery
from mainspring.contract.insights.views import HistogramStep, RunHistogram
from mainspring.domain.insights.histogram import Buckets, buckets_of, has_rollups, resolution_of
from mainspring.domain.queues.rollup import RollupWindow
from mainspring.domain.runs.query import RunSearch, read_query

RANGE = timedelta(hours=1)

router = Routes()


@router.bind(GET_HISTOGRAM)
async def get_histogram(call: Call, query: HistogramQuery) -> RunHistogram:
    now = call.now
    search = read_query(query.q, now)
    until = min(search.until or now, now)
    since = min(search.since or until - RANGE, until)
    step = resolution_of(since, now) if has_rollups(search) else None
    if step is None:
        return await looked(call, search, buckets_of(since, until, most=query.steps))
    window = await call.engine.queues.rates(
        call.namespace, search.queue, step, steps=-(-int((now - since).total_seconds()) // step) + 1, job=search.job
    )
    return rolled_up(window, search, buckets_of(since, until, most=query.steps, least=step))


def rolled_up(window: RollupWindow | None, search: RunSearch, buckets: Buckets) -> RunHistogram:
    for rollup in window.rollups if window is not None else ():
        if not search.states or rollup.state in search.states:
            buckets.add(rollup.at, rollup.state.label, rollup.runs)
    return show(buckets, "finished", reached=buckets.since, is_complete=True)


async def looked(call: Call, search: RunSearch, buckets: Buckets) -> RunHistogram:
    last, reached = None, buckets.since
    wanted = filter_of(call.namespace, search_within(search, buckets))
    async for run, last in looked_at(call, wanted, COUNT_MAX):  # noqa: B007 read after the loop
        if run is None:
            continue
        reached = run.created_at
        if all(sift.holds(run, call.now) for sift in search.sifts):
            buckets.add(run.created_at, run.state.label, 1)
    is_complete = last is None
    return show(buckets, "created", reached=buckets.since if is_complete else reached, is_complete=is_complete)


def search_within(search: RunSearch, buckets: Buckets) -> RunSearch:
    search.since, search.until = buckets.since, buckets.until
    return search


def show(buckets: Buckets, by: str, *, reached: datetime, is_complete: bool) -> RunHistogram:
    return RunHistogram(
        by=by,
        since=buckets.since,
        until=buckets.until,
        step_seconds=buckets.step,
        steps=[HistogramStep(at=at, states=states) for at, states in buckets.counts.items()],
        count=sum(sum(states.values()) for states in buckets.counts.values()),
        is_complete=is_complete,
        reached=reached,
    )
