"""Generated from mainspring/client/handles.py by `make client-sync`: do not edit."""

from collections.abc import Callable, Generator
from typing import Any, Generic, Protocol

from mainspring.client.handles import R, R_co, Timeout
from mainspring.client.waiting import result_of
from mainspring.contract.runs import LogLine, RunInfo
from mainspring.errors import NotFoundError


class SyncCalls(Protocol):
    def get(self, run: str) -> RunInfo: ...

    def wait(self, run: str, *, timeout: Timeout = None) -> RunInfo: ...

    def cancel(self, run: str, *, reason: str = "") -> RunInfo: ...

    def retry(self, run: str, *, force: bool = False, reason: str = "") -> RunInfo: ...

    def follow_logs(self, run: str, *, after: int = 0) -> Generator[LogLine, None, None]: ...

    def watch(self, run: str) -> Generator[RunInfo, None, None]: ...


class SyncRunHandle(Generic[R_co]):
    """`existing`: the run was there before, under the same key."""

    def __init__(
        self, client: SyncCalls, run: str, *, existing: bool = False, read: Callable[[Any], R_co] | None = None
    ) -> None:
        self._client = client
        self._read = read
        self.id = run
        self.existing = existing

    def reading(self, read: Callable[[Any], R]) -> "SyncRunHandle[R]":
        """The same run; its result goes through this."""
        return SyncRunHandle(self._client, self.id, existing=self.existing, read=read)

    def get(self) -> RunInfo:
        return self._client.get(self.id)

    def exists(self) -> bool:
        """Whether the server knows the run: one enqueued in a transaction exists once that is committed."""
        try:
            self.get()
        except NotFoundError as error:
            if error.kind != "run":
                raise
            return False
        return True

    def wait(self, timeout: Timeout = None) -> RunInfo:
        """The run once it has ended, however it ended; raises TimeoutError."""
        return self._client.wait(self.id, timeout=timeout)

    def stream(self) -> Generator[RunInfo, None, None]:
        """The run in each state that it is seen in, the last of which is final."""
        return self._client.watch(self.id)

    def result(self, timeout: Timeout = None) -> R_co:
        """Wait for the handler's return value; raises RunFailedError (RunCancelledError after a cancel) or TimeoutError."""
        found: R_co = result_of(self.wait(timeout))
        return found if self._read is None else self._read(found)

    def cancel(self, reason: str = "") -> RunInfo:
        """Cancel it; raises ConflictError if it has ended otherwise before."""
        return self._client.cancel(self.id, reason=reason)

    def retry(self, *, force: bool = False, reason: str = "") -> RunInfo:
        """Have it run again once it has ended; raises ConflictError if it is live, or has succeeded and is not forced."""
        return self._client.retry(self.id, force=force, reason=reason)

    def logs(self, *, after: int = 0) -> Generator[LogLine, None, None]:
        """Yield the log lines of its handler until the run's end."""
        return self._client.follow_logs(self.id, after=after)

    def __repr__(self) -> str:
        return f"SyncRunHandle({self.id!r})"
