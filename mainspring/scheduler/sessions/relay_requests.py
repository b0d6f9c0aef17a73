"""Requests of operators on their way to executors: cancels, suspensions and drains."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence

from mainspring.domain.ids import SessionId
from mainspring.domain.runs.attempt import CANCELLING
from mainspring.domain.runs.cancel import CancelRequest
from mainspring.domain.runs.checkpoints import Pair
from mainspring.domain.runs.suspension import SUSPENDING
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Fact, Facts, HintReceived, SessionsChanged
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.wire.codec import holding_of
from mainspring.wire.messages import Cancel, Drain, Suspend


class RelayRequests:
    """Sends each request once per connection; a repeated one does an executor no harm.

    An operation relays at once. The tick finds requests that could not be: the executor was attached elsewhere, or nowhere.
    """

    name = "relay_requests"

    def __init__(
        self, store: Store, settings: SchedulerSettings, catalog: Catalog, gateway: Gateway, facts: Facts
    ) -> None:
        self.wake = asyncio.Event()
        self.period = settings.poll
        self._store = store
        self._catalog = catalog
        self._gateway = gateway
        facts.wake(self.wake, SessionsChanged)
        facts.subscribe(HintReceived, self._hinted)
        facts.subscribe(CatalogChanged, self._drain)
        facts.subscribe(SessionsChanged, self._drain)

    def _hinted(self, hint: HintReceived) -> None:
        if hint.lines is None:
            self.wake.set()

    async def tick(self) -> bool:
        sessions = self._gateway.busy()
        if sessions:
            cancels = await self._store.runs.stop_requests(sessions, reason=CANCELLING)
            suspensions = await self._store.runs.stop_requests(sessions, reason=SUSPENDING)
            cancelled, suspended = pairs(cancels), pairs(suspensions)
            for attached in self._gateway.attached.values():
                attached.cancelled &= cancelled
                attached.suspended &= suspended
            self.cancel(cancels)
            self.suspend(suspensions)
        return False

    def cancel(self, requests: Sequence[CancelRequest]) -> bool:
        """Have executors of this server stop attempts; False if some request is for an executor of another server."""
        return self._relay(requests, send_cancels)

    def suspend(self, requests: Sequence[CancelRequest]) -> bool:
        """Have handlers on executors of this server yield; False if some request is for one of another server."""
        return self._relay(requests, send_suspensions)

    def _relay(self, requests: Sequence[CancelRequest], send: Callable[[ExecutorConnection, set[Pair]], None]) -> bool:
        by_session: dict[SessionId, list[CancelRequest]] = defaultdict(list)
        for request in requests:
            by_session[request.session].append(request)
        for session in by_session.keys() & self._gateway.attached.keys():
            send(self._gateway.attached[session], pairs(by_session[session]))
        return by_session.keys() <= self._gateway.attached.keys()

    def _drain(self, _: Fact) -> None:
        for attached in self._gateway.attached.values():
            cordon = self._catalog.cordon_of(attached.session)
            if cordon is not None and cordon.drain_at is not None and cordon.drain_at != attached.told.drain_at:
                attached.told.drain_at = cordon.drain_at
                attached.send(Drain(cordon.grace))


def send_cancels(attached: ExecutorConnection, wanted: set[Pair]) -> None:
    if fresh := wanted - attached.cancelled:
        attached.cancelled |= fresh
        attached.send(Cancel(holding_of(sorted(fresh))))


def send_suspensions(attached: ExecutorConnection, wanted: set[Pair]) -> None:
    if fresh := wanted - attached.suspended:
        attached.suspended |= fresh
        attached.send(Suspend(holding_of(sorted(fresh))))


def pairs(requests: Sequence[CancelRequest]) -> set[Pair]:
    return {(request.run, request.token) for request in requests}
