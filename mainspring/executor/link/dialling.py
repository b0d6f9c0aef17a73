"""Opens connections to servers; a server that keeps silent does not hold up the next one."""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from typing import Protocol

from mainspring.clock import Clock
from mainspring.errors import MainspringError


class ServerConnection(Protocol):
    """Frames to one server and back; every method raises ConnectionError once the other side is gone."""

    async def send(self, frame: bytes) -> None: ...

    async def receive(self) -> bytes: ...

    async def close(self) -> None:
        """Take leave in an orderly way."""

    def abort(self) -> None:
        """Cut the connection at once; a pending `receive` raises."""


class Dial(Protocol):
    """Opens a connection within `within` seconds; raises ConnectionError (try again) or a MainspringError (final)."""

    async def __call__(self, url: str, within: float) -> ServerConnection: ...


class Dialled:
    """One connection that is being opened, or was."""

    def __init__(self, url: str, began: float, opening: "asyncio.Task[ServerConnection]") -> None:
        self.url = url
        self.began = began
        self._opening = opening

    @property
    def has_ended(self) -> bool:
        return self._opening.done()

    def connection(self) -> ServerConnection:
        """The open connection; raises the error of the dial."""
        if self._opening.cancelled():
            raise ConnectionError("the dial was given up")
        return self._opening.result()

    def give_up(self) -> None:
        """Stop dialling; close the connection if it is open already."""
        if not self._opening.cancel() and not self._opening.cancelled():
            with suppress(ConnectionError, MainspringError):
                self._opening.result().abort()


class Dialling:
    """The dials under way, at most one for each address."""

    def __init__(self, dial: Dial, clock: Clock) -> None:
        self._dial = dial
        self._clock = clock
        self._under_way: dict[str, Dialled] = {}
        self._ended = asyncio.Event()

    @property
    def urls(self) -> Collection[str]:
        return self._under_way.keys()

    def begin(self, url: str, within: float) -> None:
        opening = asyncio.ensure_future(self._dial(url, within))
        opening.add_done_callback(lambda _: self._ended.set())
        self._under_way[url] = Dialled(url, self._clock.monotonic(), opening)

    async def wait(self, seconds: float) -> None:
        """Until one has ended, at most so long."""
        self._ended.clear()
        if not any(one.has_ended for one in self._under_way.values()):
            await self._clock.wait(self._ended, seconds)

    def take(self) -> Dialled | None:
        """One that has ended, the earliest begun first."""
        for url, one in self._under_way.items():
            if one.has_ended:
                return self._under_way.pop(url)
        return None

    def give_up(self) -> None:
        """End all of them: a connection to some server stands, or none is wanted any more."""
        for one in self._under_way.values():
            one.give_up()
        self._under_way.clear()
