"""The servers that a process knows, and which of them to try next."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec

from mainspring.discovery.rules import AddressRules
from mainspring.domain.cluster.server import ServerAddress

log = logging.getLogger("mainspring.discovery")

AWAY = 1.0
AWAY_MAX = 60.0
"""Seconds for which a server that failed is tried last: the first and the longest, doubled with every failure in a row."""
# Between two strangers of an address book it is tried again.
TRUSTED_AWAY_MAX = 1.5
"""The longest for a server that an executor trusts."""
FAILED_LATELY = 30.0
"""Seconds for which one that has failed still comes after those that have not."""
LEFT = 15.0
"""Seconds for which one that has asked to be left comes after the others that are trusted, but before strangers."""
KNOWN_MAX = 64
FORGET = 86_400.0
"""Seconds for which a server is kept that was reached once and that nothing names any more."""
IGNORED_MAX = 100
NEVER = float("-inf")
BY_SERVERS = "servers"
"""The source of addresses that servers tell."""


class Known(msgspec.Struct):
    """One server, as far as this process knows."""

    url: str
    rank: float
    is_seed: bool = False
    zone: str = ""
    attached: int = 0
    named_by: set[str] = msgspec.field(default_factory=set)
    """Sources whose last list has it."""
    reached_at: float | None = None
    failures: int = 0
    away_until: float = NEVER
    left_until: float = NEVER
    turn: int = 0
    """Counts tries over all servers: the one that failed the longest ago is tried first among those that failed."""

    @property
    def is_trusted(self) -> bool:
        """Whether the settings or a server name it, or it was reached; otherwise it may be an address book's lie."""
        return self.is_seed or self.reached_at is not None or BY_SERVERS in self.named_by


class Directory:
    """Seeds stay, and so does for a day what was reached once. Whatever a source says costs at most a try."""

    def __init__(
        self,
        seeds: Sequence[str],
        *,
        zone: str = "",
        rules: AddressRules | None = None,
        jitter: Callable[[], float] = lambda: 0.0,
        seeds_first: bool = False,
        loudness: int = logging.WARNING,
    ) -> None:
        """`seeds_first`: those that the settings name, as named; then those with few executors."""
        self.version = 0
        """Counts changes of the set of servers."""
        self.ignored: dict[str, str] = {}
        """Addresses that are not dialled, with the reason."""
        self._zone = zone
        self._rules = rules or AddressRules()
        self._jitter = jitter
        self._seeds_first = seeds_first
        self._loudness = loudness
        self._turn = 0
        self._best = ""
        """The first of all while none is away, so that a call of a client need not compare them; empty: compare."""
        self._known = {url: Known(url, float(rank), is_seed=True) for rank, url in enumerate(dict.fromkeys(seeds))}

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[Known]:
        return iter(self._known.values())

    def order(self, now: float) -> list[str]:
        """All servers, the best first."""
        return [one.url for one in sorted(self._known.values(), key=lambda one: self._key(one, now))]

    def next(self, now: float, besides: Collection[str] = ()) -> str:
        """The best one, besides those; empty if there is none: only address books are named, and none has answered."""
        if self._best and not besides:
            return self._best
        known = [one for one in self._known.values() if one.url not in besides]
        best = min(known, key=lambda one: self._key(one, now), default=None)
        if best is not None and not besides and all(max(one.away_until, one.left_until) == NEVER for one in known):
            self._best = best.url
        return "" if best is None else best.url

    def is_seed(self, url: str) -> bool:
        """Whether the settings name it: its refusals are believed."""
        return url in self._known and self._known[url].is_seed

    def is_stranger(self, url: str) -> bool:
        """Whether only address books name it, while others are known that can be trusted more."""
        one = self._known.get(url)
        # One that its book has dropped meanwhile was a stranger, too: all others are kept.
        return (one is None or not one.is_trusted) and self.trusted > 0

    @property
    def trusted(self) -> int:
        """How many servers it knows not only by address books."""
        return sum(one.is_trusted for one in self._known.values())

    def reached(self, url: str, now: float) -> None:
        if (one := self._known.get(url)) is not None:
            one.failures, one.away_until, one.left_until, one.reached_at = 0, NEVER, NEVER, now

    def failed(self, url: str, now: float) -> None:
        """`now` may be the instant at which the try began."""
        if (one := self._known.get(url)) is not None:
            one.failures += 1
            most = TRUSTED_AWAY_MAX if one.is_trusted and not self._seeds_first else AWAY_MAX
            self._put_away(one, now + min(AWAY * 2 ** min(one.failures - 1, 10), most))

    def left(self, url: str, now: float) -> None:
        """The server has asked its executors to go elsewhere."""
        if (one := self._known.get(url)) is not None:
            self._best = ""
            one.left_until = now + LEFT

    def learn(self, source: str, said: Iterable[ServerAddress], now: float, *, said_by: str = "") -> None:
        """Take in a source's whole list; an empty one is no news."""
        fresh = {one.url.rstrip("/"): one for one in said if not self._ignores(one.url, said_by)}
        if not fresh:
            return
        before = set(self._known)
        for url, one in fresh.items():
            known = self._known.setdefault(url, Known(url, len(self._known) + self._jitter()))
            known.zone, known.attached = one.zone, one.attached
            known.named_by.add(source)
        for url in before - fresh.keys():
            self._known[url].named_by.discard(source)
        self._forget(now)
        self._best = ""
        if set(self._known) != before:
            self.version += 1

    def _key(self, one: Known, now: float) -> tuple[object, ...]:
        if one.away_until > now:
            return True, one.turn, False, False, 0, False, 0, 0.0
        if self._seeds_first:
            far = bool(self._zone) and one.zone != self._zone
            return False, 0, False, False, 0, far, not one.is_seed, one.rank if one.is_seed else one.attached
        # Those that failed lately take turns: one that is silent for ever, in the right zone, must not have each try.
        turn = one.turn if one.failures and one.away_until > now - FAILED_LATELY else 0
        far = one.zone != self._zone
        return False, 0, not one.is_trusted, one.left_until > now, turn, far, one.attached, one.rank

    def _put_away(self, one: Known, until: float) -> None:
        self._turn += 1
        self._best = ""
        one.turn, one.away_until = self._turn, until

    def _ignores(self, url: str, said_by: str) -> bool:
        objection = "" if url.rstrip("/") in self._known else self._rules.objection(url, said_by)
        if objection and url not in self.ignored and len(self.ignored) < IGNORED_MAX:
            self.ignored[url] = objection
            log.log(self._loudness, "the server %s is ignored: %s", url, objection)
        return bool(objection)

    def _forget(self, now: float) -> None:
        """Drop what nothing names, unless it was reached within a day; then the oldest of too many."""
        for one in list(self._known.values()):
            reached_at = NEVER if one.reached_at is None else one.reached_at
            if not one.is_seed and not one.named_by and reached_at < now - FORGET:
                del self._known[one.url]
        spare = [one for one in self._known.values() if not one.is_seed]
        spare.sort(key=lambda one: (bool(one.named_by), one.reached_at is not None, one.reached_at or 0.0))
        for one in spare[: max(0, len(self._known) - KNOWN_MAX)]:
            del self._known[one.url]
