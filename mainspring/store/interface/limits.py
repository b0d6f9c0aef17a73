"""Limits that operators set, the gates that lines lead through, and places in line."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.ids import RunId
from mainspring.domain.limits.explain import LinePlace
from mainspring.domain.limits.gates import Gate, GateState, LimitRule, Scope


class LimitStore(Protocol):
    """Rules, the gates made from them, and where runs stand."""

    async def rules(self) -> list[LimitRule]:
        """Every limit that operators have set."""

    async def set_rule(self, rule: LimitRule, *, entry: AuditEntry) -> LimitRule:
        """Set or replace a limit, and the numbers of its gate in the same commit; returned with its revision. Audited."""

    async def delete_rule(self, namespace: str, scope: Scope, name: str, *, entry: AuditEntry) -> bool:
        """Take a limit away; its gate lets everything pass from then on. False, and nothing audited, if there is none."""

    async def set_gates(self, gates: Sequence[Gate], lines: Mapping[int, Sequence[int]]) -> bool:
        """Make these gates, and let these lines lead through exactly those named; True if anything was changed.

        A gate that is there with a newer revision keeps its numbers.
        """

    async def recount(self, gates: Sequence[int], *, now: datetime) -> int:
        """Count anew what these gates hold, from the attempts under way; return how many were wrong."""

    async def gate_lines(self) -> dict[int, tuple[int, ...]]:
        """The gates of each line, by their ids."""

    async def gate_states(self, gates: Sequence[int], *, now: datetime) -> list[GateState]:
        """How much of these gates is taken."""

    async def holders(self, lines: Sequence[int], *, limit: int) -> list[RunId]:
        """Some runs that are running in these lines, those that have been for longest first."""

    async def place(self, run: RunId, *, now: datetime, limit: int) -> LinePlace | None:
        """Where a queued run stands, with the due runs before it, counted up to `limit`; None if it is not queued."""
