"""Hints between servers, and from transactions that enqueue by SQL: coalesced, and harmless to lose."""

import asyncio
from collections import deque
from collections.abc import Iterable

from mainspring.clock import Clock
from mainspring.domain.ids import ServerId
from mainspring.scheduler.facts import (
    AccessChanged,
    Facts,
    HintReceived,
    LeasesReclaimed,
    Listening,
    MessageReceived,
    RunsQueued,
)
from mainspring.store.interface import Store

PAUSE = 0.1
"""Between two hints; what comes up meanwhile travels with the next."""
LINES_MAX = 500
EVERYTHING = "*"
WORD = "!"
"""Begins what is told in words of its own, instead of lines."""
WORDS_MAX = 100


class ExchangeHints:
    """Tells other servers in which lines there may be something, and hears the same from them."""

    name = "exchange_hints"
    period = 5.0

    def __init__(self, store: Store, clock: Clock, server: ServerId, facts: Facts, *, enabled: bool) -> None:
        self.wake = asyncio.Event()
        self.told = 0
        """Hints that were sent."""
        self._store = store
        self._clock = clock
        self._name = server.hex()[:12]
        self._enabled = enabled
        self._lines: set[int] = set()
        self._all = False
        self._words: deque[str] = deque(maxlen=WORDS_MAX)
        self._facts = facts
        self._alone = True
        self._queued = Listening(facts, lambda queued: self.add(queued.lines), RunsQueued)
        for kind in (LeasesReclaimed, AccessChanged):
            facts.subscribe(kind, lambda _: self.add_all())

    @property
    def alone(self) -> bool:
        """No other server is known that could be told."""
        return self._alone

    @alone.setter
    def alone(self, alone: bool) -> None:
        self._alone = alone
        self._queued.switch(self._enabled and not alone)

    def tell(self, word: str) -> None:
        """Have the others hear this: short, and harmless to lose."""
        if self._enabled and not self.alone:
            self._words.append(word)
            self.wake.set()

    def add(self, lines: Iterable[int]) -> None:
        if self._enabled and not self.alone:
            self._lines.update(lines)
            self.wake.set()

    def add_all(self) -> None:
        """Have the other servers look everywhere: the change is not in one line."""
        if self._enabled and not self.alone:
            self._all = True
            self.wake.set()

    async def tick(self) -> bool:
        if not self._enabled:
            return False
        # Also when alone: transactions that enqueue by SQL speak as well.
        await self._store.listen(self._heard)
        while self._words:
            await self._wake(f"{WORD}{self._words.popleft()}")
        if self._lines or self._all:
            lines, self._lines = self._lines, set()
            everything, self._all = self._all or len(lines) > LINES_MAX, False
            named = EVERYTHING if everything else ",".join(map(str, sorted(lines)))
            await self._wake(named)
            await self._clock.sleep(PAUSE)
        return False

    async def _wake(self, named: str) -> None:
        await self._store.wake(f"{self._name}:{named}")
        self.told += 1

    def _heard(self, hint: str) -> None:
        sender, _, named = hint.partition(":")
        if sender == self._name:
            return
        if named.startswith(WORD):
            self._facts.publish(MessageReceived(named.removeprefix(WORD)))
            return
        numbers = named.split(",")
        lines = [int(number) for number in numbers] if all(map(str.isdigit, numbers)) else None
        self._facts.publish(HintReceived(lines))
