"""Whatever meets whatever in the database, and in whichever order: the invariants hold."""

from collections.abc import AsyncIterator

import pytest

from proof.interleavings import births, bundles, claims, endings, fills, fires, suspensions
from proof.interleavings.case import Case, explore
from proof.interleavings.leftovers import check_leftovers
from proof.interleavings.limits import breakers, gates, hand_overs, lanes, parking
from proof.interleavings.stage import Stage, open_stage
from proof.interleavings.workflows import batches, waits
from proof.interleavings.workflows import cases as workflows
from tests.support.postgres import Postgres

pytestmark = pytest.mark.postgres

CASES = [*claims.CASES, *endings.CASES, *births.CASES, *fires.CASES, *fills.CASES, *suspensions.CASES, *bundles.CASES]
CASES += [
    *workflows.CASES,
    *batches.CASES,
    *waits.CASES,
    *gates.CASES,
    *lanes.CASES,
    *hand_overs.CASES,
    *parking.CASES,
    *breakers.CASES,
]


@pytest.fixture
async def stage(postgres: Postgres) -> AsyncIterator[Stage]:
    url = await postgres.create_migrated()
    async with open_stage(url) as opened:
        yield opened
    await postgres.drop_database(url)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_invariants_hold_in_every_order(stage: Stage, case: Case) -> None:
    assert await explore(stage, case) > 1


async def test_a_failed_transaction_leaves_nothing_on_its_connection(stage: Stage) -> None:
    await check_leftovers(stage)
