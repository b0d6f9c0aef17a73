"""Attempts whose handlers are to yield, on their way to the executors concerned."""

import asyncio
from collections.abc import Sequence

from mainspring.domain.ids import SessionId
from mainspring.domain.runs.cancel import CancelRequest
from mainspring.scheduler.facts import Facts, HintReceived, SessionsChanged
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.scheduler.sessions.store_checkpoints import holding_of
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.wire.messages import Suspend


class TellSuspensions:
    """Tells each executor attached here once on every connection, as cancels are told."""

    name = "tell_suspensions"

    def __init__(self, store: Store, settings: SchedulerSettings, gateway: Gateway, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = settings.poll
        self._store = store
        self._gateway = gateway
        facts.wake(self.wake, SessionsChanged)
        facts.subscribe(HintReceived, self._hinted)

    def _hinted(self, hint: HintReceived) -> None:
        if hint.lines is None:
            self.wake.set()

    async def tick(self) -> bool:
        sessions = self._gateway.busy()
        if not sessions:
            return False
        wishes = await self._store.suspensions.wishes(sessions)
        pairs = {(wish.run, wish.token) for wish in wishes}
        for attached in self._gateway.attached.values():
            attached.suspended &= pairs
        self.tell(wishes)
        return False

    def tell(self, wishes: Sequence[CancelRequest]) -> bool:
        """Tell those executors that are attached here; say whether that was all of them."""
        by_session: dict[SessionId, list[CancelRequest]] = {}
        for wish in wishes:
            by_session.setdefault(wish.session, []).append(wish)
        for session in by_session.keys() & self._gateway.attached.keys():
            attached = self._gateway.attached[session]
            fresh = {(wish.run, wish.token) for wish in by_session[session]} - attached.suspended
            if fresh:
                attached.suspended |= fresh
                attached.send(Suspend(holding_of(sorted(fresh))))
        return by_session.keys() <= self._gateway.attached.keys()
