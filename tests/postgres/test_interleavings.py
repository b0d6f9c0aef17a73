"""Whatever meets whatever in the database, and in whichever order: the invariants hold."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from proof.interleavings import births, bundles, claims, endings, fills, fires, suspensions
from proof.interleavings.case import Case, explore
from proof.interleavings.leftovers import check_leftovers
from proof.interleavings.limits import breakers, gates, hand_overs, lanes, parking
from proof.interleavings.stage import Stage, open_stage
from proof.interleavings.workflows import batches, changes, decisions, handlers, waits
from proof.interleavings.workflows import cases as workflows
from tests.support.postgres import Postgres

pytestmark = [pytest.mark.postgres, pytest.mark.asyncio(loop_scope="module")]

CASES = [*claims.CASES, *endings.CASES, *births.CASES, *fires.CASES, *fills.CASES, *suspensions.CASES, *bundles.CASES]
CASES += [
    *workflows.CASES,
    *decisions.CASES,
    *changes.CASES,
    *handlers.CASES,
    *batches.CASES,
    *waits.CASES,
    *gates.CASES,
    *lanes.CASES,
    *hand_overs.CASES,
    *parking.CASES,
    *breakers.CASES,
]


PLAYS_MAX = 40
"""A server reads all jobs and lines, so that each play costs what all before it left: a new database costs less."""


class Theatre:
    """Where cases are played: every play has runs, sessions and a line of its own, so that many share a stage."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._open: AsyncExitStack | None = None
        self._stage: Stage | None = None

    async def stage(self) -> Stage:
        if self._stage is None or self._stage.plays >= PLAYS_MAX:
            await self.close()
            self._open = AsyncExitStack()
            url = await self._postgres.create_migrated()
            self._open.push_async_callback(self._postgres.drop_database, url)
            self._stage = await self._open.enter_async_context(open_stage(url))
        return self._stage

    async def close(self) -> None:
        if self._open is not None:
            await self._open.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre(postgres: Postgres) -> AsyncIterator[Theatre]:
    opened = Theatre(postgres)
    yield opened
    await opened.close()


@pytest_asyncio.fixture(loop_scope="module")
async def stage(theatre: Theatre) -> Stage:
    return await theatre.stage()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_invariants_hold_in_every_order(stage: Stage, case: Case) -> None:
    assert await explore(stage, case) > 1


async def test_a_failed_transaction_leaves_nothing_on_its_connection(stage: Stage) -> None:
    await check_leftovers(stage)
