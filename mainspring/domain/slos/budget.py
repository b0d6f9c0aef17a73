"""Error budgets and burn rates, from roll-ups. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.queues.rollup import Rollup
from mainspring.domain.runs.run import RunState
from mainspring.domain.slos.days import SloDay, by_day, spans_of_days, worst_of
from mainspring.domain.slos.fresh import fresh_minutes, success_ends
from mainspring.domain.slos.slo import Indicator, SloSpec, buckets_within

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
FEW = 100
"""Below so many runs in the window a burn rate says nothing, and bad runs are counted instead."""
FAST = ((HOUR, 5 * MINUTE, 14.4), (6 * HOUR, 30 * MINUTE, 6.0))
SLOW = ((3 * DAY, 6 * HOUR, 1.0),)
"""Burn rates at which an alert fires, each over a long and a short window: the short one ends it soon after the trouble."""
SHORT = (5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR)
"""Windows that are counted by the minute."""


class RunTally(msgspec.Struct, frozen=True):
    good: int = 0
    bad: int = 0

    @property
    def total(self) -> int:
        return self.good + self.bad

    @property
    def bad_share(self) -> float:
        return self.bad / self.total if self.total else 0.0


class BudgetState(msgspec.Struct, frozen=True, kw_only=True):
    """How an SLO stands."""

    objective: float
    whole: RunTally
    """Over its window of days."""
    burns: Mapping[timedelta, float]
    """By window, how many times faster than allowed the budget is spent."""
    worst: tuple[SloDay, ...] = ()
    """The days of its window with most that was bad."""

    @property
    def budget(self) -> float:
        """Bad runs that are allowed."""
        # At least one, so that few runs have a budget at all.
        return max(self.whole.total * (1 - self.objective), 1.0)

    @property
    def budget_left(self) -> float:
        """The share of the budget that is left, below 0 once it is overspent."""
        return 1 - self.whole.bad / self.budget

    @property
    def is_few(self) -> bool:
        return self.whole.total < FEW

    def burns_at(self, pairs: tuple[tuple[timedelta, timedelta, float], ...]) -> float | None:
        """The burn rate of the first pair of windows that both burn as fast; None if none does."""
        for long, short, rate in pairs:
            if min(self.burns.get(long, 0.0), self.burns.get(short, 0.0)) >= rate:
                return self.burns[long]
        return None


def tally(spec: SloSpec, rollups: Iterable[Rollup], *, since: datetime) -> RunTally:
    """The good and the bad runs of a job from an instant on."""
    good = bad = 0
    for _, fine, wrong in judged(spec, rollups, since=since):
        good, bad = good + fine, bad + wrong
    return RunTally(good, bad)


def judged(spec: SloSpec, rollups: Iterable[Rollup], *, since: datetime) -> Iterator[tuple[datetime, int, int]]:
    """For each roll-up from an instant on, how many of its runs were good, and how many were bad."""
    for one in rollups:
        if one.at < since or one.state not in (RunState.SUCCEEDED, RunState.FAILED):
            continue
        fine = good_of(spec, one)
        total = one.runs if spec.indicator is Indicator.SUCCESS else sum(counts_of(spec, one))
        yield one.at, fine, total - fine


def good_of(spec: SloSpec, rollup: Rollup) -> int:
    if spec.within is None:
        return rollup.runs if rollup.state is RunState.SUCCEEDED else 0
    return sum(counts_of(spec, rollup)[: buckets_within(spec.within)])


def counts_of(spec: SloSpec, rollup: Rollup) -> tuple[int, ...]:
    return rollup.wait.counts if spec.indicator is Indicator.START else rollup.duration.counts


def standing_of(spec: SloSpec, minutes: Iterable[Rollup], hours: Iterable[Rollup], now: datetime) -> BudgetState:
    """How an SLO stands, by the roll-ups of the last six hours by the minute, and of its window by the hour."""
    fine, coarse = list(minutes), list(hours)
    if spec.indicator is Indicator.FRESH:
        return freshness_of(spec, success_ends(fine, coarse), now)
    allowed = 1 - spec.objective
    burns = {window: tally(spec, fine, since=now - window).bad_share / allowed for window in SHORT}
    burns[3 * DAY] = tally(spec, coarse, since=now - 3 * DAY).bad_share / allowed
    begun = now - spec.window_days * DAY
    days = list(by_day(judged(spec, coarse, since=begun)))
    whole = RunTally(sum(one.good for one in days), sum(one.bad for one in days))
    return BudgetState(objective=spec.objective, whole=whole, burns=burns, worst=worst_of(days))


def freshness_of(spec: SloSpec, ends: Sequence[datetime], now: datetime) -> BudgetState:
    """How an SLO of freshness stands, counted in minutes; before the first success nothing was expected."""
    within = timedelta(seconds=spec.within or 0.0)
    first = min(ends, default=now)

    def count(window: timedelta) -> RunTally:
        return RunTally(*fresh_minutes(ends, within, since=max(now - window, first), until=now))

    allowed = 1 - spec.objective
    burns = {window: count(window).bad_share / allowed for window in (*SHORT, 3 * DAY)}
    window = spec.window_days * DAY
    days = [
        SloDay(begin.date(), *fresh_minutes(ends, within, since=begin, until=end))
        for begin, end in spans_of_days(max(now - window, first), now)
    ]
    return BudgetState(objective=spec.objective, whole=count(window), burns=burns, worst=worst_of(days))
