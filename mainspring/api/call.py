"""One call of an operation, as its handler sees it."""

from datetime import datetime

from starlette.requests import Request

from mainspring.api.auth import actor_of, grant_of
from mainspring.api.engine_gate import engine_of, namespace_of, place_of
from mainspring.api.http.preconditions import expected_of
from mainspring.domain.access.permissions import Actor
from mainspring.domain.access.token import Grant
from mainspring.scheduler.interface import Engine
from mainspring.scheduler.operations.jobs import Expected, Words


class Call:
    """An authorised request, with the engine, the namespace and the actor it is for."""

    __slots__ = ("request",)

    def __init__(self, request: Request) -> None:
        self.request = request

    @property
    def engine(self) -> Engine:
        return engine_of(self.request)

    @property
    def namespace(self) -> str:
        """The namespace the call is about; without one, the default namespace."""
        return namespace_of(self.request)

    @property
    def place(self) -> str | None:
        """The namespace that the caller names or its token is bound to; None: all namespaces."""
        return place_of(self.request)

    @property
    def grant(self) -> Grant:
        return grant_of(self.request)

    @property
    def actor(self) -> Actor:
        """The caller, for the audit log."""
        return actor_of(self.request)

    @property
    def now(self) -> datetime:
        now: datetime = self.request.app.state.clock.now()
        return now

    @property
    def monotonic(self) -> float:
        seconds: float = self.request.app.state.clock.monotonic()
        return seconds

    @property
    def expected(self) -> Expected:
        """The version that the caller has seen, by `If-Match` and `If-None-Match`."""
        return expected_of(self.request)

    def edit(self, note: str) -> Words:
        """The actor and the note of a change."""
        return Words(actor=self.actor, note=note)
