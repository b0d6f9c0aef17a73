"""Gates follow the limits of jobs, queues and namespaces, and their held counts are recounted now and then."""

import asyncio
import logging

from mainspring.clock import Clock
from mainspring.domain.limits.gates import Gate
from mainspring.domain.limits.lanes import FIRST, LaneRule
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import (
    AttemptsEnded,
    AttemptsSucceeded,
    CatalogChanged,
    Fact,
    Facts,
    Listening,
    RunsQueued,
)
from mainspring.scheduler.hints import ExchangeHints
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.keep_gates")

WOKEN = 1_000
"""Lanes that one look is at when their rule has changed."""
RECOUNT = 10.0
"""Seconds between two counts of what gates hold."""


class KeepGates:
    """Every server does this; the second one finds nothing to change."""

    name = "keep_gates"
    period = RECOUNT

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, hints: ExchangeHints, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints
        self._facts = facts
        self._gates: dict[int, Gate] = {}
        """As they were written last."""
        self._lines: dict[int, tuple[int, ...]] = {}
        """The gates of those lines that lead through any."""
        self._laned: set[int] = set()
        """Lines whose runs stand in lanes."""
        self._count_at = 0.0
        facts.wake(self.wake, CatalogChanged)
        self._ends = Listening[Fact](facts, self._ended, AttemptsSucceeded, AttemptsEnded)

    def _ended(self, _: Fact) -> None:
        """Tell the other servers that a full gate may have room again."""
        if not self._hints.alone:
            self._hints.add({*self._lines, *self._laned})

    async def tick(self) -> bool:
        gates: dict[int, Gate] = {}
        lines: dict[int, tuple[int, ...]] = {}
        lanes: dict[LaneRule, list[int]] = {}
        for number, line in self._catalog.lines.items():
            through = self._catalog.gates(line)
            gates |= {gate.id: gate for gate in through}
            if through:
                lines[number] = tuple(gate.id for gate in through)
            if (rule := self._catalog.lane_rule_of(line)) is not None:
                gates[rule.gate.id] = rule.gate
                lanes.setdefault(rule, []).append(number)
        self._laned = {number for numbers in lanes.values() for number in numbers}
        if gates or self._lines:
            await self._follow(gates, lines)
        for rule, numbers in lanes.items():
            if says_otherwise(rule.gate, self._gates.get(rule.gate.id)):
                await self._wake_lanes(rule, numbers)
        self._gates, self._lines = gates, lines
        self._ends.switch(bool(lines or self._laned))
        return False

    async def _follow(self, gates: dict[int, Gate], lines: dict[int, tuple[int, ...]]) -> None:
        known = await self._store.limits.gate_lines()
        changed = {
            line: lines.get(line, ())
            for line in {*lines, *known}
            if line in self._catalog.lines and lines.get(line, ()) != known.get(line, ())
        }
        if (changed or gates != self._gates) and await self._store.limits.set_gates(list(gates.values()), changed):
            await self._recount(gates, expected=False)
            self._facts.publish(RunsQueued(list(lines)))
        elif self._clock.monotonic() >= self._count_at:
            await self._recount(gates, expected=True)

    async def _wake_lanes(self, rule: LaneRule, lines: list[int]) -> None:
        """Have full lanes looked at: they have no turn, and their limit may have been raised."""
        after: int | None = FIRST
        while after is not None:
            after = await self._store.lanes.wake(rule, after=after, now=self._clock.now(), limit=WOKEN)
        self._facts.publish(RunsQueued(lines))

    async def _recount(self, gates: dict[int, Gate], *, expected: bool) -> None:
        self._count_at = self._clock.monotonic() + RECOUNT
        if not gates:
            return
        wrong = await self._store.limits.recount(sorted(gates), now=self._clock.now())
        if wrong and expected:
            log.warning("%d limits held another number of attempts than are under way; they were counted anew", wrong)


def says_otherwise(gate: Gate, before: Gate | None) -> bool:
    """Whether the numbers of a gate that was there have changed."""
    return before is not None and (gate.at_once, gate.gap, gate.burst) != (before.at_once, before.gap, before.burst)
