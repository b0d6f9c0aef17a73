"""Which executors have been full, and for how long, by the load that they report with their beats."""

from collections.abc import Iterable

from mainspring.clock import Clock
from mainspring.domain.jobs.job import Pool
from mainspring.store.interface import PresenceFilter, Store

LOOKED_AT = 500
"""Executors of a namespace that are looked at."""

Place = tuple[str, str, Pool]
"""Namespace, executor and pool."""


class FullExecutors:
    """Looked at only while runs stand addressed to one executor and may leave it."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._since: dict[Place, float] = {}
        self._free: dict[Place, int] = {}

    async def look(self, namespaces: Iterable[str]) -> None:
        now = self._clock.monotonic()
        free: dict[Place, int] = {}
        for namespace in namespaces:
            for one in await self._store.executors.list(PresenceFilter(namespace=namespace, limit=LOOKED_AT)):
                for pool in one.load.pools if one.load is not None else ():
                    place = (namespace, one.session.executor, pool.pool)
                    free[place] = free.get(place, 0) + max(0, pool.room - pool.taken)
        self._free = free
        self._since = {place: self._since.get(place, now) for place, room in free.items() if not room}

    def full_for(self, place: Place) -> float:
        """Seconds; 0: it is not full, or has not said so."""
        since = self._since.get(place)
        return 0.0 if since is None else max(self._clock.monotonic() - since, 0.001)

    def free(self, place: Place) -> int:
        """Slots that it has left, as far as it has said."""
        return self._free.get(place, 0)
