"""The only place where errors become HTTP: application/problem+json."""

import logging
from collections.abc import Mapping
from math import ceil

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route

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
    StoreUnavailableError,
    TooLargeError,
    TooManyTriesError,
    UnavailableError,
)

log = logging.getLogger("mainspring.api")

PROBLEM_TYPE = "application/problem+json"
RETRY_AFTER = "1"
PATH_SHOWN = 200
"""Characters of a path that nobody knows."""

STATUSES: tuple[tuple[type[MainspringError], int, str], ...] = (
    (TooLargeError, 413, "Too large"),
    (InvalidInputError, 422, "Invalid input"),
    (NotFoundError, 404, "Not found"),
    (StaleError, 412, "Precondition failed"),
    (ConflictError, 409, "Conflict"),
    (AccessDeniedError, 401, "Access denied"),
    (ForbiddenError, 403, "Forbidden"),
    (OverBudgetError, 429, "Over budget"),
    (TooManyTriesError, 429, "Too many tries"),
    (UnavailableError, 503, "Unavailable"),
    (MainspringError, 500, "Internal error"),
)

HEADERS: dict[int, dict[str, str]] = {
    401: {"www-authenticate": 'Bearer realm="mainspring", error="invalid_token"'},
    403: {"www-authenticate": 'Bearer realm="mainspring", error="insufficient_scope"'},
    503: {"retry-after": RETRY_AFTER},
}

SIGNATURE = {"www-authenticate": 'Signature realm="mainspring"'}

HEADERS_BY_CODE: dict[str, dict[str, str]] = {
    "token_missing": {"www-authenticate": 'Bearer realm="mainspring"'},
    "bad_signature": SIGNATURE,
    "signature_missing": SIGNATURE,
    "signature_expired": SIGNATURE,
    "draining": {"connection": "close"},
}
"""Who shows no token is not told that it is a bad one, nor who is to sign that a token would do. A server that drains sends its
callers away for good: a connection that it closes later could carry a call that nobody reads."""

HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})

STATUS_BY_CODE = {"malformed_json": 400, "unsupported_media_type": 415, "precondition_required": 428}
"""Invalid input that HTTP has its own numbers for."""


class Problem(msgspec.Struct, omit_defaults=True):
    """An error as the API shows it; `code` is stable."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    field: str | None = None
    kind: str | None = None
    """What was not found, is in conflict or is full, and its key."""
    key: str | None = None
    depth: int | None = None
    """How many runs wait where no more may, how many may, and in how many seconds to try again."""
    limit: int | None = None
    retry_after: int | None = None


def problem_of(error: MainspringError) -> Problem:
    status, title = next((status, title) for kind, status, title in STATUSES if isinstance(error, kind))
    if isinstance(error, InvalidInputError):
        status = STATUS_BY_CODE.get(error.code, status)
        return make_problem(status, title, error.code, error.reason, error.field)
    problem = make_problem(status, title, error.code, str(error))
    if isinstance(error, NotFoundError | ConflictError):
        problem.kind, problem.key = error.kind, error.key
    if isinstance(error, OverBudgetError):
        problem.kind, problem.key, problem.depth, problem.limit = error.kind, error.key, error.depth, error.limit
    if isinstance(error, OverBudgetError | TooManyTriesError):
        problem.retry_after = ceil(error.retry_after)
    return problem


def make_problem(status: int, title: str, code: str, detail: str, field: str | None = None) -> Problem:
    return Problem(f"urn:mainspring:problem:{code}", title, status, code, detail, field)


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    if problem.retry_after is not None:
        headers = {"retry-after": str(problem.retry_after), **(headers or {})}
    if problem.limit is not None:
        headers = {"mainspring-pressure": "1.00", **(headers or {})}
    return Response(
        msgspec.json.encode(problem),
        status_code=problem.status,
        headers=HEADERS.get(problem.status, {}) | HEADERS_BY_CODE.get(problem.code, {}) | dict(headers or {}),
        media_type=PROBLEM_TYPE,
    )


def install_error_handlers(app: Starlette) -> None:
    app.add_exception_handler(MainspringError, answer_ours)
    app.add_exception_handler(HTTPException, answer_http)
    app.add_exception_handler(ClientDisconnect, answer_nobody)
    app.add_exception_handler(Exception, answer_bug)


async def answer_ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, MainspringError)
    return problem_response(problem_of(honest(request.method, error)))


def honest(method: str, error: MainspringError) -> MainspringError:
    """Say of a change that the database was lost in the middle of that its outcome is not known."""
    if not isinstance(error, StoreUnavailableError) or not error.in_doubt or method in HARMLESS:
        return error
    return OutcomeUnknownError(
        f"{error}; it is not known whether this was done: look, or ask again, for a run with the same key"
    )


async def answer_http(request: Request, error: Exception) -> Response:
    """Answers for the router itself: no such path, no such method."""
    assert isinstance(error, HTTPException)
    code, detail, headers = error.detail.lower().replace(" ", "_"), error.detail, error.headers
    if error.status_code == 404:
        detail = f"there is no path {path_of(request)}"
    if error.status_code == 405:
        headers = {"allow": methods_of(request)}
        detail = f"{path_of(request)} does not take {request.method}, but {headers['allow']}"
    return problem_response(make_problem(error.status_code, error.detail, code, detail), headers)


def path_of(request: Request) -> str:
    """The path as it was sent, or the beginning of a long one."""
    raw: bytes = request.scope.get("raw_path") or b""
    text = raw.decode("ascii", "replace") or request.url.path
    return text if len(text) <= PATH_SHOWN else f"{text[:PATH_SHOWN]}…"


def methods_of(request: Request) -> str:
    """The methods of the path."""
    # The router knows only the first of the routes that share it.
    known = (route for route in request.app.routes if isinstance(route, Route))
    same = (route for route in known if route.matches(request.scope)[0] is not Match.NONE)
    return ", ".join(sorted({method for route in same for method in route.methods or ()}))


async def answer_nobody(_request: Request, _error: Exception) -> Response:
    """Ends a call whose client hung up before its body was complete; the answer is not read."""
    return Response(status_code=400)


async def answer_bug(request: Request, error: Exception) -> Response:
    log.error("%s %s failed: %r", request.method, request.url.path, error)
    return problem_response(make_problem(500, "Internal error", "internal", "the server's log says more"))
