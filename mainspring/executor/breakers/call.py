"""A call inside a handler, guarded by a breaker."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from mainspring.domain.breakers.spec import KEY_MAX, label_of
from mainspring.domain.names import QUEUE_MAX, check_text
from mainspring.errors import InvalidInputError
from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.attempts.exceptions import is_cancellation, kinds_of
from mainspring.executor.attempts.signals import BreakerOpen, Ending, Retry, Yielded
from mainspring.executor.attempts.steps import ask, ask_sync
from mainspring.executor.breakers.guard import Admission
from mainspring.executor.breakers.guards import Admitted, CallEnd

WAIT_MAX = 3600.0
FAILED = ("failed", "Exception")
"""The names of a failure that the handler stated without an exception."""


class BreakerCall:
    """For `async with`, or `with` in plain code: counts how the block ends, and raises BreakerOpen if it may not begin."""

    def __init__(self, attempt: Attempt, journal: Journal, name: str, key: str, wait: float) -> None:
        check_text(name, "breaker", most=QUEUE_MAX, code="bad_breaker")
        if key:
            check_text(key, "key", most=KEY_MAX, code="bad_breaker")
        if not 0 <= wait <= WAIT_MAX:
            raise InvalidInputError("wait", f"{wait} is outside 0 to {WAIT_MAX:.0f}", code="bad_breaker")
        self.breaker = label_of(name, key)
        self._attempt = attempt
        self._journal = journal
        self._wait = wait
        self._admission: Admission | None = None
        self._failed = self._ignored = False
        self._retry_in: float | None = None

    def fail(self) -> None:
        """Count the call as failed, although no exception is raised."""
        self._failed = True

    def ignore(self) -> None:
        """Count the call for nothing, however it ends."""
        self._ignored = True

    def retry_after(self, seconds: float) -> None:
        """Count the call as failed, and keep an opening breaker open for so long: the downstream asked for that."""
        self._failed, self._retry_in = True, max(0.0, float(seconds))

    async def __aenter__(self) -> Self:
        found = self._journal.admit(self._attempt, self.breaker)
        if found is None or (found.refused and self._wait):
            found = await ask(self._asking())
        return self._begin(found)

    def __enter__(self) -> Self:
        found = self._journal.admit(self._attempt, self.breaker)
        if found is None or (found.refused and self._wait):
            found = ask_sync(self._asking())
        return self._begin(found)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._end(error)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._end(error)

    def _asking(self) -> Callable[[Admitted], None]:
        def put(admitted: Admitted) -> None:
            self._journal.await_admission(self._attempt, self.breaker, self._wait, admitted)

        return put

    def _begin(self, admission: Admission) -> Self:
        if admission.refused:
            raise BreakerOpen(self.breaker, admission.reason, wait=admission.wait, epoch=admission.told)
        self._admission = admission
        return self

    def _end(self, error: BaseException | None) -> None:
        assert self._admission is not None
        kinds = kinds_of(error) if error is not None else FAILED if self._failed else ()
        retry_in = self._retry_in if self._retry_in is not None or error is None else asked_pause(error)
        ignored = self._ignored or (error is not None and says_nothing(error))
        self._journal.called(self._attempt, CallEnd(self.breaker, self._admission, kinds, retry_in, ignored))


def says_nothing(error: BaseException) -> bool:
    """Whether the error is no word about the downstream: the handler was stopped, or goes on later."""
    later = isinstance(error, Ending) and error.code == Ending.code
    return later or isinstance(error, Yielded | BreakerOpen) or is_cancellation(error)


def asked_pause(error: BaseException) -> float | None:
    """Seconds that the downstream wants, by the error's own word or by the `Retry-After` of a response that it carries."""
    if isinstance(error, Retry):
        return error.after
    headers = getattr(getattr(error, "response", None), "headers", None)
    found = getattr(error, "retry_after", None) if headers is None else headers.get("Retry-After")
    return read_pause(found)


def read_pause(found: object) -> float | None:
    """Seconds; an instant, which HTTP allows as well, is left to the breaker's own wait."""
    if isinstance(found, int | float):
        return max(0.0, float(found))
    return float(found) if isinstance(found, str) and found.strip().isdecimal() else None
