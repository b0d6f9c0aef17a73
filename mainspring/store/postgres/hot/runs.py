"""Live runs and their way into history, on PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

import asyncpg

from mainspring.domain.ids import RunId, SessionId, Token, id_text
from mainspring.domain.limits.lanes import LaneRule
from mainspring.domain.queues.policy import ClaimOrder
from mainspring.domain.runs.attempt import Claim, Ended, GatedClaims, HandedOver, Held, Successes, Verdict
from mainspring.domain.runs.run import Attempt, Run, RunState
from mainspring.store.acts.runs.locks import lock_attempts
from mainspring.store.interface import Decide, RunFilter, RunMatches
from mainspring.store.paging import Effort
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.hot.bundles import (
    LEFT,
    LIFE,
    MALFORMED,
    SIZE,
    UNDONE_MAX,
    Bundle,
    Bundles,
    Sorted,
    named,
)
from mainspring.store.postgres.hot.claim import fill_inputs, inputs_apart, read_bundled, read_claim
from mainspring.store.postgres.hot.create import CreatesRuns
from mainspring.store.postgres.hot.history import PostgresHistory, born, search_from
from mainspring.store.postgres.hot.last_runs import LastRuns
from mainspring.store.postgres.hot.list_runs import Listing
from mainspring.store.postgres.hot.rows import WHOLE, attempt_row, run_row
from mainspring.store.postgres.hot.settle import held_row, write_settlements
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

PART = itemgetter(9, 10)
"""What a bundle is called, and how many runs are in it."""

MANY = 2 * SIZE
"""Attempts from lanes that end together and are followed by bundles."""


class PostgresRuns(CreatesRuns):
    """The contracts are in `store/interface/`."""

    def __init__(self, database: Database, queries: Queries, history: PostgresHistory) -> None:
        super().__init__(database, queries, history)
        self._listing = Listing(database, queries)
        self.bundles = Bundles()
        self.effort = Effort()
        """For one page of a list."""

    async def claim(
        self,
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
        since: Mapping[int, datetime] | None = None,
        bundled: bool = False,
    ) -> list[Claim]:
        begins = [since.get(line) for line in lines] if since else [None] * len(lines)
        wanted = (lines, begins, slots, sorted(set(slots)), token, now)
        if bundled and self.bundles.worthwhile(now):
            rows = await self._database.fetch(self._sql["claim_bundled"], *wanted, SIZE)
            return await self._whole(
                [self._bundled(list(found), token, now) for _, found in groupby(rows, itemgetter(0))]
            )
        rows = await self._database.fetch(self._sql["claim"], *wanted)
        return await self._whole([read_claim(row, token, now) for row in rows])

    async def claim_gated(
        self,
        gates: Sequence[int],
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
        since: Mapping[int, datetime] | None = None,
        order: ClaimOrder | None = None,
        bundled: bool = False,
    ) -> GatedClaims:
        begins = [since.get(line) for line in lines] if since else [None] * len(lines)
        size = SIZE if bundled and self.bundles.worthwhile(now) else 0
        wanted = (gates, lines, begins, slots, sorted(set(slots)), token, now, size)
        if order is None:
            [*rows, last] = await self._database.fetch(self._sql["claim_gated"], *wanted)
        else:
            parts = (order.aged, order.aged_until, order.urgent_until)
            [*rows, last] = await self._database.fetch(self._sql["claim_ordered"], *wanted, *parts)
        return GatedClaims(await self._claims(rows, token, now, size), last["o_size"], last["o_reached"])

    async def claim_lanes(
        self,
        gates: Sequence[int],
        rule: LaneRule,
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
        bundled: bool = False,
    ) -> GatedClaims:
        size = SIZE if bundled and self.bundles.worthwhile(now) else 0
        wanted = (gates, rule.gate.id, rule.fair, lines, slots, sorted(set(slots)), token, now, size)
        [*rows, last] = await self._database.fetch(self._sql["claim_lanes"], *wanted)
        return GatedClaims(
            await self._claims(rows, token, now, size), last["o_room"], last["o_reached"], last["o_again"]
        )

    async def hand_over(
        self,
        successes: Successes,
        gates: Sequence[int],
        rule: LaneRule,
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
    ) -> HandedOver:
        """Whole bundles hand their places over without a look at turns; gates, rates and shares want turns."""
        found = self.bundles.sort(successes)
        if found is None:
            # So many at once come from a backlog. As rows they would go on as rows, each settlement by the one before.
            many = len(slots) >= MANY and not rule.sifts and self.bundles.worthwhile(now)
            size = SIZE if many else 0
            wanted = (gates, rule.gate.id, rule.fair, lines, slots, sorted(set(slots)), token, now, size)
            return await self._next_by_turn(successes, wanted, token, now)
        if gates or rule.gate.gap is not None or rule.fair or not found.whole:
            return HandedOver(await self._succeed_sorted(found, successes, now), [])
        whole, others, rest = found.parted(successes)
        moved = await self._succeed_sorted(others, rest, now) if len(rest) else 0
        handed = await self._next_of_bundles(found.whole, whole, (lines, sorted(set(slots)), token, SIZE), now)
        return HandedOver(moved + handed.moved, handed.claims)

    async def _next_by_turn(
        self, successes: Successes, wanted: Sequence[Any], token: Token, now: datetime
    ) -> HandedOver:
        columns = (successes.runs, successes.tokens, successes.results, successes.waits, successes.durations)

        async def move() -> list[asyncpg.Record]:
            return await self._database.fetch(self._sql["succeed_and_claim"], *columns, *wanted)

        [*rows, last] = await self._history.with_partitions(move, now=now)
        return HandedOver(last["o_size"], await self._claims(rows, token, now, wanted[-1]))

    async def _next_of_bundles(
        self, bundles: list[Bundle], successes: Successes, wanted: Sequence[Any], now: datetime
    ) -> HandedOver:
        columns = (successes.runs, successes.results, successes.waits, successes.durations, now)
        places = (*named(bundles), len(successes))

        async def move() -> list[asyncpg.Record]:
            return await self._database.fetch(self._sql["hand_over"], *columns, *places, *wanted)

        [*rows, last] = await self._history.with_partitions(move, now=now)
        self.bundles.over(Sorted([], bundles, [], []), now)
        if last["o_size"] is None:
            return HandedOver(await self.succeed(successes, now=now), [])
        return HandedOver(last["o_size"], await self._claims(rows, wanted[2], now, SIZE))

    async def _claims(self, rows: Sequence[asyncpg.Record], token: Token, now: datetime, size: int) -> list[Claim]:
        """Rows of a claim, which may have several for a session, as one claim for each session.

        Two would have the same name for the executor, which takes the second for a repeat of the first.
        """
        found = [list(part) for _, part in groupby(sorted(rows, key=itemgetter(0)), itemgetter(0))]
        read = self._bundled if size else read_bundled
        return await self._whole([read(part, token, now) for part in found])

    async def _whole(self, claims: list[Claim]) -> list[Claim]:
        """The same with the inputs that are kept apart."""
        # These cannot go before their runs have ended.
        if apart := inputs_apart(claims):
            rows = await self._database.fetch(self._sql["claimed_payloads"], apart, apart[0], apart[-1])
            fill_inputs(claims, {row["run"]: row["input"] for row in rows})
        return claims

    def _bundled(self, rows: Sequence[asyncpg.Record], token: Token, now: datetime) -> Claim:
        claim = read_bundled(rows, token, now)
        self.bundles.add(claim.token, claim.runs, map(PART, rows), now)
        return claim

    async def unclaim(self, sessions: Sequence[SessionId], *, token: Token) -> int:
        await self._database.fetchval(self._sql["unbundle_under"], [token])
        return int(await self._database.fetchval(self._sql["unclaim"], sessions, token))

    async def next_due(self, lines: Sequence[int], *, after: datetime) -> datetime | None:
        due: datetime | None = await self._database.fetchval(self._sql["next_due"], lines, after)
        return due

    async def succeed(self, successes: Successes, *, now: datetime) -> int:
        async def move() -> int:
            found = self.bundles.sort(successes)
            if found is None:
                return int(await self._succeed(successes.tokens, successes, now))
            return await self._succeed_sorted(found, successes, now)

        return await self._history.with_partitions(move, now=now)

    async def _succeed_sorted(self, found: Sorted, successes: Successes, now: datetime) -> int:
        """Move those that are in bundles with the others; as rows if they are not as thought."""
        torn = named([bundle for bundle, _ in found.torn])
        bundles = (*named(found.whole), *torn, found.bundled, found.left, *named(found.undone))
        moved: int | None = await self._succeed(found.tokens(successes), successes, now, *bundles)
        if moved is None:
            self.bundles.astray(found)
            return int(await self._succeed(successes.tokens, successes, now))
        self.bundles.over(found, now)
        return moved

    async def _succeed(
        self, tokens: Sequence[Token | None], successes: Successes, now: datetime, *bundles: object
    ) -> Any:
        columns = (successes.runs, tokens, successes.results, successes.waits, successes.durations)
        return await self._database.fetchval(
            self._sql["succeed_bundled" if bundles else "succeed"], *columns, now, *bundles
        )

    async def unbundle(self, *, now: datetime) -> int:
        self.bundles.expire(now)
        if not self.bundles.look_due(now):
            return 0
        undone = int(await self._database.fetchval(self._sql["unbundle_old"], now - LIFE, UNDONE_MAX))
        if undone:
            self.bundles.look_again()
        for row in await self._database.fetch(self._sql["left_bundles"], now - LEFT, UNDONE_MAX):
            self._sql.aside.pass_over("bundles", f"{id_text(row['token'])} {row['part']}", MALFORMED, now)
        return undone

    async def settle(self, ended: Sequence[Ended], decide: Decide, *, now: datetime) -> dict[RunId, RunState]:
        pairs = [(end.run, end.token) for end in ended]
        taken = self.bundles.take(pairs)

        async def work(connection: "asyncpg.Connection[Any]") -> dict[RunId, RunState]:
            # Before any row is locked, as everywhere.
            if taken.runs:
                await connection.fetchval(self._sql["take_out"], *named(taken.bundles), taken.runs)
            rows = await lock_attempts(PostgresTx(connection, self._sql), "hold", pairs)
            return await write_settlements(connection, self._sql, rows, ended, decide, now)

        states = await self._history.with_partitions(lambda: self._database.transaction(work), now=now)
        self.bundles.taken(taken, now)
        return states

    async def verdicts(self, pairs: Sequence[tuple[RunId, Token]]) -> dict[RunId, Verdict]:
        if not pairs:
            return {}
        runs = [run for run, _ in pairs]
        rows = await self._database.fetch(self._sql["applied"], runs, search_from(min(runs)))
        known = {(row["id"], row["token"]) for row in rows}
        return {pair[0]: Verdict.DUPLICATE if pair in known else Verdict.STALE for pair in pairs}

    async def held_by(self, session: SessionId, *, claimed_before: datetime, limit: int) -> list[Held]:
        rows = await self._database.fetch(self._sql["held_by"], session, claimed_before, limit)
        return [held_row(row) for row in rows]

    async def tally(self, session: SessionId) -> dict[Token, int]:
        rows = await self._database.fetch(self._sql["tally"], session)
        return {row["token"]: row["held"] for row in rows}

    async def held_under(self, session: SessionId, tokens: Sequence[Token]) -> list[Held]:
        rows = await self._database.fetch(self._sql["held_under"], session, tokens)
        return [held_row(row) for row in rows]

    async def many(self, namespace: str, runs: Sequence[RunId]) -> list[Run]:
        rows = await self._database.fetch(self._sql["show"], namespace, runs, [born(run) for run in runs], -1)
        return [run_row(row) for row in rows]

    async def get(self, namespace: str, run: RunId) -> Run | None:
        rows = await self._database.fetch(self._sql["show"], namespace, [run], [born(run)], WHOLE)
        return run_row(rows[0]) if rows else None

    async def attempts(self, run: RunId) -> list[Attempt]:
        rows = await self._database.fetch(self._sql["attempts"], run, search_from(run))
        return self._sql.aside.read("attempts", rows, attempt_row, "number")

    async def states(self, runs: Sequence[RunId]) -> dict[RunId, RunState]:
        if not runs:
            return {}
        rows = await self._database.fetch(self._sql["states"], runs, search_from(min(runs)))
        return {row["id"]: RunState(row["state"]) for row in rows}

    async def last_of(self, namespace: str, jobs: Sequence[str], *, limit: int) -> Sequence[Sequence[Run]]:
        return await self._listing.look(lambda c: LastRuns(c, self._sql, self.effort, limit).of(namespace, jobs))

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: RunFilter) -> RunMatches:
        return await self._listing.page(query, self.effort)
