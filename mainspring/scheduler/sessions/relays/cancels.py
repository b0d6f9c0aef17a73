"""Attempts that are to be cancelled, on their way to the executors concerned."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.runs.cancel import CancelRequest
from mainspring.scheduler.facts import Facts, HintReceived, SessionsChanged
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.wire.messages import Cancel, Holding


class TellCancels:
    """Tells each executor attached here once on every connection; what it was told before does it no harm.

    Whoever cancels tells at once. The tick finds what nobody could tell: the executor was attached elsewhere, or nowhere.
    """

    name = "tell_cancels"

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
        wishes = await self._store.steering.wishes(sessions)
        pairs = {(wish.run, wish.token) for wish in wishes}
        for attached in self._gateway.attached.values():
            attached.cancelled &= pairs
        self.tell(wishes)
        return False

    def tell(self, wishes: Sequence[CancelRequest]) -> bool:
        """Tell those executors that are attached here; say whether that was all of them."""
        by_session: dict[SessionId, list[CancelRequest]] = defaultdict(list)
        for wish in wishes:
            by_session[wish.session].append(wish)
        for session in by_session.keys() & self._gateway.attached.keys():
            attached = self._gateway.attached[session]
            fresh = [wish for wish in by_session[session] if (wish.run, wish.token) not in attached.cancelled]
            if fresh:
                attached.cancelled |= {(wish.run, wish.token) for wish in fresh}
                attached.send(Cancel(holding_of(fresh)))
        return by_session.keys() <= self._gateway.attached.keys()


def holding_of(wishes: Sequence[CancelRequest]) -> list[Holding]:
    runs: dict[Token, list[RunId]] = defaultdict(list)
    for wish in wishes:
        runs[wish.token].append(wish.run)
    return [Holding(token, named) for token, named in runs.items()]
