"""Hints between servers: coalesced, a few per second, and harmless to lose."""

import asyncio
from collections.abc import Callable, Iterable

from mainspring.clock import Clock
from mainspring.domain.ids import ServerId
from mainspring.store.interface import Store

PAUSE = 0.1
"""Between two hints; what comes up meanwhile travels with the next."""
LINES_MAX = 500
EVERYTHING = "*"


class ExchangeHints:
    """Tells other servers in which lines there may be something, and hears the same from them."""

    name = "exchange_hints"
    period = 5.0

    def __init__(self, store: Store, clock: Clock, server: ServerId, *, enabled: bool) -> None:
        self.wake = asyncio.Event()
        self.alone = True
        """No other server is known: nobody to tell."""
        self._store = store
        self._clock = clock
        self._name = server.hex()[:12]
        self._enabled = enabled
        self._lines: set[int] = set()
        self._on_hint: Callable[[Iterable[int] | None], None] = lambda _: None

    def on_hint(self, listener: Callable[[Iterable[int] | None], None]) -> None:
        """Call the listener with lines that another server named; None stands for all."""
        self._on_hint = listener

    def add(self, lines: Iterable[int]) -> None:
        if self._enabled and not self.alone:
            self._lines.update(lines)
            self.wake.set()

    async def tick(self) -> bool:
        if not self._enabled:
            return False
        if not self.alone:
            await self._store.listen(self._heard)
        if self._lines:
            lines, self._lines = self._lines, set()
            named = ",".join(map(str, sorted(lines))) if len(lines) <= LINES_MAX else EVERYTHING
            await self._store.wake(f"{self._name}:{named}")
            await self._clock.sleep(PAUSE)
        return False

    def _heard(self, hint: str) -> None:
        sender, _, named = hint.partition(":")
        if sender == self._name:
            return
        numbers = named.split(",")
        self._on_hint([int(number) for number in numbers] if all(map(str.isdigit, numbers)) else None)
