"""Executors know the breakers of their namespace: what handlers call is refused where it is called."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.breakers.breaker import Breaker, BreakerState
from mainspring.domain.breakers.spec import base_of
from mainspring.domain.ids import SessionId
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Fact, Facts, SessionsChanged
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.wire.breakers import BREAKERS_MAX, AnnounceBreakers, BreakerView


class TellExecutors:
    """Sends each change once per connection; a new connection is told everything."""

    def __init__(
        self, clock: Clock, catalog: Catalog, attached: Mapping[SessionId, ExecutorConnection], facts: Facts
    ) -> None:
        self._clock = clock
        self._catalog = catalog
        self._attached = attached
        for kind in (CatalogChanged, SessionsChanged):
            facts.subscribe(kind, self._tell)

    def _tell(self, _: Fact) -> None:
        if not self._catalog.breakers:
            return
        mine: dict[str, list[Breaker]] = defaultdict(list)
        for breaker in self._catalog.breakers.values():
            mine[breaker.namespace].append(breaker)
        now = self._clock.now()
        for executor in self._attached.values():
            self._tell_one(executor, mine[executor.session.namespace], now)

    def _tell_one(self, executor: ExecutorConnection, breakers: list[Breaker], now: datetime) -> None:
        told = executor.told.breakers
        news = [one for one in breakers if told.get(one.name) != one.revision and (one.name in told or is_news(one))]
        room = max(0, BREAKERS_MAX - len(told))
        fresh = [one for one in news if one.name not in told][:room]
        chosen = [one for one in news if one.name in told] + fresh
        if chosen:
            told |= {one.name: one.revision for one in chosen}
            executor.send(AnnounceBreakers([view_of(one, now) for one in chosen]))


def is_news(breaker: Breaker) -> bool:
    """Whether an executor that was never told of a breaker has to know it: one of a key that is closed is like none."""
    return not base_of(breaker.name) or breaker.state is not BreakerState.CLOSED or breaker.wave > 0


def view_of(breaker: Breaker, now: datetime) -> BreakerView:
    wait = None if breaker.until is None else max(0.0, (breaker.until - now).total_seconds())
    return BreakerView(breaker.name, breaker.state, breaker.epoch, breaker.spec, wait, breaker.wave, breaker.reason)
