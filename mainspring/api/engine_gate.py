"""Where the engine sits: the API answers before the store is open and while the server drains."""

from fastapi import Request
from starlette.requests import HTTPConnection

from mainspring.api.http.headers import headers
from mainspring.domain.access.permissions import NAMESPACE_DEFAULT, check_namespace_name
from mainspring.errors import DrainingError, InvalidInputError, StartingError
from mainspring.scheduler.interface import Engine, Readiness

PLACE = "mainspring.namespace"
"""Where a connection's scope holds the namespace that the call is about."""


ENGINE = "mainspring.engine"
"""Where it holds the engine that serves the call."""


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
            raise DrainingError("the server is shutting down")
        if self._engine is None:
            raise StartingError(self._reason)
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
    """The engine; a call that has got it keeps it, so that none that was begun is turned away in the middle."""
    found: Engine | None = connection.scope.get(ENGINE)
    if found is None:
        found = connection.scope[ENGINE] = seat_of(connection).engine()
    return found


def asked_namespace(connection: HTTPConnection) -> str | None:
    """The namespace that a caller names, by query or header."""
    asked = {*headers(connection, b"mainspring-namespace")}
    if connection.scope["query_string"]:
        asked.update(connection.query_params.getlist("namespace"))
    if len(asked) > 1:
        reason = f"is said twice, and differently: {' and '.join(sorted(map(repr, asked)))}"
        raise InvalidInputError("namespace", reason, code="bad_namespace")
    return check_namespace_name(asked.pop()) if asked else None


def place_of(connection: HTTPConnection) -> str | None:
    """The namespace that the caller names or that its token is bound to; None: all of them."""
    place: str | None = connection.scope[PLACE]
    return place


def namespace_of(request: Request) -> str:
    """The namespace that a call is about, which the caller may see."""
    return place_of(request) or NAMESPACE_DEFAULT
