"""Claims from lanes, on SQLite: one writer, so that nothing is locked and every number is counted."""

import math
import sqlite3
from collections.abc import Iterator, Sequence

import msgspec

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.limits.bucket import Bucket
from mainspring.domain.limits.lanes import LaneRule
from mainspring.domain.runs.attempt import Claim, GatedClaims
from mainspring.store.sql import Queries
from mainspring.store.sqlite.hot.claim import by_session, columns_of
from mainspring.store.sqlite.hot.create import living
from mainspring.store.sqlite.rows import array, batch, instant

LOOKS = 4
"""How often a claim looks for more lanes while it has slots left."""
QUANTUM, LANES = 4, 250
"""Runs that a turn is worth, about, where keys take turns by weight; more where a claim would look at more lanes than that."""
SHARE = 1000
"""Virtual time that a run of weight 1 takes."""


class LaneTurn(msgspec.Struct, frozen=True):
    """One lane in its turn."""

    lane: int
    line: int
    turn: int
    priority: int


class LaneClaim:
    """A claim from the lanes of some lines."""

    def __init__(
        self, c: sqlite3.Connection, sql: Queries, rule: LaneRule, lines: Sequence[int], token: Token, now: int
    ) -> None:
        self._c = c
        self._sql = sql
        self._rule = rule
        self._lines = {"lines": array(lines)}
        self._token = token
        self._now = now
        numbers = c.execute(sql.lane_gate, {"gate": rule.gate.id}).fetchone()
        self.known = numbers is not None
        limit, gap, burst, scope = numbers or (None, None, None, "")
        self._limit: int | None = limit
        self._bucket = None if gap is None or burst is None else Bucket(gap, burst)
        self._shared = scope == "limit"

    def take(self, slots: Sequence[SessionId]) -> Iterator[RunId]:
        """Start runs for these slots, lane by lane; what is left of the lanes' turns is put back."""
        self._c.execute(self._sql.open_turns, {**self._lines, "now": self._now})
        left = list(slots)
        for _ in range(LOOKS if self.known else 0):
            wanted = len(left)
            most = -(-wanted // max(QUANTUM, wanted // LANES)) if self._rule.fair else wanted
            looks = [LaneTurn(*row) for row in self._c.execute(self._sql.next_turns, {**self._lines, "limit": most})]
            if not looks:
                return
            lanes = {"lanes": array([look.lane for look in looks])}
            self._c.execute(self._sql.drop_turns, {**self._lines, **lanes})
            weights = dict(self._c.execute(self._sql.lane_weights, lanes).fetchall()) if self._rule.fair else {}
            for look in looks:
                part = weights[look.lane] / sum(weights.values()) if look.lane in weights else 1.0
                runs = self._look_into(look, left[: max(1, math.ceil(wanted * part))])
                left = left[len(runs) :]
                yield from runs

    def _look_into(self, look: LaneTurn, slots: Sequence[SessionId]) -> list[RunId]:
        """Start the runs of one lane that its limit and its rate leave."""
        row = self._c.execute(self._sql.lane_room, {"lane": look.lane}).fetchone()
        if row is None:
            return []
        own, weight, full_at, passed, held = row
        limit = self._limit if own is None else own
        free = None if limit is None else max(0, limit - held)
        tokens = None if self._bucket is None else max(0, self._bucket.tokens(full_at, self._now))
        room = min(number for number in (free, tokens, len(slots)) if number is not None)
        wanted = {**self._lines, "lane": look.lane, "now": self._now, "limit": room}
        runs = [RunId(found[0]) for found in self._c.execute(self._sql.lane_due, wanted)]
        if runs:
            sessions = b"".join(slots[: len(runs)])
            self._c.execute(self._sql.claim_laned, batch(runs, sessions=sessions, token=self._token, now=self._now))
            full_at = full_at if self._bucket is None else self._bucket.taken(full_at, self._now, len(runs))
            passed = look.turn + int(len(runs) * SHARE / weight) if self._rule.fair else passed
            self._c.execute(
                self._sql.use_lane, {"lane": look.lane, "now": self._now, "full_at": full_at, "pass": passed}
            )
        spent = tokens is not None and len(runs) == tokens and (free is None or tokens < free)
        opens = self._bucket.opens_at(full_at) if self._bucket is not None and spent else None
        more = (free is None or len(runs) < free) and len(runs) == room
        self._put_back(look, opens, passed if self._rule.fair and runs else look.turn, more=more)
        return runs

    def _put_back(self, look: LaneTurn, opens: int | None, turn: int, *, more: bool) -> None:
        """Keep the turn of a lane for which more may wait.

        One without a token comes back when it has one; a full one with the end of an attempt, an empty one with its next run.
        """
        put = {"line": look.line, "priority": look.priority, "turn": turn, "lane": look.lane}
        if opens is not None:
            self._c.execute(self._sql.put_turn, {**put, "priority": -1, "turn": opens})
        elif more:
            self._c.execute(self._sql.put_turn, put)
        elif self._shared:
            # A lane that jobs share may have runs in lines that other executors serve.
            other = self._c.execute(self._sql.lane_elsewhere, {**self._lines, "lane": look.lane}).fetchone()
            if other is not None:
                self._c.execute(self._sql.put_turn, {**put, "line": other[0], "turn": self._now})


def claim_lanes(
    c: sqlite3.Connection,
    sql: Queries,
    gates: Sequence[int],
    rule: LaneRule,
    lines: Sequence[int],
    slots: Sequence[SessionId],
    token: Token,
    now: int,
) -> GatedClaims:
    live = living(c, sql, set(slots))
    slots = [slot for slot in slots if slot in live]
    parameters = {"gates": array(gates), "now": now}
    found, room = c.execute(sql.gate_room, parameters).fetchone() if gates else (0, len(slots))
    left = 0 if found < len(gates) else max(0, min(len(slots), room))
    runs = list(LaneClaim(c, sql, rule, lines, token, now).take(slots[:left])) if left else []
    claims: list[Claim] = []
    if runs:
        claims = by_session(slots[: len(runs)], token, columns_of(c, sql, runs, now))
        c.execute(sql.pass_gates, {**parameters, "taken": len(runs)})
    opens = [
        c.execute(sql.next_turn_at, {"lines": array(lines)}).fetchone()[0],
        c.execute(sql.gates_open, parameters).fetchone()[0],
    ]
    ahead = [one for one in opens if one is not None and one > now]
    return GatedClaims(claims, left, instant(min(ahead)) if ahead else None)
