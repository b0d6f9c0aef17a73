"""How many new keys of limits, rates and shares a namespace brings: each costs a lane, which is kept for a minute."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from math import ceil

import msgspec

from mainspring.domain.limits.bucket import Bucket
from mainspring.errors import TooManyKeysError

RATE = 5_000
"""New keys a second, of each namespace and server."""
BUCKET = Bucket(gap=1_000_000 // RATE, burst=RATE)
LIFE = timedelta(seconds=30)
"""For how long a key is remembered at least, and half of how long at most."""
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


class MetKeys(msgspec.Struct):
    """The keys of one namespace that came of late, in two halves: the older one is forgotten as a whole."""

    turned_at: datetime
    young: set[int] = msgspec.field(default_factory=set)
    old: set[int] = msgspec.field(default_factory=set)
    full_at: int = 0

    def turn(self, now: datetime) -> None:
        if now - self.turned_at >= LIFE:
            self.young, self.old = set(), self.young if now - self.turned_at < 2 * LIFE else set()
            self.turned_at = now


class NewKeys:
    """Runs without keys never come here."""

    def __init__(self) -> None:
        self._met: dict[str, MetKeys] = {}

    def admit(self, namespace: str, lanes: Collection[int], now: datetime) -> None:
        """Count the keys of one request in, all or none; raises TooManyKeysError.

        A request of any size passes if the ones before it have left room: the next ones wait for as long as it was large.
        """
        if not lanes:
            return
        met = self._met.setdefault(namespace, MetKeys(now))
        met.turn(now)
        new = len(set(lanes) - met.young - met.old)
        if new:
            instant = (now - EPOCH) // MICROSECOND
            if BUCKET.tokens(met.full_at, instant) < 1:
                wait = ceil((BUCKET.opens_at(met.full_at) - instant) / 1_000_000)
                raise TooManyKeysError(namespace, new=new, limit=RATE, retry_after=max(1, wait))
            met.full_at = BUCKET.taken(met.full_at, instant, new)
        met.young.update(lanes)
