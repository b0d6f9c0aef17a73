"""The alert rules, channels and SLOs, read again only when one of them has changed."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.alerts.channel import Channel
from mainspring.domain.alerts.rule import AlertRule
from mainspring.domain.slos.slo import Slo
from mainspring.store.interface import Store
from mainspring.store.interface.alerts.alerts import DefinitionsStamp

# Two changes that hide each other are seen after it at the latest.
TRUSTED = timedelta(minutes=1).total_seconds()
"""How long the stamp alone is trusted."""


class AlertDefinitions(msgspec.Struct, frozen=True):
    rules: Sequence[AlertRule]
    channels: Sequence[Channel]
    slos: Sequence[Slo]


class KnownDefinitions:
    """Reading and decoding 10,000 rules takes longer than evaluating them, and they hardly ever change."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._known: tuple[DefinitionsStamp, float, AlertDefinitions] | None = None

    @property
    def last(self) -> AlertDefinitions:
        """As they were last read, without asking the database."""
        return AlertDefinitions((), (), ()) if self._known is None else self._known[2]

    async def read(self) -> AlertDefinitions:
        stamp, now = await self._store.alerts.stamp(), self._clock.monotonic()
        known = self._known
        if known is not None and known[0] == stamp and now - known[1] < TRUSTED:
            return known[2]
        alerts = self._store.alerts
        found = AlertDefinitions(await alerts.rules(), await alerts.channels(), await alerts.slos())
        self._known = stamp, now, found
        return found
