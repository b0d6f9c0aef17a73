"""Circuit breakers: their states, what was counted, and their changes."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.breakers.breaker import Breaker, BreakerTransition
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import Calls, Permits, WindowCounts
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import Parking


class BreakerStore(Protocol):
    """Each change writes the breaker, its gate and its history in one commit."""

    async def all(self) -> list[Breaker]:
        """Every breaker of every namespace."""

    async def ensure(self, namespace: str, name: str, *, now: datetime, spec: BreakerSpec | None = None) -> None:
        """Make a breaker with this rule, or the usual one, unless there is one of this name."""

    async def set(self, namespace: str, name: str, spec: BreakerSpec, *, entry: AuditEntry) -> Breaker:
        """Make a breaker, or give the one that is there another rule; its state stays. Audited.

        The breakers of its single keys follow it.
        """

    async def steer(
        self, namespace: str, name: str, steer: Callable[[Breaker], Breaker | None], *, entry: AuditEntry
    ) -> Breaker | None:
        """Change a breaker, locked, as `steer` says; audited unless it says None. None if there is no such breaker."""

    async def turn(self, breaker: Breaker, *, before: int, counted: WindowCounts) -> bool:
        """Write what was decided from revision `before`; False, and nothing is written, if another server was faster."""

    async def delete(self, namespace: str, name: str, *, entry: AuditEntry) -> bool:
        """Take a breaker away; its gate lets everything pass from then on. False, and nothing audited, if there is none."""

    async def add_calls(self, breaker: int, epoch: int, reports: Sequence[Calls], *, since: datetime) -> list[Calls]:
        """Add calls of an epoch, and return all of it after `since`. What is older, or of other epochs, is forgotten."""

    async def calls(self, breaker: int, epoch: int, *, since: datetime) -> list[Calls]:
        """What was counted in an epoch since then."""

    async def changes(self, breaker: int, *, limit: int) -> list[BreakerTransition]:
        """The changes of state, newest first."""

    async def prune_keys(self, *, before: datetime, limit: int) -> int:
        """Delete closed breakers of single keys without calls since; return how many."""

    async def take_permits(self, breaker: int, epoch: int, count: int, *, now: datetime) -> Permits:
        """Take up to so many permits of a breaker's probes or wave; none if the breaker is in another epoch by now."""

    async def parked(self) -> list[tuple[str, str]]:
        """Namespaces and names of the breakers that runs wait for."""

    async def unpark(
        self, namespace: str, name: str, *, epoch: int | None, now: datetime, limit: int, held: bool
    ) -> dict[RunId, int]:
        """Put up to `limit` runs that wait for a breaker back into their lines, and return these with their lines.

        Those that have waited longest come first. Unless `held`, only runs that were parked in another epoch than this one
        go, and those whose own instant has come.
        """

    async def parking(self, run: RunId) -> Parking | None:
        """The breaker that a run waits for, if it waits for one."""
