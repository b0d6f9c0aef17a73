"""Which failures of one server let a call go on to the next, without I/O."""

from collections.abc import Sequence
from typing import Any

from mainspring.client.calls import Request
from mainspring.client.transport.servers import UnreachableError
from mainspring.errors import OverBudgetError, UnavailableError

NOTHING_DONE = frozenset({"draining", "starting"})
"""Codes of servers that turn every call away before they look at it."""
READING = frozenset({"GET", "HEAD"})


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
