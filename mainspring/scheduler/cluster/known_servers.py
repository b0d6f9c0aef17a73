"""The servers that this one tells executors and clients of."""

from collections.abc import Sequence

import msgspec

from mainspring.domain.cluster.server import Server, ServerAddress, ServerState, addresses_for
from mainspring.domain.ids import ServerId
from mainspring.domain.limits.policy import Policy
from mainspring.domain.limits.releases import is_older, refuse_older, release_of
from mainspring.scheduler.facts import Facts, ServersSeen


class KnownServers:
    """As the store had them at the last renewal of this server's row."""

    def __init__(self, server: ServerId, facts: Facts) -> None:
        self.all: Sequence[Server] = ()
        self.is_drained = False
        """Whether an operator has drained this server; every request looks at it."""
        self.version = 0
        """Counts the changes of addresses; how many executors a server has is none."""
        self._server = server
        self._addresses: frozenset[tuple[str, str]] = frozenset()
        facts.subscribe(ServersSeen, self._seen)

    def addresses_for(self, zone: str) -> list[ServerAddress]:
        """Addresses for an executor or client in this zone; a server that is alone says nothing."""
        return addresses_for(zone, self.all) if len(self.all) > 1 else []

    def others(self, zone: str) -> list[ServerAddress]:
        """The same without this server."""
        return addresses_for(zone, self.all, but=self._server)

    def refuse_older(self, needed: str) -> None:
        """Raises ConflictError while another server is of an older release than that."""
        refuse_older((one for one in self.all if one.id != self._server), needed)

    def know(self, policy: Policy) -> bool:
        """Whether all other servers know what a policy says."""
        needed = release_of(policy)
        return not any(is_older(one.version, needed) for one in self.all if one.id != self._server) if needed else True

    @property
    def text(self) -> bytes:
        """The addresses for a caller, as one line of JSON."""
        return msgspec.json.encode(self.addresses_for(""))

    def _seen(self, seen: ServersSeen) -> None:
        self.all = seen.servers
        self.is_drained = any(one.state is ServerState.DRAINING for one in seen.servers if one.id == self._server)
        addresses = frozenset((one.url, one.zone) for one in self.addresses_for(""))
        if addresses != self._addresses:
            self._addresses = addresses
            self.version += 1
