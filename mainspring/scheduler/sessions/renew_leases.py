"""Heartbeats become renewed leases, one statement for all that arrived together."""

import asyncio
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.ids import SessionId
from mainspring.scheduler.cluster.known_servers import KnownServers
from mainspring.scheduler.facts import Facts, SessionDied
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.wire.messages import Leased


class RenewLeases:
    """A lease is extended only by a beat, never by a connection that merely seems open."""

    name = "renew_leases"
    period = 60.0

    def __init__(
        self, store: Store, settings: SchedulerSettings, clock: Clock, known: KnownServers, facts: Facts
    ) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._settings = settings
        self._clock = clock
        self._known = known
        self._beaten: dict[SessionId, ExecutorConnection] = {}
        self._facts = facts

    def add(self, attached: ExecutorConnection) -> None:
        self._beaten[attached.id] = attached
        self.wake.set()

    async def tick(self) -> bool:
        if not self._beaten:
            return False
        beaten = dict(self._beaten)
        beats = {session: attached.beat for session, attached in beaten.items()}
        now = self._clock.now()
        until = now + timedelta(seconds=self._settings.lease)
        said = {session: attached.load_at(now) for session, attached in beaten.items()}
        loads = {session: load for session, load in said.items() if load is not None}
        renewed = set(await self._store.cluster.renew(list(beaten), lease_until=until, loads=loads))
        for session, attached in beaten.items():
            if self._beaten.get(session) is attached and attached.beat == beats[session]:
                del self._beaten[session]
            self._answer(session, attached, beats[session], alive=session in renewed)
        return bool(self._beaten)

    def _answer(self, session: SessionId, attached: ExecutorConnection, beat: int | None, *, alive: bool) -> None:
        if not alive:
            self._facts.publish(SessionDied(session, "its lease had lapsed and its attempts were given up"))
        elif beat is not None and attached.told.servers == self._known.version:
            attached.send(Leased(beat))
        elif beat is not None:
            attached.told.servers = self._known.version
            attached.send(Leased(beat, self._known.addresses_for(attached.session.abilities.zone)))
