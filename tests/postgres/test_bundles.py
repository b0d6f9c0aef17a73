"""Bundles on PostgreSQL: what is in them, when they are undone, and that whole ones go straight into history."""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import asyncpg
import msgspec
import pytest

from mainspring.clock import SystemClock
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.metadata import read_metadata
from mainspring.domain.runs.attempt import Claim, Decision, Ended, Held
from mainspring.domain.runs.run import RunState
from mainspring.errors import StoreUnavailableError
from mainspring.store import open_store
from mainspring.store.postgres.hot.bundles import LEFT, LIFE, PARTED_MAX, SIZE
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, new_run, successes, token
from tests.store.scene import Scene, pairs, set_scene

pytestmark = pytest.mark.postgres

Pair = tuple[RunId, Token]
PLACES = """
SELECT
  (SELECT count(*) FROM mainspring.runs WHERE state = 2),
  (SELECT coalesce(sum(cardinality(held)), 0) FROM mainspring.bundles),
  (SELECT count(*) FROM mainspring.history)
"""


@pytest.fixture
def database() -> str:
    return "postgres"


@pytest.fixture
async def scene(store_url: str) -> AsyncIterator[Scene]:
    opened = await open_store(store_url)
    yield await set_scene(opened)
    await opened.close()


async def bundled(scene: Scene, count: int, slots: list[SessionId] | None = None) -> list[Claim]:
    """New runs, claimed in bundles."""
    await scene.add(count)
    chosen = slots or [scene.session.id] * count
    return await scene.store.runs.claim([scene.line], chosen, token=token(), now=START, bundled=True)


async def places(url: str) -> tuple[int, ...]:
    """How many attempts under way are rows, how many are in bundles, and how many runs are in history."""
    connection = await asyncpg.connect(url)
    try:
        return tuple(await connection.fetchrow(PLACES) or ())
    finally:
        await connection.close()


async def test_a_bundled_claim_leaves_no_rows_behind(scene: Scene, store_url: str) -> None:
    [claim] = await bundled(scene, 250)

    assert len(claim) == 250
    assert await places(store_url) == (0, 250, 0)
    assert (await scene.get(claim.runs[0])).state is RunState.RUNNING
    assert await scene.store.runs.tally(scene.session.id) == {claim.token: 250}


async def test_whole_bundles_go_straight_into_history(scene: Scene, store_url: str) -> None:
    claimed = pairs(await bundled(scene, 250))

    assert await scene.succeed(list(reversed(claimed))) == 250
    assert await places(store_url) == (0, 0, 250)


async def test_what_has_not_ended_stays_in_its_bundle(scene: Scene, store_url: str) -> None:
    claimed = pairs(await bundled(scene, 3 * SIZE))

    assert await scene.succeed(claimed[: 2 * SIZE - 1]) == 2 * SIZE - 1
    assert await places(store_url) == (0, SIZE + 1, 2 * SIZE - 1)
    assert await scene.succeed(claimed[2 * SIZE - 1 :]) == SIZE + 1
    assert await places(store_url) == (0, 0, 3 * SIZE)


async def test_a_bundle_that_ends_in_many_pieces_is_undone(scene: Scene, store_url: str) -> None:
    claimed = pairs(await bundled(scene, SIZE))
    for pair in claimed[:PARTED_MAX]:
        await scene.succeed([pair])
    assert await places(store_url) == (0, SIZE - PARTED_MAX, PARTED_MAX)

    assert await scene.succeed([claimed[PARTED_MAX]]) == 1
    assert await places(store_url) == (SIZE - PARTED_MAX - 1, 0, PARTED_MAX + 1)
    assert await scene.succeed(claimed[PARTED_MAX + 1 :]) == SIZE - PARTED_MAX - 1


async def test_a_failure_leaves_its_bundle_as_it_is(scene: Scene, store_url: str) -> None:
    first, *others = pairs(await bundled(scene, 5))
    another = pairs(await bundled(scene, 5))

    assert await scene.settle([ended(*first)]) == {first[0]: RunState.QUEUED}
    assert await places(store_url) == (0, 9, 0)
    assert await scene.succeed([*others, *another]) == 9
    assert await places(store_url) == (0, 0, 9)


