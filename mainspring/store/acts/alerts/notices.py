"""Notices: taken by one server at a time, and kept with the answers of their channels."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.alerts.alert import NoticeKind
from mainspring.domain.alerts.notice import MINUTE, SENDING, Notice, NoticeId, NoticeState, Pick, pick
from mainspring.domain.ids import Token
from mainspring.store.acts.alerts.alerts import changing
from mainspring.store.acts.alerts.rows import notice_fields, notice_row
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.alerts.alerts import ChannelHealth, NoticeFilter
from mainspring.store.sql import Filled
from mainspring.store.tx import Acts, Row, Tx, reads, struct_of, writes, writes_once

LOCKED_MAX = 2_000
"""Notices of one channel that are looked at together."""


class NoticeActs(Acts):
    """The contracts are in `store/interface/`."""

    @reads
    async def unsent(self, tx: Tx) -> list[tuple[str, str]]:
        return [(row["namespace"], row["channel"]) for row in await tx.all("channels_unsent")]

    @writes
    async def take(
        self, tx: Tx, namespace: str, channel: str, *, per_minute: int, token: Token, new_id: NoticeId, now: datetime
    ) -> list[Notice]:
        place = {"namespace": namespace, "channel": channel}
        rows = await tx.all("lock_unsent", **place, limit=LOCKED_MAX)
        unsent = tx.aside.read("notices", rows, notice_row, "id")
        if any(one.state is NoticeState.SENDING and one.next_at > now for one in unsent):
            return []
        row = await tx.one("sent_lately", **place, since=now - MINUTE, made_since=now - 120 * MINUTE)
        chosen = pick(unsent, sent_lately=row["sent"] if row else 0, per_minute=per_minute, now=now)
        return await mark_taken(tx, chosen, token, new_id, now)

    @writes_once
    async def settle(self, tx: Tx, notice: Notice, token: Token) -> bool:
        fields = {name: value for name, value in changing(notice).items() if name not in ("alerts", "token")}
        return bool(await tx.run("settle_notice", **fields, was=token))

    @writes
    async def add(self, tx: Tx, notice: Notice, *, entry: AuditEntry | None = None) -> None:
        await tx.run("add_notice", **notice_fields(notice))
        if entry is not None:
            await write_audit(tx, entry)

    @reads
    async def health(self, tx: Tx, *, since: datetime) -> list[ChannelHealth]:
        return [health_row(row) for row in await tx.all("failed_notices", since=since)]

    @reads
    async def waiting(self, tx: Tx) -> dict[tuple[str, str], int]:
        return {(row["namespace"], row["channel"]): row["waiting"] for row in await tx.all("count_waiting")}

    @reads
    async def list(self, tx: Tx, query: NoticeFilter) -> list[Notice]:
        statement, parameters = list_statement(query)
        return await tx.aside.first(
            "notices", query.limit, lambda limit: tx.all(statement, **parameters, limit=limit), notice_row, "id"
        )


async def mark_taken(tx: Tx, chosen: Pick, token: Token, new_id: NoticeId, now: datetime) -> list[Notice]:
    """Give the chosen notices to the server that holds the token, some of them as one digest."""
    taken = [taken_by(one, token, now) for one in chosen.single]
    for one in taken:
        await tx.run("change_notice", **changing(one))
    if not chosen.digest:
        return taken
    digest = digest_of(chosen.digest, new_id, token, now)
    await tx.run("add_notice", **notice_fields(digest))
    for one in chosen.digest:
        merged = msgspec.structs.replace(one, state=NoticeState.MERGED, answer=f"digest {new_id.hex()}", token=None)
        await tx.run("change_notice", **changing(merged))
    return [*taken, digest]


def taken_by(notice: Notice, token: Token, now: datetime) -> Notice:
    return msgspec.structs.replace(notice, state=NoticeState.SENDING, token=token, next_at=now + SENDING)


def digest_of(notices: Sequence[Notice], new_id: NoticeId, token: Token, now: datetime) -> Notice:
    first = notices[0]
    alerts = tuple(dict.fromkeys(each for one in notices for each in one.alerts))
    return Notice(
        id=new_id,
        namespace=first.namespace,
        channel=first.channel,
        kind=NoticeKind.DIGEST,
        group="",
        alerts=alerts,
        state=NoticeState.SENDING,
        tries=max(one.tries for one in notices),
        next_at=now + SENDING,
        made_at=now,
        token=token,
    )


def list_statement(query: NoticeFilter) -> tuple[Filled, dict[str, object]]:
    parameters: dict[str, object] = {"namespace": query.namespace}
    conditions = ["true"]
    for name in ("channel", "state"):
        if (wanted := getattr(query, name)) is not None:
            parameters[name] = wanted
            conditions.append(f"n.{name} = :{name}")
    if query.before is not None:
        parameters["at"], parameters["last"] = query.before
        conditions.append("(n.made_at, n.id) < (:at, :last)")
    return Filled("list_notices", {"conditions": " AND ".join(conditions)}), parameters


def health_row(row: Row) -> ChannelHealth:
    return struct_of(ChannelHealth, row)
