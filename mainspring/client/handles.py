"""A run that was asked for, in the hand of the one who asked."""

from datetime import timedelta
from typing import Any, Protocol

from mainspring.client.views import RunInfo
from mainspring.client.waiting import result_of


class AsyncCalls(Protocol):
    async def get(self, run: str) -> RunInfo: ...

    async def wait(self, run: str, *, timeout: float | timedelta | None = None) -> RunInfo: ...


class SyncCalls(Protocol):
    def get(self, run: str) -> RunInfo: ...

    def wait(self, run: str, *, timeout: float | timedelta | None = None) -> RunInfo: ...


class RunHandle:
    """`existing`: the run was there before, under the same key."""

    def __init__(self, client: AsyncCalls, run: str, *, existing: bool = False) -> None:
        self._client = client
        self.id = run
        self.existing = existing

    async def get(self) -> RunInfo:
        return await self._client.get(self.id)

    async def result(self, timeout: float | timedelta | None = None) -> Any:
        """What the handler returned; raises RunFailedError or TimeoutError."""
        return result_of(await self._client.wait(self.id, timeout=timeout))

    def __repr__(self) -> str:
        return f"RunHandle({self.id!r})"


class SyncRunHandle:
    """`RunHandle` without await."""

    def __init__(self, client: SyncCalls, run: str, *, existing: bool = False) -> None:
        self._client = client
        self.id = run
        self.existing = existing

    def get(self) -> RunInfo:
        return self._client.get(self.id)

    def result(self, timeout: float | timedelta | None = None) -> Any:
        """What the handler returned; raises RunFailedError or TimeoutError."""
        return result_of(self._client.wait(self.id, timeout=timeout))

    def __repr__(self) -> str:
        return f"SyncRunHandle({self.id!r})"