async def test_failures_beside_successes_leave_nothing_of_their_bundle(scene: Scene, store_url: str) -> None:
    claimed = pairs(await bundled(scene, 5))

    assert await scene.succeed(claimed[2:]) == 3
    assert await places(store_url) == (0, 2, 3)
    over = Decision(RunState.FAILED, failures=1)
    assert set((await scene.settle([ended(*pair) for pair in claimed[:2]], over)).values()) == {RunState.FAILED}
    assert await places(store_url) == (0, 0, 5)


async def test_a_failure_out_of_a_bundle_of_many_pieces_undoes_it(scene: Scene, store_url: str) -> None:
    claimed = pairs(await bundled(scene, 6))
    for pair in claimed[: PARTED_MAX + 1]:
        await scene.settle([ended(*pair)])

    assert await places(store_url) == (6 - PARTED_MAX - 1, 0, 0)
    assert await scene.succeed(claimed[PARTED_MAX + 1 :]) == 6 - PARTED_MAX - 1


async def test_an_old_token_takes_nothing_out_of_a_bundle(scene: Scene, store_url: str) -> None:
    [(run, _), *others] = claimed = pairs(await bundled(scene, 3))

    assert await scene.settle([ended(run, token())]) == {}
    assert await places(store_url) == (0, 3, 0)
    assert await scene.succeed([claimed[0], *others]) == 3


async def test_a_failure_that_is_not_written_leaves_the_bundle_whole(scene: Scene, store_url: str) -> None:
    first, *others = pairs(await bundled(scene, 3))

    def refuse(_held: Held, _ended: Ended) -> Decision:
        raise StoreUnavailableError("gone in the middle")

    with pytest.raises(StoreUnavailableError):
        await scene.store.runs.settle([ended(*first)], refuse, now=START)
    assert await places(store_url) == (0, 3, 0)
    assert await scene.settle([ended(*first)]) == {first[0]: RunState.QUEUED}
    assert await scene.succeed(others) == 2


async def test_a_malformed_bundle_is_named_and_keeps_no_other_one(scene: Scene, store_url: str) -> None:
    await bundled(scene, 3)
    [spoilt] = await bundled(scene, 3)
    connection = await asyncpg.connect(store_url)
    change = "UPDATE mainspring.bundles SET held = array_append(held, NULL) WHERE token = $1"
    await connection.execute(change, UUID(bytes=spoilt.token))
    await connection.close()

    later = START + LEFT + timedelta(seconds=1)
    undone = await scene.store.runs.unbundle(now=later)
    named = [each for one in await scene.store.cluster.violations(now=later) for each in one.examples]

    assert undone == 3
    assert any(each.startswith(f"bundles {UUID(bytes=spoilt.token)}") for each in named)
    assert await scene.store.runs.unbundle(now=later + timedelta(minutes=1)) == 0


async def test_every_bundle_belongs_to_one_session(scene: Scene, store_url: str) -> None:
    other = await scene.add_session()
    slots = [scene.session.id, other] * (SIZE + 10)
    claims = await bundled(scene, len(slots), slots)

    assert sorted(map(len, claims)) == [SIZE + 10] * 2
    for claim in claims:
        assert await scene.succeed(pairs([claim])) == SIZE + 10
    assert await places(store_url) == (0, 0, len(slots))


