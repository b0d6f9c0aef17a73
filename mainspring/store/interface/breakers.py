"""Circuit breakers: their states, what was counted, and their changes."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.breakers.breaker import Breaker, Change
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import Calls, Tally


class Breakers(Protocol):
    """Each change writes the breaker, its gate and its history in one commit."""

    async def all(self) -> list[Breaker]:
        """Every breaker of every namespace."""

    async def ensure(self, namespace: str, name: str, *, now: datetime) -> None:
        """Make a breaker with the usual rule, unless there is one of this name."""

    async def set(self, namespace: str, name: str, spec: BreakerSpec, *, entry: AuditEntry) -> Breaker:
        """Make a breaker, or give the one that is there another rule; its state stays. Audited."""

    async def steer(
        self, namespace: str, name: str, steer: Callable[[Breaker], Breaker | None], *, entry: AuditEntry
    ) -> Breaker | None:
        """Change a breaker, locked, as `steer` says; audited unless it says None. None if there is no such breaker."""

    async def turn(self, breaker: Breaker, *, before: int, counted: Tally) -> bool:
        """Write what was decided from revision `before`; False, and nothing is written, if somebody was faster."""

    async def delete(self, namespace: str, name: str, *, entry: AuditEntry) -> bool:
        """Take a breaker away; its gate lets everything pass from then on. False, and nothing audited, if there is none."""

    async def add_calls(self, breaker: int, epoch: int, reports: Sequence[Calls], *, since: datetime) -> list[Calls]:
        """Add calls of an epoch, and return all of it after `since`. What is older, or of other epochs, is forgotten."""

    async def calls(self, breaker: int, epoch: int, *, since: datetime) -> list[Calls]:
        """What was counted in an epoch since then."""

    async def changes(self, breaker: int, *, limit: int) -> list[Change]:
        """The changes of state, newest first."""
