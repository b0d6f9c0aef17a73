"""Looks for trouble when an operator asks: by the conditions and the facts of the evaluation, and by its open alerts."""

from datetime import datetime, timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.alerts.findings import Findings
from mainspring.domain.alerts.rule import AlertRule
from mainspring.domain.alerts.trouble import LOOKED_FOR, Trouble, trouble_of
from mainspring.scheduler.alerts.evaluate_alerts import all_rules
from mainspring.scheduler.alerts.gather import Gather
from mainspring.scheduler.alerts.known_definitions import KnownDefinitions
from mainspring.store.interface import Store

# Many consoles that ask cost one look.
KEPT = timedelta(seconds=1)
"""How old facts may be."""


class Look(msgspec.Struct, frozen=True):
    findings: list[Trouble]
    taken_at: datetime
    fresh: bool


class LookForTrouble:
    """Costs nothing until it is asked; any server answers."""

    def __init__(self, store: Store, clock: Clock, gather: Gather, definitions: KnownDefinitions) -> None:
        self._store, self._clock, self._gather, self._definitions = store, clock, gather, definitions
        self._facts: Findings | None = None

    async def look(self, namespace: str) -> Look:
        known = await self._definitions.read()
        slos, rules = known.slos, all_rules(known.rules, known.channels, known.slos)
        if self._facts is None or self._clock.now() - self._facts.now >= KEPT:
            self._facts = await self._gather.gather(looked_for(self._clock.now()), slos, self._clock.now())
        found = trouble_of(namespace, rules, await self._store.alerts.open(), self._facts)
        fresh = self._facts.counts_are_fresh and self._facts.survey_is_fresh
        return Look(found, self._facts.now, fresh)


def looked_for(now: datetime) -> list[AlertRule]:
    """Rules that make the gathering ask for everything that is looked for; facts are gathered for all namespaces."""
    return [AlertRule(namespace="", name="", spec=spec, updated_at=now) for spec in LOOKED_FOR]
