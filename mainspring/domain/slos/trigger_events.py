"""How an SLO of a trigger stands: from its fire times and their runs, which are counted one by one. Pure."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.runs.run import Run, RunState
from mainspring.domain.slos.budget import DAY, SHORT, BudgetState, RunTally, freshness_of
from mainspring.domain.slos.days import by_day, worst_of
from mainspring.domain.slos.slo import Indicator, SloSpec


class SloEvent(msgspec.Struct, frozen=True):
    """A fire time, or a run, that was good or bad."""

    at: datetime
    good: bool


def standing_of_trigger(
    spec: SloSpec, fired: Iterable[datetime], skipped: Iterable[datetime], runs: Sequence[Run], now: datetime
) -> BudgetState:
    if spec.indicator is Indicator.FRESH:
        ends = [one.finished_at for one in runs if one.state is RunState.SUCCEEDED and one.finished_at is not None]
        return freshness_of(spec, sorted(ends), now)
    if spec.indicator is Indicator.FIRED:
        events = [*(SloEvent(at, good=True) for at in fired), *(SloEvent(at, good=False) for at in skipped)]
    else:
        events = [event for run in runs if (event := event_of(spec, run, now)) is not None]
    allowed = 1 - spec.objective
    burns = {window: tally_of(events, now - window).bad_share / allowed for window in (*SHORT, 3 * DAY)}
    begun = now - spec.window_days * DAY
    days = by_day((one.at, int(one.good), int(not one.good)) for one in events if one.at >= begun)
    return BudgetState(objective=spec.objective, whole=tally_of(events, begun), burns=burns, worst=worst_of(days))


def event_of(spec: SloSpec, run: Run, now: datetime) -> SloEvent | None:
    """A run as the indicator counts it; None: not yet, or not at all."""
    limit = timedelta(seconds=spec.within or 0.0)
    match spec.indicator:
        case Indicator.SUCCESS if run.finished_at is not None and run.state in (RunState.SUCCEEDED, RunState.FAILED):
            return SloEvent(run.finished_at, good=run.state is RunState.SUCCEEDED)
        case Indicator.START if run.started_at is not None:
            return SloEvent(run.started_at, good=run.started_at - run.due_at <= limit)
        case Indicator.START if not run.state.final and now - run.due_at > limit:
            # It has not begun, and is late whenever it does.
            return SloEvent(now, good=False)
        case Indicator.DURATION if run.started_at is not None and run.finished_at is not None:
            return SloEvent(run.finished_at, good=run.finished_at - run.started_at <= limit)
    return None


def tally_of(events: Iterable[SloEvent], since: datetime) -> RunTally:
    judged = [event.good for event in events if event.at >= since]
    return RunTally(sum(judged), len(judged) - sum(judged))
