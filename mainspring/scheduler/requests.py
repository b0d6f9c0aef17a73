"""What callers ask of the engine, and what they get back."""

from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.log import LogEntry, Progress
from mainspring.domain.run import Attempt, Run
from mainspring.store.interface import RunFilter


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A run somebody wants; what is None comes from the job."""

    job: str
    input: bytes = b"{}"
    """The arguments, a JSON object, exactly as it will be stored."""
    queue: str | None = None
    priority: int | None = None
    due_at: datetime | None = None
    key: str | None = None


class Accepted(msgspec.Struct, frozen=True):
    """The run is durable. `existing`: it was there before, under the same key."""

    id: RunId
    existing: bool = False


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    ready: bool
    reason: str = ""
    """Why not, in words for an operator."""
    executors: int = 0


class Link(Protocol):
    """One connection to an executor, whatever carries it."""

    async def send(self, frame: bytes) -> None:
        """Hand a frame over; raises ConnectionError once the other side is gone."""

    async def receive(self) -> bytes:
        """The next frame; raises ConnectionError once the other side is gone."""

    async def close(self, code: int, reason: str) -> None: ...


class Engine(Protocol):
    """The whole of a server behind its API."""

    async def accept(self, namespace: str, requests: list[RunRequest]) -> list[Accepted]:
        """Make the runs durable, all or none, and return them in order.

        Raises InvalidInputError (its field prefixed `runs[i].` when several), NotFoundError for an unknown job, ConflictError
        for a key used with another payload, UnavailableError while the store is away or the server drains.
        """

    async def get(self, namespace: str, run: RunId) -> Run:
        """Raises NotFoundError."""

    async def wait(self, namespace: str, run: RunId, *, seconds: float) -> Run:
        """The run as soon as it is final, or as it is after so many seconds."""

    async def attempts(self, namespace: str, run: RunId) -> list[Attempt]: ...

    async def logs(self, namespace: str, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]: ...

    async def progress(self, namespace: str, run: RunId) -> Progress | None: ...

    async def attach(self, link: Link) -> None:
        """Serve an executor's connection until it ends."""

    def readiness(self) -> Readiness: ...

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: RunFilter) -> list[Run]:
        """A page of runs, newest first."""
