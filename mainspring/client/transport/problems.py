"""From an answer that is a problem back to the error it stands for."""

import msgspec

from mainspring.client.transport.versions import AnswerOrigin, apart
from mainspring.errors import (
    AccessDeniedError,
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    MainspringError,
    NotFoundError,
    OutcomeUnknownError,
    OverBudgetError,
    StaleError,
    StoreBusyError,
    StoreUnavailableError,
    TooLargeError,
    UnavailableError,
)

NOT_OURS = "not_mainspring"
NO_ROUTE = (404, 405)
ELSEWHERE = range(300, 400)
REFUSALS = range(400, 500)
NO_PATH = "path"
"""What is not found where an answer names no kind: the address itself."""
WHOLE_REQUEST = "request"
"""What is not valid where an answer names no field."""


class ProblemBody(msgspec.Struct):
    code: str = ""
    detail: str = ""
    field: str | None = None
    kind: str = ""
    key: str = ""
    depth: int = 0
    limit: int = 0
    retry_after: float = 1.0


UNAVAILABLE = {kind.code: kind for kind in (StoreUnavailableError, StoreBusyError, OutcomeUnknownError)}


def error_of(status: int, content: bytes, origin: AnswerOrigin | None = None) -> MainspringError:
    """`origin`: who answered, as far as the transport knows; it makes for better words."""
    try:
        problem = msgspec.json.decode(content, type=ProblemBody)
    except msgspec.DecodeError:
        return foreign(status, origin)
    if not problem.code:
        return foreign(status, origin)
    if problem.field is not None:
        kind = TooLargeError if status == 413 else InvalidInputError
        reason = problem.detail + (apart(origin) if problem.code == "unknown_field" else "")
        return kind(problem.field, reason, code=problem.code)
    error = error_for(status, problem)
    error.args = (described(status, problem, origin),)
    error.code = problem.code
    return error


def error_for(status: int, problem: ProblemBody) -> MainspringError:
    if status == 401:
        return AccessDeniedError()
    if status == 403:
        return ForbiddenError()
    if status == 404:
        return NotFoundError(problem.kind or NO_PATH, problem.key)
    if status == 429:
        return OverBudgetError(
            problem.kind, problem.key, depth=problem.depth, limit=problem.limit, retry_after=problem.retry_after
        )
    if status == 412:
        return StaleError(problem.kind, problem.key, problem.detail)
    if status == 409:
        return ConflictError(problem.kind, problem.key, problem.detail)
    if status == 503:
        return UNAVAILABLE.get(problem.code, UnavailableError)()
    if status == 408:
        return UnavailableError()
    if status in REFUSALS:
        kind = TooLargeError if status == 413 else InvalidInputError
        return kind(WHOLE_REQUEST, problem.detail)
    return UnavailableError() if status >= 502 else MainspringError()


def described(status: int, problem: ProblemBody, origin: AnswerOrigin | None) -> str:
    if status in NO_ROUTE and not problem.kind and origin is not None:
        return f"{origin.url} does not know this request{apart(origin) or '; is the address complete?'}"
    return problem.detail or f"the server answered {status}"


def foreign(status: int, origin: AnswerOrigin | None) -> UnavailableError:
    """An answer that no server of ours gives: another program, or something between."""
    who = origin.url if origin is not None else "the server"
    if status in ELSEWHERE and origin is not None:
        return UnavailableError(f"{who} sends callers on to {origin.headers.get('location')}: use that address")
    if status >= 500 or (origin is not None and origin.version):
        return UnavailableError(f"{who} answered {status} without a reason; is something between that gave up?")
    error = UnavailableError(
        f"{who} is not a Mainspring server: it answered {status}; look at the address and the port"
    )
    error.code = NOT_OURS
    return error


def unreadable(reason: object, origin: AnswerOrigin | None) -> UnavailableError:
    """A good answer that makes no sense."""
    who = origin.url if origin is not None else "the server"
    if origin is not None and origin.version:
        return UnavailableError(f"{who} answered what this version cannot read: {reason}{apart(origin)}")
    error = UnavailableError(f"{who} is not a Mainspring server: {reason}; look at the address and the port")
    error.code = NOT_OURS
    return error
