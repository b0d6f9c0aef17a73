"""Claims, on SQLite: rows change in place, under the one writer."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import Any

import msgspec

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.metadata import for_handler
from mainspring.domain.queues.policy import ClaimOrder
from mainspring.domain.runs.attempt import Claim, GatedClaims
from mainspring.domain.runs.run import PRIORITY_MAX
from mainspring.store.sql import Queries
from mainspring.store.sqlite.hot.create import living
from mainspring.store.sqlite.rows import array, batch, cut_ids, instant, instant_or_none, micros

FIRST = -(2**63)
"""Before any instant."""
INPUT_INLINE = 4096
"""Inputs up to this size come with the batch; together the larger ones might not fit into one value."""
MAKER_ONLY = b'{"by":'
"""How an extra begins that says nothing but by whom its run was asked for, which a handler need not know."""


def claim(
    c: sqlite3.Connection, sql: Queries, begins: Mapping[int, int], slots: Sequence[SessionId], token: Token, now: int
) -> list[Claim]:
    live = living(c, sql, set(slots))
    slots = [slot for slot in slots if slot in live]
    columns = due(c, sql, begins, len(slots), now)
    runs = columns[0]
    taken = slots[: len(runs)]
    c.execute(sql.claim, batch(runs, sessions=b"".join(taken), token=token, now=now))
    claims = by_session(taken, token, columns)
    return claims if not runs or len(runs) < len(slots) else reaching(c, sql, claims, runs[-1])


def claim_gated(
    c: sqlite3.Connection,
    sql: Queries,
    gates: Sequence[int],
    begins: Mapping[int, int],
    slots: Sequence[SessionId],
    token: Token,
    now: int,
    order: ClaimOrder | None = None,
) -> GatedClaims:
    """Counts the attempts under way itself: there is one writer, so none is added meanwhile."""
    parameters = {"gates": array(gates), "now": now}
    found, room = c.execute(sql.gate_room, parameters).fetchone() if gates else (0, len(slots))
    left = 0 if found < len(gates) else max(0, min(len(slots), room))
    claims: list[Claim] = []
    if left and order is None:
        claims = claim(c, sql, begins, slots[:left], token, now)
    elif left and order is not None:
        claims = claim_ordered(c, sql, begins, slots[:left], token, now, order)
    if taken := sum(map(len, claims)):
        c.execute(sql.pass_gates, {**parameters, "taken": taken})
    (opens,) = c.execute(sql.gates_open, parameters).fetchone()
    return GatedClaims(claims, left, instant(opens) if opens is not None and opens > now else None)


def claim_ordered(
    c: sqlite3.Connection,
    sql: Queries,
    begins: Mapping[int, int],
    slots: Sequence[SessionId],
    token: Token,
    now: int,
    order: ClaimOrder,
) -> list[Claim]:
    live = living(c, sql, set(slots))
    slots = [slot for slot in slots if slot in live]
    runs = list(in_order(c, sql, begins, len(slots), now, order))
    if not runs:
        return []
    taken = slots[: len(runs)]
    c.execute(sql.claim, batch(runs, sessions=b"".join(taken), token=token, now=now))
    return by_session(taken, token, columns_of(c, sql, runs, now))


def in_order(
    c: sqlite3.Connection, sql: Queries, begins: Mapping[int, int], most: int, now: int, order: ClaimOrder
) -> Iterator[RunId]:
    """Old runs, whatever their priority, for as many slots as those get; then by priority, urgent runs first."""
    places = [(priority, line) for priority in range(PRIORITY_MAX, -1, -1) for line in begins]
    taken: set[RunId] = set()
    if order.aged and order.aged_until is not None:
        until = {"until": micros(order.aged_until), "now": now, "limit": min(order.aged, most)}
        probes = [c.execute(sql.due_aged, {"line": line, "priority": level, **until}) for level, line in places]
        old = sorted((due, run) for probe in probes for run, due in probe)[: min(order.aged, most)]
        taken.update(run for _, run in old)
        yield from (run for _, run in old)
    urgent = now if order.urgent_until is None else micros(order.urgent_until)
    for level in range(PRIORITY_MAX, -1, -1):
        if len(taken) >= most:
            return
        limits = {"priority": level, "now": now, "urgent": urgent, "limit": most}
        hurried = [
            (deadline, run) for line in begins for run, deadline in c.execute(sql.due_urgent, {**limits, "line": line})
        ]
        others = (
            run
            for line, since in begins.items()
            for (run,) in c.execute(sql.due_plain, {**limits, "line": line, "since": since})
        )
        found = (run for run in chain((run for _, run in sorted(hurried)), others) if run not in taken)
        chosen = list(islice(found, most - len(taken)))
        taken.update(chosen)
        yield from chosen


def reaching(c: sqlite3.Connection, sql: Queries, claims: list[Claim], last: RunId) -> list[Claim]:
    """Say where the claim ended, on the part that has its last run."""
    reached = instant(c.execute(sql.due_of, {"id": last}).fetchone()[0])
    return [msgspec.structs.replace(one, reached=reached) if one.runs[-1] == last else one for one in claims]


def due(c: sqlite3.Connection, sql: Queries, begins: Mapping[int, int], limit: int, now: int) -> list[list[Any]]:
    """The most urgent due runs, column by column: ids, lines, jobs, attempts, inputs, and extras if there are any."""
    lines = msgspec.json.encode(list(begins.items())).decode()
    parameters = {"lines": lines, "slots": limit, "now": now, "input_inline": INPUT_INLINE}
    ids, *numbers, telling, inputs = c.execute(sql.due, {**parameters, "maker_only": MAKER_ONLY}).fetchone()
    runs = cut_ids(ids)
    parts = [] if inputs is None else inputs.split(",")
    columns: list[list[Any]] = [
        runs,
        *(msgspec.json.decode(column, type=list[int]) for column in numbers),
        [input_of(c, sql, run, part) for run, part in zip(runs, parts, strict=True)],
    ]
    return [*columns, extras_of(c, sql, runs, instant(now))] if telling else columns


def columns_of(c: sqlite3.Connection, sql: Queries, runs: Sequence[RunId], now: int) -> list[list[Any]]:
    """Ids, lines, jobs, attempts, inputs, and extras if there are any, of runs that were just started."""
    parameters = batch(runs, maker_only=MAKER_ONLY, input_inline=INPUT_INLINE)
    *numbers, telling, inputs = c.execute(sql.taken, parameters).fetchone()
    columns: list[list[Any]] = [
        list(runs),
        *(msgspec.json.decode(column, type=list[int]) for column in numbers),
        [input_of(c, sql, run, part) for run, part in zip(runs, inputs.split(","), strict=True)],
    ]
    return [*columns, extras_of(c, sql, runs, instant(now))] if telling else columns


def extras_of(c: sqlite3.Connection, sql: Queries, runs: Sequence[RunId], now: datetime) -> list[bytes | None]:
    """The metadata that the handlers of these runs see besides their input."""
    deadlines, digits = map(msgspec.json.decode, c.execute(sql.extras, batch(runs)).fetchone())
    extras = [bytes.fromhex(each) or None for each in digits]
    return [
        for_handler(None if extra and extra.startswith(MAKER_ONLY) else extra, instant_or_none(deadline), now)
        for extra, deadline in zip(extras, deadlines, strict=True)
    ]


def input_of(c: sqlite3.Connection, sql: Queries, run: RunId, part: str) -> bytes:
    if part != "-":
        return bytes.fromhex(part)
    large: bytes = c.execute(sql.input, {"id": run}).fetchone()[0]
    return large


def by_session(slots: Sequence[SessionId], token: Token, columns: list[list[Any]]) -> list[Claim]:
    """Hand out the rows by position; each session's keep their order."""
    rows: dict[SessionId, list[tuple[Any, ...]]] = {slot: [] for slot in slots}
    for slot, row in zip(slots, zip(*columns, strict=True), strict=True):
        rows[slot].append(row)
    parts: dict[SessionId, list[Any]] = {slot: list(map(list, zip(*mine, strict=True))) for slot, mine in rows.items()}
    return [Claim(slot, token, *part) for slot, part in parts.items()]
