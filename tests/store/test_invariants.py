"""Every invariant holds of a store that lived an ordinary life, and each is told when a test breaks it by hand."""

from datetime import datetime, timedelta
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.batches.batch import BatchSpec, new_flow, write_batch
from mainspring.domain.bulk.backfill import Backfill, BackfillId, backfill_entry
from mainspring.domain.bulk.operation import Sweep, SweepAct, SweepFilter, SweepId, sweep_entry
from mainspring.domain.cluster.invariants import GRACE, INVARIANTS
from mainspring.domain.runs.attempt import Decision
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.spec import Every, TriggerSpec
from mainspring.domain.triggers.trigger import TriggerMove
from mainspring.domain.waits.own import own_graph
from mainspring.store.interface import NewBatch, Store
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, new_run, run_ids
from tests.store.scene import Scene, set_scene
from tests.store.trigger_samples import add, fire, fired, trigger
from tests.words import DAY

LATER = START + 2 * GRACE

BROKEN: dict[str, tuple[str, str]] = {
    "readable": (r"UPDATE mainspring.jobs SET spec = '\x7b'", "UPDATE jobs SET spec = x'7b'"),
    "years": (
        "UPDATE mainspring.runs SET due_at = '20000-01-01' WHERE state = 1",
        "UPDATE runs SET due_at = 1000000000000000000 WHERE state = 1",
    ),
    "live_state": ("UPDATE mainspring.runs SET state = 4 WHERE state = 1", "UPDATE runs SET state = 4 WHERE state = 1"),
    "bookings": (
        """
        UPDATE mainspring.jobs SET updated_at = '2000-01-01', spec = convert_to(
          (convert_from(spec, 'UTF8')::jsonb || '{"policy": {"uses": {"gpu": 1}}}')::text, 'UTF8'
        )
        """,
        """
        UPDATE jobs SET updated_at = 0, spec = CAST(
          json_set(CAST(spec AS TEXT), '$.policy', json('{{"uses": {{"gpu": 1}}}}')) AS BLOB
        )
        """,
    ),
    "past_state": ("UPDATE mainspring.history SET state = 2", "UPDATE history_{day} SET state = 2"),
    "one_place": (
        "UPDATE mainspring.history SET id = (SELECT id FROM mainspring.runs WHERE state = 1 LIMIT 1) WHERE state = 3",
        "UPDATE history_{day} SET id = (SELECT id FROM runs WHERE state = 1 LIMIT 1) WHERE state = 3",
    ),
    "owner": (
        "UPDATE mainspring.runs SET token = gen_random_uuid() WHERE state = 1",
        "UPDATE runs SET token = randomblob(16) WHERE state = 1",
    ),
    "owner_known": (
        """
        UPDATE mainspring.runs SET session = gen_random_uuid() WHERE state = 2;
        UPDATE mainspring.bundles SET session = gen_random_uuid()
        """,
        "UPDATE runs SET session = randomblob(16) WHERE state = 2",
    ),
    "owner_open": (
        "UPDATE mainspring.sessions SET state = 2, reclaimed = true, closed_at = lease_until",
        "UPDATE sessions SET state = 2, reclaimed = 1, closed_at = lease_until",
    ),
    "reclaimed": (
        "UPDATE mainspring.sessions SET state = 2, closed_at = opened_at",
        "UPDATE sessions SET state = 2, closed_at = opened_at",
    ),
    "leases": (
        "UPDATE mainspring.sessions SET lease_until = opened_at",
        "UPDATE sessions SET lease_until = opened_at",
    ),
    "deadlines": (
        "UPDATE mainspring.runs SET deadline_at = created_at WHERE state = 1",
        "UPDATE runs SET deadline_at = created_at WHERE state = 1",
    ),
    "hold": (
        "UPDATE mainspring.runs SET state = 0, reason = 'gone fishing' WHERE state = 1",
        "UPDATE runs SET state = 0, reason = 'gone fishing' WHERE state = 1",
    ),
    "flows": (
        "UPDATE mainspring.runs SET state = 0, reason = 'steps' WHERE state = 1",
        "UPDATE runs SET state = 0, reason = 'steps' WHERE state = 1",
    ),
    "steps": (
        "INSERT INTO mainspring.steps SELECT gen_random_uuid(), 0, -1, id FROM mainspring.runs WHERE state = 1",
        "INSERT INTO steps SELECT randomblob(16), 0, -1, id FROM runs WHERE state = 1",
    ),
    "moving": (
        """
        INSERT INTO mainspring.flows (run, job, version, states, began_at, touched_at)
        VALUES (gen_random_uuid(), 1, 1, 'x', '2000-01-01', '2000-01-01')
        """,
        "INSERT INTO flows (run, job, version, states, began_at, touched_at) VALUES (randomblob(16), 1, 1, x'00', 0, 0)",
    ),
    "batches": ("DELETE FROM mainspring.steps", "DELETE FROM steps"),
    "waits": (
        "UPDATE mainspring.runs SET state = 0, reason = 'event' WHERE state = 1",
        "UPDATE runs SET state = 0, reason = 'event' WHERE state = 1",
    ),
    "parked": (
        "UPDATE mainspring.runs SET state = 0, reason = 'breaker' WHERE state = 1",
        "UPDATE runs SET state = 0, reason = 'breaker' WHERE state = 1",
    ),
    "keys": ("UPDATE mainspring.keys SET run = gen_random_uuid()", "UPDATE keys SET run = randomblob(16)"),
    "marks": (
        "UPDATE mainspring.marks SET run = '00000000-0000-7000-8000-000000000001'",
        "UPDATE marks SET run = zeroblob(16)",
    ),
    "payloads": ("DELETE FROM mainspring.payloads", "DELETE FROM payloads"),
    "dead_letters": (
        "UPDATE mainspring.history SET state = 5 WHERE state = 4",
        "UPDATE history_{day} SET state = 5 WHERE state = 4",
    ),
    "fires": ("UPDATE mainspring.fires SET run = gen_random_uuid()", "UPDATE fires SET run = randomblob(16)"),
    "acts": ("UPDATE mainspring.triggers SET act_at = NULL", "UPDATE triggers SET act_at = NULL"),
    "moves": (
        "UPDATE mainspring.triggers SET act_at = created_at, next_due = created_at",
        "UPDATE triggers SET act_at = created_at, next_due = created_at",
    ),
}
"""How each is broken by hand, on PostgreSQL and on SQLite."""


