"""Which of several servers a call goes to, and which failures let it go on to the next, without I/O."""

from collections.abc import Sequence
from typing import Any

from mainspring.client.calls import Request
from mainspring.client.transport.servers import UnreachableError
from mainspring.errors import OverBudgetError, UnavailableError

AWAY = 1.0
AWAY_MAX = 60.0
"""Seconds for which a server that failed is tried last: the first and the longest, doubled with every failure in a row."""
NOTHING_DONE = frozenset({"draining", "starting"})
"""Codes of servers that turn every call away before they look at it."""
READING = frozenset({"GET", "HEAD"})


class Choice:
    """The servers in the order in which a call tries them: as given, but those that failed lately last."""

    def __init__(self, count: int) -> None:
        self._failures = [0] * count
        self._away_until = [0.0] * count

    def order(self, now: float) -> list[int]:
        return sorted(range(len(self._failures)), key=lambda at: (self._away_until[at] > now, at))

    def failed(self, at: int, now: float) -> None:
        self._failures[at] += 1
        self._away_until[at] = now + min(AWAY * 2 ** min(self._failures[at] - 1, 10), AWAY_MAX)

    def note_failure(self, at: int, request: Request[Any], error: UnavailableError, now: float) -> None:
        """Remember it; raises the error where no other server may be asked."""
        going_on = may_go_on(request, error)
        if going_on or isinstance(error, UnreachableError):
            self.failed(at, now)
        if not going_on:
            raise error

    def answered(self, at: int) -> None:
        if self._failures[at]:
            self._failures[at], self._away_until[at] = 0, 0.0


def may_go_on(request: Request[Any], error: UnavailableError) -> bool:
    """Whether another server may be asked: the failed one has done nothing, or doing it twice is the same as once."""
    if isinstance(error, OverBudgetError):
        return False
    if error.code in NOTHING_DONE or (isinstance(error, UnreachableError) and error.unsent):
        return True
    return is_repeatable(request)


def may_resend(request: Request[Any], error: Exception) -> bool:
    """Whether a call may go by a new connection after one that was used before broke: the server may have acted on it."""
    return isinstance(error, ConnectionError) and is_repeatable(request)


def is_repeatable(request: Request[Any]) -> bool:
    """Whether doing it twice is the same as once."""
    return request.repeatable or request.method in READING


def none_left(errors: Sequence[UnavailableError]) -> UnavailableError:
    """The error of a call that no server took: the last server's own, or the reason why none was reached."""
    said = [error for error in errors if not isinstance(error, UnreachableError)]
    if said or len(errors) == 1:
        return (said or errors)[-1]
    return UnreachableError("; ".join(dict.fromkeys(map(str, errors))))
