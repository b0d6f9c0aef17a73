"""The oldest run of each lane goes first once it is old by its queue's rule, so that nothing starves in lanes either."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.limits.lanes import LaneRule
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.hints import ExchangeHints
from mainspring.store.interface import Store

PERIOD = 1.0
"""Seconds between two looks; one run of each key can go before the others in that time."""
BATCH = 1_000
"""Lanes that one look is at."""
FIRST = -1
"""Below the number of any lane."""


class AgeLanes:
    """Claims read lanes by priority: so runs that are old are given the highest one, in each lane one at a time."""

    name = "age_lanes"
    period = PERIOD

    def __init__(
        self,
        store: Store,
        clock: Clock,
        catalog: Catalog,
        hints: ExchangeHints,
        woken: Callable[[Iterable[int]], None],
    ) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints
        self._woken = woken
        self._looked: dict[tuple[LaneRule, float], int] = {}
        """The lane at which the last look ended, by rule and ageing."""

    async def tick(self) -> bool:
        ageing: dict[tuple[LaneRule, float], list[int]] = {}
        for number, line in self._catalog.lines.items():
            rule = self._catalog.rules.get((line.namespace, line.queue))
            seconds = None if rule is None else rule.policy.ageing
            if seconds is not None and (lanes := self._catalog.lane_rule_of(line)) is not None:
                ageing.setdefault((lanes, seconds), []).append(number)
        self._looked = {key: self._looked.get(key, FIRST) for key in ageing}
        for (lanes, seconds), lines in ageing.items():
            await self._look(lanes, seconds, lines)
        return False

    async def _look(self, rule: LaneRule, seconds: float, lines: list[int]) -> None:
        now = self._clock.now()
        before, after = now - timedelta(seconds=seconds), self._looked[rule, seconds]
        found = await self._store.lanes.age(rule, lines, after=after, before=before, now=now, limit=BATCH)
        self._looked[rule, seconds] = FIRST if found.last is None else found.last
        if found.lines:
            self._woken(found.lines)
            self._hints.add(found.lines)
