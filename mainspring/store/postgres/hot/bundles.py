"""A server's memory of the bundles that it has made, so that whole ones go into history as they are.

Nothing depends on it: a server that does not remember a bundle, or not as it is, undoes it and finds its runs as rows.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain, repeat
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
"""The share of bundles that must end as such, and how much each of them says about it."""
# What is left is written anew each time: in many more pieces than these a bundle costs more than rows.
PARTED_MAX = 3
"""How often some attempts are taken out of a bundle before it is undone."""


TOKEN = attrgetter("token")


class Bundle:
    """Attempts that were claimed together and are kept in one row."""

    __slots__ = ("claimed_at", "part", "parted", "runs", "size", "token")

    def __init__(self, token: Token, part: int, runs: list[RunId], claimed_at: datetime) -> None:
        self.token = token
        self.part = part
        self.size = len(runs)
        """The attempts that are still in it."""
        self.parted = 0
        """How often some were taken out of it."""
        self.claimed_at = claimed_at
        self.runs = runs
        """All that were in it; empty once it is done with."""

    @property
    def worn(self) -> bool:
        """Whether it is to be undone instead of parted once more."""
        return self.parted >= PARTED_MAX


class Sorted(msgspec.Struct, frozen=True):
    """Successes by where their runs are kept."""

    found: list[Bundle | None]
    """Where each is; empty if all are in whole bundles."""
    whole: list[Bundle]
    """All of their attempts are among the successes."""
    torn: list[tuple[Bundle, int]]
    """So many of theirs are; the others stay in them."""
    undone: list[Bundle]
    """Some of theirs are, and all are to be rows."""

    @property
    def bundled(self) -> int:
        """How many of the successes are taken out of bundles."""
        return sum(one.size for one in self.whole) + sum(count for _, count in self.torn)

    @property
    def left(self) -> int:
        """How many attempts stay in bundles of which others are taken out."""
        return sum(bundle.size - count for bundle, count in self.torn)

    def tokens(self, successes: Successes) -> list[Token | None]:
        """Only of those whose runs are rows, or will be; empty if there are none."""
        opened = {*self.whole, *(bundle for bundle, _ in self.torn)}
        return [
            None if bundle in opened else token for bundle, token in zip(self.found, successes.tokens, strict=False)
        ]

    def parted(self, successes: Successes) -> tuple[Successes, "Sorted", Successes]:
        """Those of whole bundles; the others, and where they are."""
        if not self.found:
            return successes, Sorted([], [], [], []), successes.picked([])
        whole = set(self.whole)
        inside = [at for at, bundle in enumerate(self.found) if bundle in whole]
        outside = [at for at, bundle in enumerate(self.found) if bundle not in whole]
        others = Sorted([self.found[at] for at in outside], [], self.torn, self.undone)
        return successes.picked(inside), others, successes.picked(outside)


class TakenOut(msgspec.Struct, frozen=True):
    """Attempts that end otherwise than by success and are taken out of their bundles."""

    runs: list[RunId]
    """With all others of the bundles that are undone."""
    parted: list[tuple[Bundle, int]]
    """So many of theirs are taken out; the others stay in them."""
    undone: list[Bundle]

    @property
    def bundles(self) -> list[Bundle]:
        return in_order((*(bundle for bundle, _ in self.parted), *self.undone))


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

    def sort(self, successes: Successes, *, parting: bool = True) -> Sorted | None:
        """Where the runs of these are kept, if any of them is in a bundle. From now on they count as not remembered.

        Without `parting`, bundles of which only some are among them are undone.
        """
        if not self._by_run:
            return None
        found = list(map(self._by_run.pop, successes.runs, repeat(None)))
        counts = Counter(found)
        loose = counts.pop(None, 0)
        if loose == len(found):
            return None
        if not owned(found, successes.tokens, loose=loose):
            return Sorted(found, [], [], in_order(counts))
        whole = in_order(bundle for bundle, count in counts.items() if bundle and count == bundle.size)
        if len(whole) == len(counts) and not loose:
            return Sorted([], whole, [], [])
        some = {bundle: count for bundle, count in counts.items() if bundle and count < bundle.size}
        torn, undone = worn_or_not(some) if parting else ([], in_order(some))
        return Sorted(found, whole, torn, undone)

    def over(self, done: Sorted, now: datetime) -> None:
        """The sorted runs are in history, or rows again."""
        for bundle in done.whole:
            bundle.runs = []
        self._learn(1.0, len(done.whole), now)
        self._over(done.torn, done.undone, now)

    def astray(self, thought: Sorted) -> None:
        """The bundles are not as it was thought: some server has undone them, or will."""
        for bundle in (*thought.whole, *thought.undone, *(bundle for bundle, _ in thought.torn)):
            self._forget(bundle)

    def take(self, pairs: Iterable[tuple[RunId, Token]]) -> TakenOut:
        """Where these attempts are kept, which end otherwise than by success. From now on they count as not remembered."""
        some: Counter[Bundle] = Counter()
        runs: list[RunId] = []
        for run, token in pairs if self._by_run else ():
            bundle = self._by_run.get(run)
            if bundle is not None and bundle.token == token:
                del self._by_run[run]
                some[bundle] += 1
                runs.append(run)
        parted, undone = worn_or_not(some)
        return TakenOut([*runs, *chain.from_iterable(bundle.runs for bundle in undone)], parted, undone)

    def taken(self, done: TakenOut, now: datetime) -> None:
        """They are rows now, or their runs have ended."""
        self._over(done.parted, done.undone, now)

    def _over(self, parted: Iterable[tuple[Bundle, int]], undone: Sequence[Bundle], now: datetime) -> None:
        for bundle, count in parted:
            bundle.size -= count
            bundle.parted += 1
            if not bundle.size:
                bundle.runs = []
                self._learn(1.0, 1, now)
        for bundle in undone:
            self._forget(bundle)
        self._learn(0.0, len(undone), now)

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


def worn_or_not(some: Mapping[Bundle, int]) -> tuple[list[tuple[Bundle, int]], list[Bundle]]:
    """Bundles of which so many attempts end: those to be parted, and those to be undone; in the order of their locks."""
    ordered = in_order(some)
    return [(one, some[one]) for one in ordered if not one.worn], [one for one in ordered if one.worn]


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
