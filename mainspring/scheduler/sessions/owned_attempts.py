"""The attempts that one executor session has, as this server gave them or found them in the store."""

from collections.abc import Collection, Iterable, Sequence

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Held, by_token

# Logs come after outcomes.
PAST_MAX = 5_000
"""Ended attempts that are remembered before the ones from before them are forgotten."""

NONE: frozenset[RunId] = frozenset()


class OwnedAttempts:
    """A cache of the store's owners: an attempt that is missing here is looked up there before it is refused."""

    def __init__(self) -> None:
        self._live: dict[Token, set[RunId]] = {}
        # By token: a run that is retried at once ends again before the lines of its attempt before have come.
        self._past: dict[Token, set[RunId]] = {}
        self._past_before: dict[Token, set[RunId]] = {}
        self._past_size = 0

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
        return any(run in under.get(token, ()) for under in (self._live, self._past, self._past_before))

    def end(self, run: RunId, token: Token) -> bool:
        """Take out an attempt that has ended; False if it was not there, or has ended before."""
        return self.end_all([run], [token])

    def end_all(self, runs: Sequence[RunId], tokens: Sequence[Token]) -> bool:
        """Take out the attempts of a batch; False, and none is taken out, unless all of them are there, each once."""
        # Sets are compared and subtracted as wholes: asking for each attempt was a sixth of all that a server does for it.
        ending = {token: set(some) for token, some in by_token(runs, tokens).items()}
        if sum(map(len, ending.values())) < len(runs):
            return False
        if not all(some <= self._live.get(token, NONE) for token, some in ending.items()):
            return False
        for token, some in ending.items():
            mine = self._live[token]
            mine -= some
            if not mine:
                del self._live[token]
            self._past.setdefault(token, set()).update(some)
        self._past_size += len(runs)
        if self._past_size >= PAST_MAX:
            self.age()
        return True

    def age(self) -> None:
        """Forget attempts that ended long ago."""
        self._past, self._past_before, self._past_size = {}, self._past, 0

    def keep(self, tokens: Collection[Token]) -> None:
        """Forget the attempts under other tokens: they were settled without a word from the executor."""
        self._live = {token: runs for token, runs in self._live.items() if token in tokens}
