"""From an answer that is a problem back to the error it stands for."""

import msgspec

from mainspring.errors import (
    AccessDeniedError,
    ConflictError,
    InvalidInputError,
    MainspringError,
    NotFoundError,
    StoreUnavailableError,
    TooLargeError,
    UnavailableError,
)


class Problem(msgspec.Struct):
    code: str = "error"
    detail: str = ""
    field: str | None = None
    kind: str = ""
    key: str = ""


def error_of(status: int, content: bytes) -> MainspringError:
    try:
        problem = msgspec.json.decode(content, type=Problem)
    except msgspec.DecodeError:
        return UnavailableError(f"the server answered {status}")
    if problem.field is not None:
        kind = TooLargeError if status == 413 else InvalidInputError
        return kind(problem.field, problem.detail, code=problem.code)
    error = error_for(status, problem)
    error.args = (problem.detail or f"the server answered {status}",)
    error.code = problem.code
    return error


def error_for(status: int, problem: Problem) -> MainspringError:
    if status in (401, 403):
        return AccessDeniedError()
    if status == 404 and problem.kind:
        return NotFoundError(problem.kind, problem.key)
    if status == 409:
        return ConflictError(problem.kind, problem.key, problem.detail)
    if status == 503 and problem.code == StoreUnavailableError.code:
        return StoreUnavailableError()
    return UnavailableError() if status >= 502 else MainspringError()
