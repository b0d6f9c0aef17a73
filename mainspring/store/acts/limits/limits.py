"""Limits that operators set, the gates that lines lead through, and places in line."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.ids import RunId
from mainspring.domain.limits.explain import LinePlace
from mainspring.domain.limits.gates import Gate, GateState, LimitRule, Scope, gate
from mainspring.domain.limits.policy import Rate
from mainspring.store.acts.audit import write_audit
from mainspring.store.tx import Acts, Row, Tx, reads, writes

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class LimitActs(Acts):
    """The contracts are in `store/interface/`."""

    @reads
    async def rules(self, tx: Tx) -> list[LimitRule]:
        return tx.aside.read("limits", await tx.all("limit_rules"), rule_row, "namespace", "scope", "name", whole=True)

    @writes
    async def set_rule(self, tx: Tx, rule: LimitRule, *, entry: AuditEntry) -> LimitRule:
        row = await tx.one(
            "set_limit_rule",
            namespace=rule.namespace,
            scope=rule.scope.value,
            name=rule.name,
            at_once=rule.at_once,
            rate=None if rule.rate is None else rule.rate.of,
            burst=None if rule.rate is None else rule.rate.burst,
            key=list(rule.key),
            now=entry.at,
        )
        assert row is not None
        made = rule_row(row)
        await put_gates(
            tx, [gate(made.namespace, made.scope, made.name, made.at_once, made.rate, made.revision)], new=False
        )
        await write_audit(tx, entry)
        return made

    @writes
    async def delete_rule(self, tx: Tx, namespace: str, scope: Scope, name: str, *, entry: AuditEntry) -> bool:
        row = await tx.one("delete_limit_rule", namespace=namespace, scope=scope.value, name=name)
        if row is None:
            return False
        await put_gates(tx, [gate(namespace, scope, name, None, None, row["revision"] + 1)], new=False)
        await write_audit(tx, entry)
        return True

    @writes
    async def set_gates(self, tx: Tx, gates: Sequence[Gate], lines: Mapping[int, Sequence[int]]) -> bool:
        changed = await put_gates(tx, gates, new=True)
        pairs = [{"line": line, "gate": each} for line, ids in sorted(lines.items()) for each in ids]
        if lines:
            changed += await tx.run(
                "leave_gates", lines=list(lines), pairs=[f"{one['line']}:{one['gate']}" for one in pairs]
            )
        if pairs:
            changed += await tx.run("lead_through", rows=pairs)
        return changed > 0

    @writes
    async def recount(self, tx: Tx, gates: Sequence[int], *, now: datetime) -> int:
        await tx.all("lock_gates", gates=list(gates))
        row = await tx.one("recount_gates", gates=list(gates), now=now)
        return 0 if row is None else int(row["wrong"])

    @reads
    async def gate_lines(self, tx: Tx) -> dict[int, tuple[int, ...]]:
        found: dict[int, list[int]] = defaultdict(list)
        for row in await tx.all("all_gate_lines"):
            found[row["line"]].append(row["gate"])
        return {line: tuple(sorted(gates)) for line, gates in found.items()}

    @reads
    async def gate_states(self, tx: Tx, gates: Sequence[int], *, now: datetime) -> list[GateState]:
        return [state_row(row, now) for row in await tx.all("gate_states", gates=list(gates))]

    @reads
    async def holders(self, tx: Tx, lines: Sequence[int], *, limit: int) -> list[RunId]:
        return [RunId(row["id"]) for row in await tx.all("line_holders", lines=list(lines), limit=limit)]

    @reads
    async def place(self, tx: Tx, run: RunId, *, now: datetime, limit: int) -> LinePlace | None:
        row = await tx.one("place_of_run", run=run, now=now, limit=limit)
        return None if row is None else LinePlace(line=row["line"], ahead=row["ahead"])


async def put_gates(tx: Tx, gates: Sequence[Gate], *, new: bool) -> int:
    """Write the numbers of gates, unless newer ones are there; only of those that are there, unless `new`."""
    changed = 0
    for each in sorted(gates, key=lambda one: one.id):
        parameters = {
            "id": each.id,
            "namespace": each.namespace,
            "scope": each.scope.value,
            "name": each.name,
            "at_once": each.at_once,
            "gap": each.gap,
            "burst": each.burst,
            "revision": each.revision,
        }
        changed += await tx.run("add_gate" if new else "renew_gate", **parameters)
    return changed


def rule_row(row: Row) -> LimitRule:
    return LimitRule(
        namespace=row["namespace"],
        scope=Scope(row["scope"]),
        name=row["name"],
        at_once=row["at_once"],
        rate=None if row["rate"] is None else Rate(row["rate"], burst=row["burst"]),
        key=tuple(row["keys"]),
        revision=row["revision"],
        updated_at=row["updated_at"],
    )


def state_row(row: Row, now: datetime) -> GateState:
    opens_at = None if row["opens"] is None else EPOCH + timedelta(microseconds=int(row["opens"]))
    return GateState(
        id=row["id"],
        at_once=row["at_once"],
        held=max(0, row["held"]),
        opens_at=opens_at if opens_at is not None and opens_at > now else None,
    )
