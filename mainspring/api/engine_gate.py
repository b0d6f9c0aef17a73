"""The gate to the engine: the API answers before the store is open and while the server drains."""

from starlette.requests import HTTPConnection, Request

from mainspring.api.http.headers import headers
from mainspring.domain.access.permissions import NAMESPACE_DEFAULT, check_namespace_name
from mainspring.errors import DrainingError, InvalidInputError, StartingError
from mainspring.scheduler.cluster.known_servers import KnownServers
from mainspring.scheduler.interface import Engine, Readiness

NAMESPACE_KEY = "mainspring.namespace"
"""The key of the call's namespace in a connection's scope."""


ENGINE = "mainspring.engine"
"""The key of the engine that serves the call."""


class EngineGate:
    """Holds the engine once it is open; until then, and while the server drains, calls are refused with the reason."""

    def __init__(self, engine: Engine | None = None, *, reason: str = "the server is starting") -> None:
        self._engine = engine
        self._reason = reason
        self.draining = False
        self._leaving = False

    def wait(self, reason: str) -> None:
        """Sets the reason why the engine is not open yet."""
        self._reason = reason

    def open(self, engine: Engine) -> None:
        self._engine = engine

    def leave(self) -> None:
        """Reports not ready, and serves calls as before."""
        self._leaving = True

    def drain(self) -> None:
        """Refuses new calls; those under way are served."""
        self.draining = True

    def engine(self) -> Engine:
        if self.draining:
            raise DrainingError("the server is shutting down")
        if self._engine is None:
            raise StartingError(self._reason)
        return self._engine

    @property
    def known_servers(self) -> KnownServers | None:
        """The servers that callers may go to instead; None before the engine is open."""
        return None if self._engine is None else self._engine.servers.known

    def readiness(self) -> Readiness:
        if self.draining or self._leaving:
            return Readiness(ready=False, reason="the server is shutting down")
        if self._engine is None:
            return Readiness(ready=False, reason=self._reason)
        return self._engine.readiness()


def gate_of(connection: HTTPConnection) -> EngineGate:
    gate: EngineGate = connection.app.state.gate
    return gate


def engine_of(connection: HTTPConnection) -> Engine:
    """The engine; a call keeps it, so that a drain refuses no call that has begun."""
    found: Engine | None = connection.scope.get(ENGINE)
    if found is None:
        found = connection.scope[ENGINE] = gate_of(connection).engine()
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
    place: str | None = connection.scope[NAMESPACE_KEY]
    return place


def namespace_of(request: Request) -> str:
    """The namespace that a call is about, which the caller may see."""
    return place_of(request) or NAMESPACE_DEFAULT
