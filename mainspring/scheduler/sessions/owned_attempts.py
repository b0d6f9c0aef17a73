"""The attempts that one executor session has, as this server gave them or found them in the store."""

from collections.abc import Collection, Iterable

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Held

PAST_MAX = 5_000
"""Ended attempts that are remembered before the ones from before them are forgotten: logs come after outcomes."""


class OwnedAttempts:
    """A cache of the store's owners: an attempt that is missing here is looked up there before it is refused."""

    def __init__(self) -> None:
        self._live: dict[Token, set[RunId]] = {}
        # By run and token: a run that is retried at once ends again before the lines of its attempt before have come.
        self._past: set[tuple[RunId, Token]] = set()
        self._past_before: set[tuple[RunId, Token]] = set()

    def __len__(self) -> int:
        return sum(map(len, self._live.values()))

    def add(self, token: Token, runs: Iterable[RunId]) -> None:
        self._live.setdefault(token, set()).update(runs)

    def add_held(self, held: Iterable[Held]) -> None:
        for one in held:
            self.add(one.token, (one.run,))

    def has(self, run: RunId, token: Token) -> bool:
        """Whether the attempt is under way."""
        mine = self._live.get(token)
        return mine is not None and run in mine

    def had(self, run: RunId, token: Token) -> bool:
        """Whether the attempt is under way, or has ended a moment ago."""
        return self.has(run, token) or (run, token) in self._past or (run, token) in self._past_before

    def end(self, run: RunId, token: Token) -> bool:
        """Take out an attempt that has ended; False if it was not there, or has ended before."""
        mine = self._live.get(token)
        if mine is None or run not in mine:
            return False
        mine.remove(run)
        if not mine:
            del self._live[token]
        self._past.add((run, token))
        if len(self._past) >= PAST_MAX:
            self.age()
        return True

    def age(self) -> None:
        """Forget attempts that ended long ago."""
        self._past, self._past_before = set(), self._past

    def keep(self, tokens: Collection[Token]) -> None:
        """Forget the attempts under other tokens: they were settled without a word from the executor."""
        self._live = {token: runs for token, runs in self._live.items() if token in tokens}