async def live(store: Store) -> None:
    """A run of every kind: failed, succeeded, running, queued with a key, a mark and a payload, of a trigger, and a batch."""
    scene = await set_scene(store)
    await add(scene, trigger(next_due=START, act_at=START))
    await fire(scene, lambda found: again_at(LATER + DAY, fired(found, [START], scene)))
    await scene.settle([ended(*pair) for pair in await scene.started()], Decision(RunState.FAILED, failures=1))
    await scene.succeed(await scene.started())
    await scene.started()
    queued = new_run(scene.job.id, scene.line, key="once", input=b"x" * 2000)
    queued.marks = ("urgent",)
    await store.runs.create(NAMESPACE, [queued], now=START)
    await begin_batch(scene)
    await store.cluster.renew([scene.session.id], lease_until=LATER + GRACE)
    while (rolled := await store.queues.roll_up(until=LATER, span=timedelta(days=1))) and rolled.until < LATER:
        pass


async def begin_batch(scene: Scene) -> None:
    """An open batch of one queued run."""
    definition = write_batch(BatchSpec(name="december"))
    own, run = (new_run(scene.job.id, scene.line) for _ in range(2))
    flow = new_flow(own_graph(definition), "december", 1)
    batch = NewBatch(name="december", run=own, version=scene.job.version, definition=definition, flow=flow)
    by = Operator(namespace=NAMESPACE, actor=SYSTEM, reason="", now=START)
    await scene.store.batches.create(batch, [run], by, now=START)


def again_at(instant: datetime, move: TriggerMove) -> TriggerMove:
    return replace(move, trigger=replace(move.trigger, next_due=instant, act_at=instant))


async def violated(store: Store, *, now: datetime = LATER) -> list[str]:
    return [found.name for found in await store.cluster.violations(now=now)]


async def break_by_hand(store: Store, name: str) -> None:
    for_postgres, for_sqlite = BROKEN[name]
    opened: Any = store
    if isinstance(opened, SqliteStore):
        statement = for_sqlite.format(day=f"{START:%Y%m%d}")
        await opened.connection.write(lambda c: c.execute(statement))
    else:
        connection = await asyncpg.connect(opened._database.dsn, statement_cache_size=0)
        await connection.execute(for_postgres)
        await connection.close()


async def test_all_hold_of_an_ordinary_life(store: Store) -> None:
    await live(store)

    assert await violated(store) == []


@pytest.mark.parametrize("name", BROKEN)
async def test_what_is_broken_by_hand_is_found_and_named(store: Store, name: str) -> None:
    await live(store)
    await break_by_hand(store, name)
    found = {one.name: one for one in await store.cluster.violations(now=LATER)}

    assert name in found
    assert found[name].examples
    assert found[name].says == INVARIANTS[name]


async def test_what_is_still_within_its_grace_is_no_violation(store: Store) -> None:
    await live(store)
    await break_by_hand(store, "deadlines")

    assert await violated(store, now=START + GRACE / 2) == []


async def test_history_without_room_and_counts_that_are_late_are_found(store: Store) -> None:
    await live(store)

    assert await violated(store, now=LATER + timedelta(days=30)) == ["leases", "moves", "roll_up", "days"]


async def test_a_sweep_that_nobody_works_on_is_found(store: Store) -> None:
    await live(store)
    sweep = Sweep(
        id=SweepId(run_ids(1)[0]),
        namespace=NAMESPACE,
        act=SweepAct.RETRY,
        filter=SweepFilter(),
        actor=SYSTEM,
        created_at=START,
        moved_at=START,
    )
    await store.bulk.save(sweep, sweep_entry("sweep.create", sweep, actor=SYSTEM, now=START, reason=""))

    assert await violated(store) == ["sweeps"]


async def test_a_backfill_that_nobody_works_on_is_found(store: Store) -> None:
    await live(store)
    backfill = Backfill(
        id=BackfillId(run_ids(1)[0]),
        namespace=NAMESPACE,
        trigger=1,
        spec=TriggerSpec(name="tick", job="report", when=Every(every=60)),
        anchor=START,
        since=START,
        until=START + timedelta(hours=1),
        actor=SYSTEM,
        place=START,
        expected=60,
        created_at=START,
        moved_at=START,
    )
    entry = backfill_entry("backfill.create", backfill, actor=SYSTEM, now=START, reason="")
    await store.bulk.save(backfill, entry)

    assert await violated(store) == ["backfills"]


def test_each_is_broken_somewhere_here() -> None:
    assert set(INVARIANTS) == {*BROKEN, "roll_up", "days", "sweeps", "backfills"}
