"""Trouble of the cluster as a whole: its database, its servers, and the machine that this server runs on."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from mainspring.domain.alerts.findings import Fault, Since
from mainspring.domain.cluster.durability import Durability, is_enough
from mainspring.domain.cluster.server import Server
from mainspring.domain.cluster.watch import DatabaseWatch
from mainspring.scheduler.facts import DatabaseWatched, Facts, ServersSeen

OwnFaults = Callable[[datetime], Sequence[Fault]]
"""Looks at the machine: its disk, its certificate."""
CLOCK_APART = 5.0
"""Seconds between this server's clock and the database's from which on it is told: runs still start by the database's."""
REMEMBERED = timedelta(days=1)
"""How long a server that was lost is missed, unless one of its name is back."""
EXPIRY = "certificate"
"""The subject of faults that are about an end to come."""


class ClusterFaults:
    """Remembers what this server publishes; the server that evaluates rules asks for it."""

    def __init__(self, facts: Facts, required: str, own: OwnFaults, *, retention_days: int) -> None:
        self._required = Durability(required) if required else None
        self._own = own
        self._retention_days = retention_days
        self._watch: DatabaseWatch | None = None
        self._seen: dict[str, Server] = {}
        self._lost: dict[str, datetime] = {}
        self._now_seen: Sequence[Server] | None = None
        self._apart = 0.0
        facts.subscribe(DatabaseWatched, self._watched)
        facts.subscribe(ServersSeen, self._saw)

    def _watched(self, fact: DatabaseWatched) -> None:
        self._watch = fact.watch

    def _saw(self, fact: ServersSeen) -> None:
        self._now_seen, self._apart = fact.servers, fact.clock_apart

    def of_store(self, now: datetime) -> list[Fault]:
        """Of the database, the disk and the clock."""
        found = [one for one in self._own(now) if not one.subject.startswith(EXPIRY)]
        if abs(self._apart) > CLOCK_APART:
            words = f"this server's clock is {self._apart:+.1f} s from the database's: let both follow a time server"
            found.append(Fault("clock", words, abs(self._apart)))
        watch = self._watch
        if watch is None:
            return found
        faults = watch.faults(now.date(), self._retention_days)
        found += [Fault(one.subject, f"{one.words}: {one.remedy}", one.value) for one in faults]
        if not is_enough(watch.durability, self._required):
            words = f"the database keeps commits as {watch.durability}, and {self._required} is required"
            found.append(Fault("durability", words))
        return found

    def expiring(self, now: datetime) -> list[Fault]:
        """Certificates that end soon."""
        return [one for one in self._own(now) if one.subject.startswith(EXPIRY)]

    def present_servers(self, now: datetime) -> int | None:
        """How many servers hold their lease; None before the first look."""
        return None if self._now_seen is None else sum(one.lease_until > now for one in self._now_seen)

    def lost_servers(self, now: datetime) -> dict[str, Since] | None:
        """Servers that went without a word; None before the first look."""
        if self._now_seen is None:
            return None
        present = {one.name: one for one in self._now_seen}
        for name, server in self._seen.items():
            # One that leaves takes its row along; the row of one that is lost stays until its lease has lapsed.
            if name not in present and server.lease_until <= now:
                self._lost.setdefault(name, server.lease_until)
        self._seen = present
        self._lost = {name: at for name, at in self._lost.items() if name not in present and now - at < REMEMBERED}
        return {name: Since(at) for name, at in self._lost.items()}