async def test_a_claim_of_several_bundles_has_every_column_in_one_order(scene: Scene) -> None:
    deadline = START + timedelta(hours=1)
    added = [
        new_run(scene.job.id, scene.line, priority=5 - number // SIZE, input=str(number).encode())
        for number in range(3 * SIZE)
    ]
    added[SIZE + 7] = msgspec.structs.replace(added[SIZE + 7], deadline_at=deadline)
    await scene.store.runs.create(NAMESPACE, added, now=START)
    slots = [scene.session.id] * len(added)
    [claim] = await scene.store.runs.claim([scene.line], slots, token=token(), now=START, bundled=True)

    assert claim.runs == [run.id for run in added]
    assert claim.inputs == [run.input for run in added]
    assert [(at, read_metadata(extra).deadline) for at, extra in enumerate(claim.extras) if extra] == [
        (SIZE + 7, deadline)
    ]
    assert (set(claim.lines), set(claim.jobs), set(claim.attempts)) == ({scene.line}, {scene.job.id}, {1})
    assert (len(claim.lines), len(claim.jobs), len(claim.attempts)) == (len(added),) * 3
    assert claim.reached == START


async def test_sessions_that_are_not_live_get_nothing(scene: Scene) -> None:
    gone = await scene.add_session()
    await scene.store.cluster.close_session(gone, now=START)
    [claim] = await bundled(scene, 4, [gone, scene.session.id] * 2)

    assert (claim.session, len(claim)) == (scene.session.id, 2)


async def test_a_server_that_did_not_make_a_bundle_settles_it_all_the_same(scene: Scene, store_url: str) -> None:
    first, second, third = pairs(await bundled(scene, 3))
    other = await open_store(store_url)
    try:
        assert await other.runs.succeed(successes([first]), now=START) == 1
        assert await scene.succeed([second, third]) == 2
    finally:
        await other.close()
    assert await places(store_url) == (0, 0, 3)


async def test_what_lasts_is_kept_row_by_row(scene: Scene, store_url: str) -> None:
    claimed = pairs(await bundled(scene, 3))

    assert await scene.store.runs.unbundle(now=START + LIFE) == 0
    assert await scene.store.runs.unbundle(now=START + LIFE + timedelta(milliseconds=1)) == 3
    assert await places(store_url) == (3, 0, 0)
    assert await scene.succeed(claimed) == 3


async def test_what_a_dead_server_left_in_bundles_is_found(scene: Scene, store_url: str) -> None:
    other = await open_store(store_url)
    await scene.add(2)
    slots = [scene.session.id] * 2
    await other.runs.claim([scene.line], slots, token=token(), now=START, bundled=True)
    await other.close()

    assert await scene.store.runs.unbundle(now=START + timedelta(minutes=1)) == 2
    assert await places(store_url) == (2, 0, 0)


async def test_bundles_are_done_without_where_they_come_to_nothing(scene: Scene, store_url: str) -> None:
    claims = [await bundled(scene, PARTED_MAX + 2) for _ in range(50)]
    for claim in claims:
        for pair in pairs(claim)[: PARTED_MAX + 1]:
            await scene.succeed([pair])
    await bundled(scene, 2)

    assert await places(store_url) == (52, 0, 50 * (PARTED_MAX + 1))


async def test_a_run_that_asks_what_it_remembers_is_kept_by_itself(scene: Scene, store_url: str) -> None:
    first, *_ = pairs(await bundled(scene, 3))

    assert await scene.store.runs.load_checkpoints([first]) == {first: []}
    assert await places(store_url) == (3, 0, 0)


async def test_a_run_is_settled_by_sql_out_of_its_bundle(scene: Scene, store_url: str) -> None:
    first, *others = pairs(await bundled(scene, 3))
    connection = await asyncpg.connect(store_url)
    try:
        await scene.store.cluster.prepare_history(now=SystemClock().now(), days=1)
        await connection.execute("SELECT mainspring.settle($1, $2)", UUID(bytes=first[0]), UUID(bytes=first[1]))
    finally:
        await connection.close()

    assert await places(store_url) == (2, 0, 1)
    assert await scene.succeed(others) == 2


async def test_who_settles_by_sql_and_was_set_apart_holds_up_nobody(scene: Scene, store_url: str) -> None:
    first, *others = pairs(await bundled(scene, 3))
    await scene.store.runs.load_checkpoints([first])
    await scene.store.cluster.prepare_history(now=SystemClock().now(), days=1)
    connection = await asyncpg.connect(store_url)
    try:
        async with connection.transaction():
            await connection.execute("SELECT mainspring.settle($1, $2)", UUID(bytes=first[0]), UUID(bytes=first[1]))
            assert await scene.succeed(others) == 2
    finally:
        await connection.close()

    assert await places(store_url) == (0, 0, 3)
