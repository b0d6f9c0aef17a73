"""The audit log."""

from collections.abc import Sequence

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.store.interface.access import AuditFilter
from mainspring.store.sql import Filled
from mainspring.store.tx import Acts, Row, Tx, reads_together, writes_once

EQUALS = ("namespace", "actor", "kind", "key")


class AuditActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes_once
    async def append_audit(self, tx: Tx, entry: AuditEntry) -> None:
        await write_audit(tx, entry)

    @reads_together
    async def audit(self, tx: Tx, query: AuditFilter) -> list[tuple[int, AuditEntry]]:
        statement, parameters = list_statement(query)
        await tx.run("read_in_order")
        rows = await tx.all(statement, **parameters)
        return tx.aside.read("audit", rows, lambda row: (row["position"], entry_row(row)), "position")


def list_statement(query: AuditFilter) -> tuple[Filled, dict[str, object]]:
    """Only the conditions asked for are in the statement: then the planner sees which index brings the entries in order."""
    parameters: dict[str, object] = {name: wanted for name in EQUALS if (wanted := getattr(query, name)) is not None}
    # A key says the most: beside it, the planner may go by no other column, which an expression prevents.
    end = {name: "" if name == "key" or query.key is None else " || ''" for name in parameters}
    conditions = ["true", *(f"a.{name}{end[name]} = :{name}" for name in parameters)]
    if query.act is not None:
        # No index has it: an index on the kind does, and an expression keeps the planner from hoping for more.
        parameters["act"] = query.act
        conditions.append("a.act || '' = :act")
    if query.since is not None:
        parameters["since"] = query.since
        conditions.append("a.at >= :since")
    if query.until is not None:
        parameters["until"] = query.until
        conditions.append("a.at < :until")
    if query.before is not None:
        parameters["at"], parameters["position"] = query.before
        conditions.append("(a.at, a.position) < (:at, :position)")
    return Filled("list_audit", {"conditions": " AND ".join(conditions)}), parameters | {"limit": query.limit}


async def write_audit(tx: Tx, entry: AuditEntry) -> None:
    """Add an entry, in the transaction of the act it records."""
    await tx.run("append_audit", **entry_values(entry))


async def write_audits(tx: Tx, entries: Sequence[AuditEntry]) -> None:
    """Add the entries of one act on many things."""
    await tx.batch("append_audit", [entry_values(entry) for entry in entries])


def entry_values(entry: AuditEntry) -> dict[str, object]:
    return msgspec.structs.asdict(entry) | {"actor": entry.actor.name, "token": entry.actor.token}


def entry_row(row: Row) -> AuditEntry:
    return AuditEntry(
        at=row["at"],
        actor=Actor(row["actor"], row["token"]),
        namespace=row["namespace"],
        act=row["act"],
        kind=row["kind"],
        key=row["key"],
        details=row["details"],
    )
