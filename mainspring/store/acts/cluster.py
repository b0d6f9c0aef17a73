"""Executor sessions and servers."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.cluster.server import Server, ServerState, server_entry
from mainspring.domain.cluster.session import Abilities, Opened, Session, SessionLoad, SessionState
from mainspring.domain.ids import ServerId, SessionId
from mainspring.errors import NotFoundError
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.upkeep import UpkeepActs
from mainspring.store.interface.cluster import NO_LOADS, NO_SPECS
from mainspring.store.loads import stuck_pools
from mainspring.store.tx import Acts, Row, Transactions, Tx, reads, writes, writes_once

SERVER_MEMORY = timedelta(hours=1)


class ClusterActs(Acts):
    """The contracts are in `store/interface/`."""

    def __init__(self, transactions: Transactions, upkeep: UpkeepActs) -> None:
        super().__init__(transactions)
        # Leases have connections of their own, which the upkeep must not take.
        self.prepare_history = upkeep.prepare_history
        self.prune = upkeep.prune
        self.forget_payloads = upkeep.forget_payloads
        self.violations = upkeep.violations
        self.watch = upkeep.watch
        self.facts = upkeep.facts
        self.usage = upkeep.usage

    @writes_once
    async def open_session(
        self, tx: Tx, session: Session, *, specs: Mapping[str, str] = NO_SPECS, now: datetime
    ) -> Opened | None:
        row = await tx.one(
            "open_session",
            id=session.id,
            namespace=session.namespace,
            executor=session.executor,
            server=session.server,
            state=int(session.state),
            lease_until=session.lease_until,
            now=now,
            abilities=msgspec.json.encode(session.abilities),
            specs=msgspec.json.encode(specs).decode(),
            seal=session.seal,
        )
        return None if row is None else Opened(SessionState(row["state"]), row["opened_at"])

    @reads
    async def kin(self, tx: Tx, session: SessionId) -> list[SessionId]:
        return [row["id"] for row in await tx.all("kin", id=session)]

    @writes_once
    async def renew(
        self,
        tx: Tx,
        sessions: Sequence[SessionId],
        *,
        lease_until: datetime,
        loads: Mapping[SessionId, SessionLoad] = NO_LOADS,
    ) -> list[SessionId]:
        rows = [{"id": one, "load": load_text(loads.get(one))} for one in sessions]
        return [row["id"] for row in await tx.all("renew", rows=rows, lease_until=lease_until)] if rows else []

    @writes_once
    async def drain_session(self, tx: Tx, session: SessionId) -> None:
        await tx.run("drain_session", id=session)

    @writes_once
    async def resize_session(self, tx: Tx, session: SessionId, abilities: Abilities) -> None:
        await tx.run("resize_session", id=session, abilities=msgspec.json.encode(abilities))

    @writes_once
    async def close_session(self, tx: Tx, session: SessionId, *, now: datetime) -> None:
        await tx.run("close_session", id=session, now=now)

    @reads
    async def sessions(self, tx: Tx) -> list[Session]:
        return tx.aside.read("sessions", await tx.all("sessions"), session_row, "id", whole=True)

    async def expire(self, *, before: datetime, now: datetime) -> list[SessionId]:
        found = await self._ended(before)
        # Mostly every session lives: to learn that takes no transaction.
        if not all(found.values()):
            await self._mark_dead(before, now)
            found = await self._ended(before)
        return [session for session, dead in found.items() if dead]

    @reads
    async def _ended(self, tx: Tx, before: datetime) -> dict[SessionId, bool]:
        """Sessions that are not at rest and are dead, or are still to be marked so."""
        return {row["id"]: bool(row["dead"]) for row in await tx.all("ended_sessions", before=before)}

    @writes
    async def _mark_dead(self, tx: Tx, before: datetime, now: datetime) -> None:
        lapsed = [row["id"] for row in await tx.all("lapsed", before=before)]
        if lapsed:
            await tx.run("mark_dead", ids=lapsed, now=now)

    @writes_once
    async def mark_reclaimed(self, tx: Tx) -> None:
        await tx.run("mark_reclaimed")

    @writes
    async def join(self, tx: Tx, server: Server, *, now: datetime) -> list[Server]:
        fields = msgspec.structs.asdict(server)
        del fields["state"]
        await tx.run("join", **fields)
        await tx.run("forget_servers", before=now - SERVER_MEMORY)
        return tx.aside.read("servers", await tx.all("servers", now=now), server_row, "id", whole=True)

    @reads
    async def servers(self, tx: Tx, *, now: datetime) -> list[Server]:
        return tx.aside.read("servers", await tx.all("servers", now=now), server_row, "id", whole=True)

    @writes
    async def set_server_state(
        self, tx: Tx, name: str, state: ServerState, *, actor: Actor, reason: str, now: datetime
    ) -> list[Server]:
        found = tx.aside.read("servers", await tx.all("lock_servers", name=name, now=now), server_row, "id")
        if not found:
            raise NotFoundError("server", name, "none of that name is alive")
        if any(one.state is not state for one in found):
            await tx.run("set_server_state", name=name, state=int(state))
            act = "server.drain" if state is ServerState.DRAINING else "server.resume"
            await write_audit(tx, server_entry(found[0], actor, act=act, reason=reason, now=now))
        return [msgspec.structs.replace(one, state=state) for one in found]

    @writes_once
    async def leave(self, tx: Tx, server: ServerId) -> None:
        await tx.run("leave", id=server)


def load_text(load: SessionLoad | None) -> str | None:
    return None if load is None else msgspec.json.encode(load).decode()


def session_row(row: Row) -> Session:
    return Session(
        id=row["id"],
        namespace=row["namespace"],
        executor=row["executor"],
        server=row["server"],
        state=SessionState(row["state"]),
        lease_until=row["lease_until"],
        abilities=msgspec.json.decode(row["abilities"], type=Abilities),
        stuck=stuck_pools(row["load"]),
    )


def server_row(row: Row) -> Server:
    fields = dict(row)
    return Server(**{**fields, "state": ServerState(fields["state"])})
