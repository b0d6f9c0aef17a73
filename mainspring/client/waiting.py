"""Waiting for a run: deadlines, retries, and the result or error at its end."""

from datetime import timedelta
from typing import Any

from mainspring.client.calls import Request
from mainspring.client.transport.requests import get_run
from mainspring.clock import Clock, SystemClock
from mainspring.contract.runs import RunInfo
from mainspring.domain.runs.current import is_in_attempt, note_wait
from mainspring.errors import OverBudgetError, RunCancelledError, RunFailedError

POLL_MAX = 30.0
PAUSE = 0.5
"""Seconds between tries while no server answers."""


class Deadline:
    """Counts down a timeout; None waits for ever."""

    def __init__(self, timeout: float | timedelta | None, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        given = timeout.total_seconds() if isinstance(timeout, timedelta) else timeout
        self._deadline = None if given is None else self._clock.monotonic() + given

    def next_wait(self) -> float:
        """How long the next call may ask the server to hold on; at least a moment, so that one call is always made."""
        if self._deadline is None:
            return POLL_MAX
        return max(min(self._deadline - self._clock.monotonic(), POLL_MAX), 0.001)

    @property
    def over(self) -> bool:
        return self._deadline is not None and self._clock.monotonic() >= self._deadline


class Waiting:
    """A wait for the end of one run: the next request, and the reading of its answers."""

    def __init__(self, run: str, timeout: float | timedelta | None) -> None:
        self._run = run
        self._patience = Deadline(timeout)
        self._unnoted = is_in_attempt()
        """In a handler the first look is a short one: which job is waited for has to be known while it is."""

    def next_look(self) -> Request[RunInfo]:
        return get_run(self._run, wait=0.0 if self._unnoted else self._patience.next_wait())

    @property
    def out_of_time(self) -> bool:
        return self._patience.over

    def is_over(self, found: RunInfo) -> bool:
        """Whether this is the run's end; raises TimeoutError if there is no more time for it."""
        if found.final:
            return True
        if self._patience.over:
            raise still_going(self._run, found.state)
        if self._unnoted:
            note_wait(found.job)
            self._unnoted = False
        return False


class RetryBudget:
    """How long a caller is willing to wait, in all, for a queue or namespace that is over its budget."""

    def __init__(self, patience: float | timedelta) -> None:
        self._left = patience.total_seconds() if isinstance(patience, timedelta) else patience

    def pause_after(self, error: OverBudgetError) -> float:
        """How long to wait before the next try; raises the error if that is longer than there is patience."""
        if error.retry_after > self._left:
            raise error
        self._left -= error.retry_after
        return error.retry_after


def result_of(run: RunInfo) -> Any:
    """The handler's result; raises RunFailedError if the run did not succeed."""
    if run.state == "succeeded":
        return run.result
    kind = RunCancelledError if run.state == "cancelled" else RunFailedError
    raise kind(run.id, run.state, reason_of(run))


def reason_of(run: RunInfo) -> str:
    if run.error is not None and run.state != "cancelled":
        return f"{run.error.error}: {run.error.message}"
    return run.reason or "no reason was given"


def still_going(run: str, state: str) -> TimeoutError:
    return TimeoutError(f"run {run} is still {state}")
