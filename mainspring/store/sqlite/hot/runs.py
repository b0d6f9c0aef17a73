"""Live runs: how they come to be, and who works on them."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.limits.lanes import LaneRule
from mainspring.domain.queues.policy import ClaimOrder
from mainspring.domain.queues.shed import Relief, Shedding, least_urgent, reduced
from mainspring.domain.runs.attempt import Claim, Ended, GatedClaims, HandedOver, Held, Successes, Verdict
from mainspring.domain.runs.run import Attempt, KeyHolder, NewRun, Run, RunState
from mainspring.errors import OverBudgetError
from mainspring.store.acts.runs.acts import RunActs
from mainspring.store.acts.runs.shed import shed
from mainspring.store.interface import Decide, RunFilter, RunMatches
from mainspring.store.paging import Effort
from mainspring.store.sql import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import DayTables
from mainspring.store.sqlite.hot import list_runs as listing
from mainspring.store.sqlite.hot import settle as settlements
from mainspring.store.sqlite.hot import views
from mainspring.store.sqlite.hot.claim import FIRST, claim, claim_gated
from mainspring.store.sqlite.hot.create import create
from mainspring.store.sqlite.hot.lanes import claim_lanes
from mainspring.store.sqlite.rows import Parameters, array, batch, instant_or_none, micros
from mainspring.store.sqlite.tx import SqliteTransactions, SqliteTx, drive


class SqliteRuns(RunActs):
    """The contracts are in `store/interface/`."""

    def __init__(self, connection: Connection, queries: Queries, days: DayTables) -> None:
        super().__init__(SqliteTransactions(connection, queries, days))
        self._connection = connection
        self._sql = queries
        self._days = days
        self.effort = Effort()
        """For one page of a list."""

    async def create(self, namespace: str, runs: Sequence[NewRun], *, now: datetime) -> dict[RunId, KeyHolder]:
        if not runs:
            return {}
        days = await self._days.since([run.id for run in runs], until=now)
        return await self._connection.write(lambda c: create(c, self._sql, days, namespace, runs, micros(now)))

    async def create_shedding(
        self,
        namespace: str,
        runs: Sequence[NewRun],
        parts: Sequence[Shedding],
        *,
        refusal: OverBudgetError,
        now: datetime,
    ) -> Relief:
        await self._days.at(now)
        days = await self._days.since([run.id for run in runs], until=now)

        def work(c: sqlite3.Connection) -> Relief:
            holders = create(c, self._sql, days, namespace, runs, micros(now))
            tx, fewer = SqliteTx(c, self._sql), reduced(parts, len(holders))
            return Relief(holders, drive(shed(tx, fewer, least_urgent(runs), refusal, now)))

        return await self._connection.write(work)

    async def claim(
        self,
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
        since: Mapping[int, datetime] | None = None,
        bundled: bool = False,  # noqa: ARG002 a claim changes rows in place here, which is cheap
    ) -> list[Claim]:
        if not lines or not slots:
            return []
        begins = {line: micros(since[line]) if since and line in since else FIRST for line in lines}
        return await self._connection.write(lambda c: claim(c, self._sql, begins, slots, token, micros(now)))

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
        bundled: bool = False,  # noqa: ARG002 a claim changes rows in place here, which is cheap
    ) -> GatedClaims:
        begins = {line: micros(since[line]) if since and line in since else FIRST for line in lines}
        return await self._connection.write(
            lambda c: claim_gated(c, self._sql, gates, begins, slots, token, micros(now), order)
        )

    async def claim_lanes(
        self,
        gates: Sequence[int],
        rule: LaneRule,
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
        bundled: bool = False,  # noqa: ARG002 a claim changes rows in place here, which is cheap
    ) -> GatedClaims:
        return await self._connection.write(
            lambda c: claim_lanes(c, self._sql, gates, rule, lines, slots, token, micros(now))
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
        day = await self._days.at(now)

        def work(c: sqlite3.Connection) -> HandedOver:
            moved = settlements.succeed(c, self._sql, day, successes, micros(now))
            if moved < len(successes):
                # An outcome that came before has freed no slot now.
                return HandedOver(moved, [])
            found = claim_lanes(c, self._sql, gates, rule, lines, slots, token, micros(now))
            return HandedOver(moved, found.claims)

        return await self._connection.write(work)

    async def unbundle(self, *, now: datetime) -> int:  # noqa: ARG002 there are none
        return 0

    async def unclaim(self, sessions: Sequence[SessionId], *, token: Token) -> int:
        return await self._connection.write(lambda c: unclaim(c, self._sql, batch(sessions, token=token)))

    async def next_due(self, lines: Sequence[int], *, after: datetime) -> datetime | None:
        parameters = {"lines": array(lines), "after": micros(after)}
        return await self._connection.read(
            lambda c: instant_or_none(c.execute(self._sql.next_due, parameters).fetchone()[0])
        )

    async def held_by(self, session: SessionId, *, claimed_before: datetime, limit: int) -> list[Held]:
        parameters = {"session": session, "before": micros(claimed_before), "limit": limit}
        return await self._connection.read(lambda c: [held(row) for row in c.execute(self._sql.held_by, parameters)])

    async def tally(self, session: SessionId) -> dict[Token, int]:
        return await self._connection.read(lambda c: dict(c.execute(self._sql.tally, {"session": session})))

    async def held_under(self, session: SessionId, tokens: Sequence[Token]) -> list[Held]:
        parameters = {"session": session, "tokens": array([token.hex().upper() for token in tokens])}
        return await self._connection.read(lambda c: [held(row) for row in c.execute(self._sql.held_under, parameters)])

    async def succeed(self, successes: Successes, *, now: datetime) -> int:
        if not successes:
            return 0
        day = await self._days.at(now)
        return await self._connection.write(lambda c: settlements.succeed(c, self._sql, day, successes, micros(now)))

    async def settle(self, ended: Sequence[Ended], decide: Decide, *, now: datetime) -> dict[RunId, RunState]:
        if not ended:
            return {}
        day = await self._days.at(now)
        return await self._connection.write(lambda c: settlements.settle(c, self._sql, day, ended, decide, micros(now)))

    async def verdicts(self, pairs: Sequence[tuple[RunId, Token]]) -> dict[RunId, Verdict]:
        if not pairs:
            return {}
        days = await self._days.since([run for run, _ in pairs])
        return await self._connection.read(lambda c: settlements.verdicts(c, self._sql, days, pairs))

    async def many(self, namespace: str, runs: Sequence[RunId]) -> list[Run]:
        if not runs:
            return []
        days = await self._days.since(runs)
        return await self._connection.read(lambda c: views.show(c, self._sql, days, namespace, runs, size=-1))

    async def get(self, namespace: str, run: RunId) -> Run | None:
        days = await self._days.since([run])
        return await self._connection.read(lambda c: views.get(c, self._sql, days, namespace, run))

    async def attempts(self, run: RunId) -> list[Attempt]:
        if not await self._days.since([run]):
            return []
        return await self._connection.read(lambda c: views.attempts(c, self._sql, run))

    async def states(self, runs: Sequence[RunId]) -> dict[RunId, RunState]:
        if not runs:
            return {}
        days = await self._days.since(runs)
        return await self._connection.read(lambda c: views.states(c, self._sql, days, runs))

    async def last_of(self, namespace: str, jobs: Sequence[str], *, limit: int) -> Sequence[Sequence[Run]]:
        days = await self._days.known()
        queries = [RunFilter(namespace=namespace, job=job, limit=limit) for job in jobs]
        return await self._connection.read(
            lambda c: [listing.page(c, self._sql, days, query, self.effort).runs for query in queries]
        )

    async def list(self, query: RunFilter) -> RunMatches:
        days = await self._days.known()
        return await self._connection.read(lambda c: listing.page(c, self._sql, days, query, self.effort))


def held(row: sqlite3.Row) -> Held:
    run, token, job, attempt, failures, losses = row
    return Held(run=run, token=token, job=job, attempt=attempt, failures=failures, losses=losses)


def unclaim(c: sqlite3.Connection, sql: Queries, parameters: Parameters) -> int:
    c.execute(sql.turn_unclaimed, parameters)
    return c.execute(sql.unclaim, parameters).rowcount
