"""One connection to an executor, as the sessions see it."""

from typing import Protocol


class ExecutorLink(Protocol):
    """One connection to an executor, over any transport."""

    def send_now(self, frame: bytes) -> bool:
        """Hand a frame over without waiting; False if that is not possible, and nothing was done."""

    async def send(self, frame: bytes) -> None:
        """Hand a frame over; raises ConnectionError once the other side is gone."""

    async def receive(self) -> bytes:
        """The next frame; raises ConnectionError once the other side is gone."""

    async def close(self, code: int, reason: str) -> None: ...
