"""How full queues are: counted now and then, by one server for all, and never by a page."""

import asyncio
from collections import deque
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.queues.queue import Survey
from mainspring.scheduler.facts import Facts, QueuesSurveyed
from mainspring.scheduler.intake.budgets import Budgets
from mainspring.store.interface import Store

PACE = 2.0
PACE_NEAR = 0.5
PAST, PAST_EVERY = 10, 30.0
"""Surveys that are kept to see growth, and the seconds between them."""
"""Seconds between two counts while a budget is nearly used up."""
# What it reads grows with the backlog.
SHARE = 20
"""A count takes at most one part in so many of the time."""


class SurveyQueues:
    """Counts the live runs of every line, unless another server has just done so; then takes its numbers."""

    name = "survey_queues"

    def __init__(self, store: Store, clock: Clock, budgets: Budgets, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = PACE
        self.last = Survey(taken_at=None, depths={})
        self._store = store
        self._clock = clock
        self._budgets = budgets
        self._took = 0.0
        self._past: deque[Survey] = deque(maxlen=PAST)
        self._facts = facts

    async def tick(self) -> bool:
        self._budgets.cut()
        now, before = self._clock.now(), self._clock.monotonic()
        survey = await self._store.queues.survey(now=now, since=now - timedelta(seconds=self.period))
        if survey is None:
            survey = await self._store.queues.depths()
        else:
            self._took = self._clock.monotonic() - before
        self._budgets.surveyed(survey)
        if not self._past or age_between(self._past[-1], survey) >= PAST_EVERY:
            self._past.append(survey)
        self.last = survey
        self._facts.publish(QueuesSurveyed(survey))
        self.period = max(PACE_NEAR if self._budgets.near else PACE, SHARE * self._took)
        return False

    def growth(self, line: int) -> float:
        """Runs a second by which those that are due in a line became more over the last minutes."""
        seconds = age_between(self._past[0], self.last) if self._past else 0.0
        if not seconds:
            return 0.0
        before, now = (survey.depths.get(line) for survey in (self._past[0], self.last))
        grown = (0 if now is None else now.queued) - (0 if before is None else before.queued)
        # Over a moment, a handful of runs would look like a flood.
        return grown / max(seconds, PAST_EVERY)


def age_between(first: Survey, second: Survey) -> float:
    """Seconds; 0 if one of them was never taken."""
    if first.taken_at is None or second.taken_at is None:
        return 0.0
    return (second.taken_at - first.taken_at).total_seconds()
