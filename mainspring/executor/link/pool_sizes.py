"""The sizes of an executor's pools: those that it was started with, unless operators want others."""

from collections.abc import Sequence

from mainspring.domain.cluster.session import PoolSize
from mainspring.executor.attempts.runner import Runner
from mainspring.wire.pools import Resize, Resized


class FollowSizes:
    """Follows the latest wishes, over any number of connections, and says so on each."""

    def __init__(self, own: Sequence[PoolSize], runner: Runner, *, most: int = 0) -> None:
        self.sizes = list(own)
        """In force."""
        self._own = {size.pool: size for size in own}
        self._runner = runner
        self._most = most
        """Attempts that the executor is to run in all; 0: any number."""
        self._wanted: list[PoolSize] = []
        self.is_news = False
        """Whether `take` has something to say."""

    def connect(self) -> None:
        """A server that does not know of the wishes it follows, because they were taken back meanwhile, hears of them."""
        self.is_news = bool(self._wanted)

    def receive(self, message: Resize) -> None:
        """Follow these wishes; pools that they do not name have their own sizes, and pools that are not here are left out."""
        self._wanted = message.pools
        wanted = {size.pool: self._bounded(size) for size in message.pools if size.pool in self._own}
        sizes = {**self._own, **wanted}
        self.sizes = list(sizes.values())
        self._runner.resize(sizes)
        self.is_news = True

    def take(self) -> list[Resized]:
        """What the server is still to be told."""
        news, self.is_news = self.is_news, False
        return [Resized(self.sizes, self._wanted)] if news else []

    def _bounded(self, size: PoolSize) -> PoolSize:
        # One that ends after so many runs must not have more than these in hand.
        return size if not self._most else PoolSize(size.pool, min(size.core, self._most), min(size.max, self._most), 0)
