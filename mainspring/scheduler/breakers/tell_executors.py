"""Executors know the breakers of their namespace: what handlers call is refused where it is called."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

import msgspec

from mainspring.clock import Clock
from mainspring.domain.breakers.breaker import Breaker, BreakerState
from mainspring.domain.breakers.spec import base_of
from mainspring.domain.ids import SessionId
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Fact, Facts, SessionsChanged
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.wire.breakers import BREAKERS_MAX, STOPS_MAX, AnnounceBreakers, BreakerMark, BreakerView


class Told(msgspec.Struct, frozen=True):
    """A breaker and the view of it that executors get."""

    breaker: Breaker
    view: BreakerView

    @property
    def name(self) -> str:
        return self.breaker.name

    @property
    def mark(self) -> BreakerMark:
        """What an executor has been told of it."""
        return self.breaker.revision, tuple(self.view.stops)


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
        stops: dict[tuple[str, str], set[str]] = defaultdict(set)
        for job in self._catalog.jobs.values():
            if job.spec.policy.stop_when_open:
                stops[job.namespace, job.spec.policy.breaker].add(job.name)
        now = self._clock.now()
        told = defaultdict[str, list[Told]](list)
        for place, breaker in self._catalog.breakers.items():
            view = view_of(breaker, now, sorted(stops.get(place, ())))
            told[breaker.namespace].append(Told(breaker, view))
        for executor in self._attached.values():
            self._tell_one(executor, told[executor.session.namespace])

    def _tell_one(self, executor: ExecutorConnection, breakers: list[Told]) -> None:
        told = executor.told.breakers
        news = [
            one for one in breakers if told.get(one.name) != one.mark and (one.name in told or is_news(one.breaker))
        ]
        room = max(0, BREAKERS_MAX - len(told))
        fresh = [one for one in news if one.name not in told][:room]
        chosen = [one for one in news if one.name in told] + fresh
        if chosen:
            told |= {one.name: one.mark for one in chosen}
            executor.send(AnnounceBreakers([one.view for one in chosen]))


def is_news(breaker: Breaker) -> bool:
    """Whether an executor that was never told of a breaker has to know it: one of a key that is closed is like none."""
    return not base_of(breaker.name) or breaker.state is not BreakerState.CLOSED or breaker.wave > 0


def view_of(breaker: Breaker, now: datetime, stops: list[str]) -> BreakerView:
    wait = None if breaker.until is None else max(0.0, (breaker.until - now).total_seconds())
    return BreakerView(
        breaker.name,
        breaker.state,
        breaker.epoch,
        breaker.spec,
        wait,
        breaker.wave,
        breaker.reason,
        stops[:STOPS_MAX],
    )
