"""Requests over a budget whose queue or namespace sheds: waiting runs that are less urgent go, in the same commit."""

from mainspring.clock import Clock
from mainspring.domain.queues.policy import WhenFull
from mainspring.domain.queues.shed import sheddings
from mainspring.domain.runs.birth import Accepted
from mainspring.domain.runs.run import NewRun
from mainspring.errors import OverBudgetError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import Facts, RunsAccepted, RunsSettled, publish_new_runs
from mainspring.scheduler.intake.budgets import Budgets
from mainspring.store.interface import Store


class ShedRuns:
    """One goes for each that comes, so that a queue that is over its budget gets no longer."""

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, budgets: Budgets, facts: Facts) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._budgets = budgets
        self._facts = facts

    async def accept(self, namespace: str, runs: list[NewRun], refusal: OverBudgetError) -> list[Accepted]:
        """Return once the runs are durable; raises `refusal` if a full place does not shed, or nothing less urgent waits."""
        lacking = self._budgets.lacking(runs)
        rules = [self._catalog.rules.get(place) for place in lacking]
        if not rules or any(rule is None or rule.policy.when_full is not WhenFull.SHED for rule in rules):
            raise refusal
        now = self._clock.now()
        parts = sheddings(lacking, {place: self._budgets.lines_of(place) for place in lacking})
        relief = await self._store.runs.create_shedding(namespace, runs, parts, refusal=refusal, now=now)
        new = [run for run in runs if run.id not in relief.holders]
        self._budgets.exchanged([run.line for run in new], list(relief.shed.values()))
        self._facts.publish(RunsAccepted(new))
        publish_new_runs(self._facts, new, now)
        if relief.shed:
            self._facts.publish(RunsSettled(list(relief.shed)))
        held = relief.holders
        return [Accepted(held[run.id].run, existing=True) if run.id in held else Accepted(run.id) for run in runs]
