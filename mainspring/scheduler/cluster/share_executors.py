"""Executors go to servers that have fewer of them."""

import asyncio
from collections import Counter

from mainspring.domain.cluster.server import Place
from mainspring.domain.cluster.sharing import to_hand_over
from mainspring.domain.ids import ServerId
from mainspring.scheduler.cluster.known_servers import KnownServers
from mainspring.scheduler.sessions.gateway import Gateway


class ShareExecutors:
    """Asks some executors to connect elsewhere; that costs each a new connection: lease and attempts stay."""

    name = "share_executors"
    period = 5.0

    def __init__(self, server: ServerId, place: Place, known: KnownServers, gateway: Gateway) -> None:
        self.wake = asyncio.Event()
        self._server = server
        self._shares = place.shares
        self._known = known
        self._gateway = gateway

    async def tick(self) -> bool:
        if not self._shares or len(self._known.all) < 2:
            return False
        # An executor that was asked to leave is counted until it has left.
        staying = [one for one in self._gateway.attached.values() if not one.is_leaving]
        zones = Counter(one.session.abilities.zone for one in staying)
        going = to_hand_over(self._server, zones, self._known.all)
        for connection in sorted(staying, key=lambda one: one.busy) if going else ():
            zone = connection.session.abilities.zone
            if going.get(zone, 0) > 0:
                going[zone] -= 1
                self._gateway.send_away(connection)
        return False
