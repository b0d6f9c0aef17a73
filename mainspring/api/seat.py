"""Where the engine sits: the API answers before the store is open and while the server drains."""

import re

from fastapi import Request
from starlette.requests import HTTPConnection

from mainspring.api.headers import header
from mainspring.errors import InvalidInputError, UnavailableError
from mainspring.scheduler.requests import Engine, Readiness

NAMESPACE_DEFAULT = "default"
NAMESPACE = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


class Seat:
    """Holds the engine, or says why there is none to talk to."""

    def __init__(self, engine: Engine | None = None, *, reason: str = "the server is starting") -> None:
        self._engine = engine
        self._reason = reason
        self.draining = False

    def wait(self, reason: str) -> None:
        """Say why the engine is not there yet."""
        self._reason = reason

    def take(self, engine: Engine) -> None:
        self._engine = engine

    def drain(self) -> None:
        """Turn callers away from now on; those already inside are served."""
        self.draining = True

    def engine(self) -> Engine:
        if self.draining:
            raise UnavailableError("the server is shutting down")
        if self._engine is None:
            raise UnavailableError(self._reason)
        return self._engine

    def readiness(self) -> Readiness:
        if self.draining:
            return Readiness(ready=False, reason="the server is shutting down")
        if self._engine is None:
            return Readiness(ready=False, reason=self._reason)
        return self._engine.readiness()


def seat_of(connection: HTTPConnection) -> Seat:
    seat: Seat = connection.app.state.seat
    return seat


def engine_of(connection: HTTPConnection) -> Engine:
    return seat_of(connection).engine()


def namespace_of(request: Request) -> str:
    """The namespace a caller speaks of, by header or query."""
    asked = request.query_params.get("namespace") if request.scope["query_string"] else None
    namespace = asked or header(request, b"mainspring-namespace") or NAMESPACE_DEFAULT
    if not NAMESPACE.fullmatch(namespace):
        raise InvalidInputError("namespace", "is 1 to 63 of a-z, 0-9, '-', '_'", code="bad_namespace")
    return namespace
