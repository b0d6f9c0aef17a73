"""A run that was asked for, in the hand of the one who asked."""

from collections.abc import AsyncGenerator, Callable
from datetime import timedelta
from typing import Any, Generic, Protocol, TypeVar

from mainspring.client.waiting import result_of
from mainspring.contract.runs import LogLine, RunInfo
from mainspring.errors import NotFoundError

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

Timeout = float | timedelta | None


class AsyncCalls(Protocol):
    async def get(self, run: str) -> RunInfo: ...

    async def wait(self, run: str, *, timeout: Timeout = None) -> RunInfo: ...

    async def cancel(self, run: str, *, reason: str = "") -> RunInfo: ...

    async def retry(self, run: str, *, force: bool = False, reason: str = "") -> RunInfo: ...

    def follow_logs(self, run: str, *, after: int = 0) -> AsyncGenerator[LogLine, None]: ...

    def watch(self, run: str) -> AsyncGenerator[RunInfo, None]: ...


class RunHandle(Generic[R_co]):
    """`existing`: the run was there before, under the same key."""

    def __init__(
        self, client: AsyncCalls, run: str, *, existing: bool = False, read: Callable[[Any], R_co] | None = None
    ) -> None:
        self._client = client
        self._read = read
        self.id = run
        self.existing = existing

    def reading(self, read: Callable[[Any], R]) -> "RunHandle[R]":
        """The same run; its result goes through this."""
        return RunHandle(self._client, self.id, existing=self.existing, read=read)

    async def get(self) -> RunInfo:
        return await self._client.get(self.id)

    async def exists(self) -> bool:
        """Whether the server knows the run: one enqueued in a transaction exists once that is committed."""
        try:
            await self.get()
        except NotFoundError as error:
            if error.kind != "run":
                raise
            return False
        return True

    async def wait(self, timeout: Timeout = None) -> RunInfo:
        """The run once it has ended, however it ended; raises TimeoutError."""
        return await self._client.wait(self.id, timeout=timeout)

    def stream(self) -> AsyncGenerator[RunInfo, None]:
        """The run in each state that it is seen in, the last of which is final."""
        return self._client.watch(self.id)

    async def result(self, timeout: Timeout = None) -> R_co:
        """Wait for the handler's return value; raises RunFailedError (RunCancelledError after a cancel) or TimeoutError."""
        found: R_co = result_of(await self.wait(timeout))
        return found if self._read is None else self._read(found)

    async def cancel(self, reason: str = "") -> RunInfo:
        """Cancel it; raises ConflictError if it has ended otherwise before."""
        return await self._client.cancel(self.id, reason=reason)

    async def retry(self, *, force: bool = False, reason: str = "") -> RunInfo:
        """Have it run again once it has ended; raises ConflictError if it is live, or has succeeded and is not forced."""
        return await self._client.retry(self.id, force=force, reason=reason)

    def logs(self, *, after: int = 0) -> AsyncGenerator[LogLine, None]:
        """Yield the log lines of its handler until the run's end."""
        return self._client.follow_logs(self.id, after=after)

    def __repr__(self) -> str:
        return f"RunHandle({self.id!r})"
