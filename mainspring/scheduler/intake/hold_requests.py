"""Requests over a budget are refused, or held until there is room, as the policy of the queue or namespace says."""

import asyncio

from mainspring.clock import Clock
from mainspring.domain.queues.policy import WhenFull
from mainspring.domain.queues.queue import NAMESPACE_WHOLE
from mainspring.domain.runs.run import NewRun
from mainspring.errors import OverBudgetError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Fact, Facts, Listening, QueuesSurveyed, RunsStarted
from mainspring.scheduler.intake.budgets import Budgets

# Callers and proxies give up not much later.
HELD_SECONDS = 10.0
"""How long a request is held at most."""
HELD_MAX = 1_000
"""Requests that a server holds at once; those above it are refused at once."""


class HoldRequests:
    """Held requests are let in in the order in which they came; one that is cancelled leaves its place."""

    def __init__(self, budgets: Budgets, catalog: Catalog, clock: Clock, facts: Facts) -> None:
        self._budgets = budgets
        self._catalog = catalog
        self._clock = clock
        self._held: list[asyncio.Event] = []
        self._listening: Listening[Fact] = Listening(facts, self._room, RunsStarted, QueuesSurveyed, CatalogChanged)

    @property
    def held(self) -> int:
        return len(self._held)

    async def admit(self, runs: list[NewRun]) -> None:
        """Count the runs in, now or when there is room; raises OverBudgetError."""
        try:
            self._budgets.admit(runs)
        except OverBudgetError as error:
            if not self._waits(runs[0], error) or len(self._held) >= HELD_MAX:
                raise
            await self._wait(runs)

    async def _wait(self, runs: list[NewRun]) -> None:
        """Ask again whenever room may have come; the last refusal is the answer."""
        turn, until = asyncio.Event(), self._clock.monotonic() + HELD_SECONDS
        self._held.append(turn)
        self._listening.switch(on=True)
        try:
            while True:
                await self._clock.wait(turn, max(0.0, until - self._clock.monotonic()))
                turn.clear()
                try:
                    self._budgets.admit(runs)
                except OverBudgetError:
                    if self._clock.monotonic() >= until:
                        raise
                else:
                    return
        finally:
            self._held.remove(turn)
            self._listening.switch(on=bool(self._held))

    def _waits(self, run: NewRun, error: OverBudgetError) -> bool:
        line = self._catalog.lines.get(run.line)
        if line is None:
            return False
        rule = self._catalog.rules.get((line.namespace, error.key if error.kind == "queue" else NAMESPACE_WHOLE))
        return rule is not None and rule.policy.when_full is WhenFull.WAIT

    def _room(self, _: Fact) -> None:
        # In their order: the first to come asks first.
        for turn in self._held:
            turn.set()
