"""A server's memory of the bundles that it has made, so that whole ones go into history as they are.

Nothing depends on it: a server that does not remember a bundle, or not as it is, undoes it and finds its runs as rows.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import repeat
from operator import attrgetter

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Successes

# Enough to make it cheap, few enough that all of them end at about the same time.
SIZE = 100
"""Attempts in one bundle, about."""
# An executor holds some thousand attempts. On a busy machine it may work on them for longer than a second: with a shorter
# life all of them became rows, which cost twice as much, so that the next ones took longer still.
LIFE = timedelta(seconds=5)
"""What has not ended by then is no work for bundles."""
LEFT = timedelta(seconds=30)
"""A bundle that is this old could not be undone."""
MALFORMED = ValueError("its runs cannot be written back as rows")
SEARCH = timedelta(seconds=10)
"""How often a server that has none of its own looks for bundles that others have left."""
UNDONE_MAX = 50
"""How many are undone in one transaction."""
REST = timedelta(seconds=10)
"""How long bundles are done without after most of them came to nothing."""
WORTHWHILE, MEMORY = 0.5, 0.02
"""The share of bundles that must end whole, and how much each of them says about it."""


TOKEN = attrgetter("token")


class Bundle:
    """Attempts that were claimed together and are kept in one row."""

    __slots__ = ("claimed_at", "part", "runs", "size", "token")

    def __init__(self, token: Token, part: int, runs: list[RunId], claimed_at: datetime) -> None:
        self.token = token
        self.part = part
        self.size = len(runs)
        self.claimed_at = claimed_at
        self.runs = runs
        """Empty once it is done with."""


class Sorted(msgspec.Struct, frozen=True):
    """Successes by where their runs are kept."""

    tokens: Sequence[Token | None]
    """Only of those whose runs are rows, or will be; empty if there are none."""
    whole: list[Bundle]
    """All of their attempts are among the successes."""
    torn: list[Bundle]
    """Only some are."""

    @property
    def bundled(self) -> int:
        return sum(one.size for one in self.whole)

    def parted(self, successes: Successes) -> tuple[Successes, Successes]:
        """Those of whole bundles, and the others."""
        if not self.tokens:
            return successes, successes.picked([])
        inside = [at for at, token in enumerate(self.tokens) if token is None]
        outside = [at for at, token in enumerate(self.tokens) if token is not None]
        return successes.picked(inside), successes.picked(outside)


class Bundles:
    """The bundles of one server, for as long as they last."""

    def __init__(self) -> None:
        self._by_run: dict[RunId, Bundle] = {}
        self._by_age: deque[Bundle] = deque()
        self._share = 1.0
        """Of the last bundles, how many ended whole."""
        self._rests_until: datetime | None = None
        self._look_at: datetime | None = None

    def worthwhile(self, now: datetime) -> bool:
        """Whether a claim should make bundles at present."""
        if self._rests_until is not None and now >= self._rests_until:
            self._rests_until, self._share = None, 1.0
        return self._rests_until is None

    def add(self, token: Token, runs: Sequence[RunId], parts: Iterable[tuple[int, int]], now: datetime) -> None:
        """Remember the bundles of attempts under one token, of which come one after the other their numbers and sizes."""
        begin = 0
        for part, size in parts:
            bundle = Bundle(token, part, list(runs[begin : begin + size]), now)
            self._by_run.update(dict.fromkeys(bundle.runs, bundle))
            self._by_age.append(bundle)
            begin += size

    def sort(self, successes: Successes) -> Sorted | None:
        """Where the runs of these are kept, if any of them is in a bundle. From now on they count as not remembered."""
        if not self._by_run:
            return None
        found = list(map(self._by_run.pop, successes.runs, repeat(None)))
        counts = Counter(found)
        loose = counts.pop(None, 0)
        if loose == len(found):
            return None
        whole: set[Bundle | None] = set()
        if owned(found, successes.tokens, loose=loose):
            whole = {bundle for bundle, count in counts.items() if bundle and count == bundle.size}
        torn = counts.keys() - whole
        tokens: list[Token | None] = []
        if torn or loose:
            tokens = [None if bundle in whole else token for bundle, token in zip(found, successes.tokens, strict=True)]
        return Sorted(tokens, in_order(whole), in_order(torn))

    def over(self, done: Sorted, now: datetime) -> None:
        """The sorted runs are in history, or rows again."""
        for bundle in done.whole:
            bundle.runs = []
        for bundle in done.torn:
            self._forget(bundle)
        self._learn(1.0, len(done.whole), now)
        self._learn(0.0, len(done.torn), now)

    def look_due(self, now: datetime) -> bool:
        """Whether to look for bundles that have lasted too long: if there are any, and now and then for those of others."""
        if self._look_at is not None and now < self._look_at:
            return False
        self._look_at = now + SEARCH
        return True

    def look_again(self) -> None:
        """There may be more."""
        self._look_at = None

    def expire(self, now: datetime) -> None:
        """Forget bundles that have lasted too long: some server undoes them."""
        while self._by_age and self._by_age[0].claimed_at < now - LIFE:
            bundle = self._by_age.popleft()
            if bundle.runs:
                self._learn(0.0, 1, now)
                self._forget(bundle)
                self.look_again()

    def _forget(self, bundle: Bundle) -> None:
        for run in bundle.runs:
            if self._by_run.get(run) is bundle:
                del self._by_run[run]
        bundle.runs = []

    def _learn(self, whole: float, count: int, now: datetime) -> None:
        self._share = whole + (self._share - whole) * (1 - MEMORY) ** count
        if self._share < WORTHWHILE and self._rests_until is None:
            self._rests_until = now + REST


def owned(found: list[Bundle | None], tokens: list[Token], *, loose: int) -> bool:
    """Whether those that are in bundles all come with the tokens of these."""
    if not loose:
        return list(map(TOKEN, found)) == tokens
    return all(bundle is None or bundle.token == token for bundle, token in zip(found, tokens, strict=True))


def in_order(bundles: Iterable[Bundle | None]) -> list[Bundle]:
    """In the order of their locks."""
    return sorted(filter(None, bundles), key=lambda bundle: (bundle.token, bundle.part))


def named(bundles: Sequence[Bundle]) -> tuple[list[Token], list[int]]:
    """Their names in the database."""
    return [bundle.token for bundle in bundles], [bundle.part for bundle in bundles]
