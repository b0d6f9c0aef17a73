"""Runs of steps that wait: for a time, an event or an approval."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.waits.approval import Vote
from mainspring.domain.waits.explain import Awaited
from mainspring.domain.waits.wait import EVENT, About, Wait, match_of, read_places
from mainspring.domain.workflows.flow import SUCCEEDED
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.workflows import DecideVote, OpenApproval, Unlooked
from mainspring.store.tx import Acts, Blob, Row, Tx, reads, writes, writes_history

FORGOTTEN_MAX = 1_000
SHAPE_KEY = ("namespace", "type", "places")
TOLD_KEY = ("namespace", "type", "told_at")
VOTE_KEY = ("run", "actor")
_about = msgspec.json.Decoder(About).decode
_form = msgspec.json.Decoder(dict[str, Any]).decode
_json = msgspec.json.Decoder(msgspec.Raw).decode


class WaitActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes_history
    async def finish(self, tx: Tx, results: Mapping[RunId, bytes], *, now: datetime) -> list[RunId]:
        return await end_waits(tx, results, now)

    @reads
    async def due(self, tx: Tx, *, now: datetime, limit: int) -> list[RunId]:
        return [row["run"] for row in await tx.all("due_waits", now=now, limit=limit)]

    @reads
    async def next_wake(self, tx: Tx) -> datetime | None:
        row = await tx.one("next_wake")
        return None if row is None else row["wake_at"]

    @writes
    async def tell(self, tx: Tx, namespace: str, events: Sequence[tuple[str, bytes]], *, now: datetime) -> None:
        rows = [{"namespace": namespace, "type": name, "now": now, "data": data} for name, data in events]
        await tx.batch("tell", rows)

    @reads
    async def waiting_for(self, tx: Tx, namespace: str, type: str, data: bytes, *, limit: int) -> list[RunId]:  # noqa: A002
        found: list[RunId] = []
        rows = await tx.all("shapes_of", namespace=namespace, type=type)
        for match in tx.aside.read("wait_shapes", rows, lambda row: match_of(row["places"], data), *SHAPE_KEY):
            if match is not None:
                waiting = await tx.all("waits_for", namespace=namespace, type=type, match=match, limit=limit)
                found += [one["run"] for one in waiting]
        return list(dict.fromkeys(found))

    @reads
    async def unlooked(self, tx: Tx, *, limit: int) -> list[Unlooked]:
        return await tx.aside.first(
            "waits", limit, lambda reach: tx.all("unlooked_waits", limit=reach), unlooked_row, "run"
        )

    @writes
    async def look_back(self, tx: Tx, wait: Unlooked, *, limit: int) -> bytes | None:
        about = {"namespace": wait.namespace, "type": wait.type, "since": wait.since}
        for row in await tx.all("told_since", limit=limit, **about):
            for data in tx.aside.read("told", [row], told_row, *TOLD_KEY):
                if match_of(wait.places, data) == wait.match:
                    return data
        await tx.run("looked", run=wait.run, looked=True)
        return None

    @writes
    async def forget(self, tx: Tx, *, before: datetime) -> None:
        await tx.run("forget_told", before=before)
        await tx.run("forget_ended_waits", limit=FORGOTTEN_MAX)

    @reads
    async def awaited(self, tx: Tx, run: RunId) -> Awaited | None:
        row = await tx.one("awaited", run=run)
        found = [] if row is None else tx.aside.read("waits", [row], awaited_row, "run")
        return found[0] if found else None

    @reads
    async def approvals(self, tx: Tx, namespace: str, *, after: RunId | None, limit: int) -> list[OpenApproval]:
        wanted: dict[str, object] = {"namespace": namespace, "after": after or bytes(16)}
        found = await tx.aside.first(
            "waits", limit, lambda reach: tx.all("open_approvals", **wanted, limit=reach), approval_row, "run"
        )
        return [OpenApproval(run, about, await readable_votes(tx, run)) for run, about in found]

    @writes_history
    async def vote(
        self, tx: Tx, run: RunId, vote: Vote, decide: DecideVote, by: Operator, *, now: datetime
    ) -> tuple[bool, list[Vote]] | None:
        # The run first: one that its deadline or a cancel ends meanwhile takes no answer any more.
        row = await tx.one("lock_waiting", run=run) and await tx.one("lock_approval", run=run, namespace=by.namespace)
        if row is None:
            return None
        _, about = tx.aside.one("waits", row, approval_row, "run")
        # Without an answer that cannot be read, the number of approvers would be wrong.
        before = [tx.aside.one("votes", one, vote_row, *VOTE_KEY) for one in await tx.all("votes", run=run)]
        votes = [*before, vote]
        result = decide(about, votes)
        given = {"actor": vote.actor, "approved": vote.approved, "form": vote.form, "note": vote.note}
        await tx.run("vote", run=run, now=now, **given)
        await write_audit(tx, by.entry("approval.give" if vote.approved else "approval.refuse", run))
        if result is not None:
            await end_waits(tx, {run: result}, now)
        return result is not None, votes


async def begin_waits(tx: Tx, waits: Sequence[Wait], now: datetime) -> None:
    """Have runs that have just been created, or put back, wait; those of an earlier life are forgotten."""
    for wait in waits:
        rule = wait.rule
        await tx.run("set_aside", run=wait.run, reason=rule.kind, deadline_at=wait.deadline_at, now=now)
        for statement in ("forget_wait", "forget_votes"):
            await tx.run(statement, run=wait.run)
        about = {"namespace": wait.namespace, "type": rule.type, "places": wait.places}
        if rule.kind == EVENT:
            await tx.run("know_shape", **about)
        await tx.run(
            "begin_wait",
            run=wait.run,
            kind=rule.kind,
            match=wait.match,
            since_at=wait.since,
            wake_at=wait.wake_at,
            looked=wait.since is None,
            about=wait.about,
            **about,
        )


async def end_waits(tx: Tx, results: Mapping[RunId, bytes], now: datetime) -> list[RunId]:
    """The one that deletes the row of a wait ends its run; those whose runs had not ended otherwise."""
    # Runs before waits, the order in which waits begin; all of them before the first wait goes.
    live = [run for run in sorted(results) if await tx.one("lock_waiting", run=run)]
    gone = {run for run in sorted(results) if await tx.run("forget_wait", run=run)}
    ended = [run for run in live if run in gone]
    rows = [
        {"run": run, "state": SUCCEEDED, "reason": None, "failures": 0, "result": Blob(results[run])} for run in ended
    ]
    if rows:
        await tx.run("end_workflow_runs", rows=rows, now=now, day=now)
    return ended


async def readable_votes(tx: Tx, run: RunId) -> list[Vote]:
    return tx.aside.read("votes", await tx.all("votes", run=run), vote_row, *VOTE_KEY)


def vote_row(row: Row) -> Vote:
    form = bytes(row["form"])
    _form(form)
    return Vote(actor=row["actor"], at=row["voted_at"], approved=bool(row["approved"]), form=form, note=row["note"])


def approval_row(row: Row) -> tuple[RunId, About]:
    return row["run"], _about(row["about"])


def awaited_row(row: Row) -> Awaited:
    read_places(row["places"])
    return Awaited(type=row["type"], places=tuple(row["places"].splitlines()), wake_at=row["wake_at"])


def told_row(row: Row) -> bytes:
    """The data of an event that was kept: they may become the result of a step, so they have to be JSON."""
    data = bytes(row["data"])
    _json(data)
    return data


def unlooked_row(row: Row) -> Unlooked:
    read_places(row["places"])
    return Unlooked(
        run=row["run"],
        namespace=row["namespace"],
        type=row["type"],
        places=row["places"],
        match=bytes(row["match"]),
        since=row["since_at"],
    )
