"""Waits for changes of an address book: by its own watch where it has one, by the clock where that fails."""

from collections.abc import Awaitable

from mainspring.clock import Clock
from mainspring.discovery.address import Address
from mainspring.discovery.interface import RegistryAwayError

QUICK = 1.0
"""Seconds that a watch lasts at least if it works; one that ends sooner, for nothing, is not asked again at once."""


class Polling:
    """A book whose watch fails may still answer: then it is asked every few seconds, as its address says."""

    def __init__(self, address: Address, clock: Clock) -> None:
        self._every = address.every
        self._clock = clock

    async def watching(self, watch: Awaitable[bool]) -> None:
        """Return when the watch does; or after a pause, if it fails or ends at once without news."""
        began = self._clock.monotonic()
        try:
            has_news = await watch
        except RegistryAwayError:
            has_news = False
        if not has_news and self._clock.monotonic() - began < QUICK:
            await self.pause()

    async def pause(self) -> None:
        await self._clock.sleep(self._every)
