"""Calls inside handlers, as executors report them, and permits that they ask for."""

import asyncio
from collections.abc import Iterable
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.breakers.spec import LABEL_MAX, BreakerSpec, base_of
from mainspring.domain.breakers.window import Calls, bucket_start
from mainspring.domain.names import check_text
from mainspring.errors import InvalidInputError, UnavailableError
from mainspring.scheduler.breakers.count_attempts import CountAttempts, Place
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.store.interface import Store
from mainspring.wire.breakers import AskPermits, CallReport, Permitted, ReportCalls

NAMED_MAX, KEYS_MAX = 1_000, 10_000
"""Breakers of a namespace that code may make by calling them, and keys of each."""


class HearCalls:
    """Nothing that an executor says of a breaker is stored as it is: it is added up, within bounds."""

    def __init__(
        self, store: Store, clock: Clock, catalog: Catalog, counting: CountAttempts, wake: asyncio.Event
    ) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._counting = counting
        self._wake = wake
        self._early: dict[Place, list[Calls]] = {}
        """Calls of breakers that are not there yet."""

    def report(self, executor: ExecutorConnection, message: ReportCalls) -> int:
        """Count what an executor reports; return how many entries did not fit."""
        return sum(not self._count(executor, entry) for entry in message.entries)

    async def permit(self, executor: ExecutorConnection, message: AskPermits) -> None:
        """Answer a request for permits; without the store there is no answer, and the executor decides for itself."""
        breaker = self._catalog.breakers.get((executor.session.namespace, message.breaker))
        if breaker is None:
            return
        now = self._clock.now()
        try:
            found = await self._store.breakers.take_permits(breaker.id, message.epoch, message.count, now=now)
        except UnavailableError:
            return
        wait = None if found.opens_at is None else max(0.0, (found.opens_at - now).total_seconds())
        executor.send(Permitted(message.breaker, message.epoch, found.count, wait))

    @property
    def unmade(self) -> Iterable[tuple[Place, BreakerSpec | None]]:
        """Breakers to be made because handlers call them, each with the rule of its name."""
        for namespace, label in sorted(self._early):
            base = self._catalog.breakers.get((namespace, base_of(label)))
            yield (namespace, label), None if base is None else base.spec

    def made(self) -> None:
        """Count the calls of breakers that have been made meanwhile."""
        early, self._early = self._early, {}
        for place, calls in early.items():
            breaker = self._catalog.breakers.get(place)
            if breaker is not None and breaker.state is BreakerState.CLOSED:
                for one in calls:
                    self._counting.add(place, breaker.epoch, one)

    def _count(self, executor: ExecutorConnection, entry: CallReport) -> bool:
        if not is_sound(entry):
            return False
        place = (executor.session.namespace, entry.breaker)
        breaker = self._catalog.breakers.get(place)
        now = self._clock.now()
        calls = Calls(
            executor=executor.id.hex(),
            at=bucket_start(BreakerSpec() if breaker is None else breaker.spec, now),
            calls=entry.calls,
            failures=entry.failures,
            slow=entry.slow,
            ignored=entry.ignored,
            retry_after=None if entry.retry_in is None else now + timedelta(seconds=entry.retry_in),
        )
        if breaker is None:
            return self._keep(place, calls)
        plain = breaker.state is BreakerState.CLOSED and not breaker.wave
        if breaker.state.counts and (entry.epoch == breaker.epoch or (not entry.epoch and plain)):
            self._counting.add(place, breaker.epoch, calls)
        return True

    def _keep(self, place: Place, calls: Calls) -> bool:
        """Keep the calls of a breaker that has to be made; one of a key is made by its first failure."""
        namespace, label = place
        base = base_of(label)
        if base and not calls.failures:
            return True
        names = [name for space, name in {*self._catalog.breakers, *self._early} if space == namespace]
        alike = sum(base_of(name) == base for name in names)
        if alike >= (KEYS_MAX if base else NAMED_MAX):
            return False
        self._early.setdefault(place, []).append(calls)
        self._wake.set()
        return True


def is_sound(entry: CallReport) -> bool:
    """Whether a report can be true."""
    try:
        check_text(entry.breaker, "breaker", most=LABEL_MAX, code="bad_breaker")
    except InvalidInputError:
        return False
    return entry.failures <= entry.calls and entry.slow <= entry.calls
