"""Sweeps: every run that matches, once, whichever server does the pieces; the canaries first."""

from collections.abc import Sequence
from typing import Any

import pytest

from mainspring.domain.bulk.operation import PIECE, Sweep, SweepAct, SweepFilter, SweepId, SweepPiece, SweepState
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.store.interface import AuditFilter, DeadFilter
from mainspring.wire.messages import Start
from tests.conftest import DATABASES
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA

pytestmark = pytest.mark.parametrize("database", DATABASES)
"""Through a pooler as well: the store's own tests have no sweeps."""


async def kill(scene: Scene, executor: ScriptedExecutor, count: int = 1) -> list[RunId]:
    """Runs whose attempts have all failed."""
    runs = await scene.enqueue(count=count)
    for _ in range(2):
        await scene.dispatch()
        await executor.settled(executor.report_failure(await executor.link.expect(Start), Outcome.FAILED))
        scene.clock.advance(10)
    return runs


async def begin(scene: Scene, act: SweepAct, **chosen: Any) -> Sweep:
    asked: dict[str, Any] = {"everything": True, "chosen": SweepFilter(), **chosen}
    return await scene.scheduler.dead.sweep(NAMESPACE, act, actor=ANNA, reason="fixed", **asked)


async def work(scene: Scene) -> None:
    while await scene.scheduler.dead.working.tick():
        pass


async def look(scene: Scene, sweep: Sweep) -> Sweep:
    return await scene.scheduler.dead.get(NAMESPACE, sweep.id)


async def states(scene: Scene, runs: Sequence[RunId]) -> set[RunState]:
    return set((await scene.store.runs.states(runs)).values())


async def test_all_that_match_are_put_back_in_pieces_and_each_is_audited(scene: Scene) -> None:
    executor = await scene.attach(room=1000)
    # The first claim of a group takes 200, until it is known how large inputs are.
    dead = await kill(scene, executor, PIECE) + await kill(scene, executor, 5)
    sweep = await begin(scene, SweepAct.RETRY)
    await work(scene)

    done = await look(scene, sweep)
    assert (done.state, done.changed, done.passed, done.expected) == (SweepState.DONE, PIECE + 5, 0, PIECE + 5)
    assert await states(scene, dead) == {RunState.QUEUED}
    assert (await scene.store.bulk.dead_letters(DeadFilter(namespace=NAMESPACE))).letters == []
    entries = await scene.store.access.audit(AuditFilter(kind="run", limit=1000))
    assert [(one.act, one.actor) for _, one in entries] == [("run.retry", ANNA)] * (PIECE + 5)
    await scene.dispatch()
    assert len((await executor.link.expect(Start)).runs) > 0


async def test_a_run_that_dies_again_meanwhile_is_not_taken_twice(scene: Scene) -> None:
    executor = await scene.attach()
    await kill(scene, executor, 3)
    sweep = await begin(scene, SweepAct.RETRY)
    scene.clock.advance(1)
    again = await kill(scene, executor)
    await work(scene)

    assert (await look(scene, sweep)).changed == 3
    assert await states(scene, again) == {RunState.FAILED}


async def test_two_servers_never_do_one_piece_twice(scene: Scene) -> None:
    executor = await scene.attach()
    dead = await kill(scene, executor, 2)
    sweep = await begin(scene, SweepAct.RETRY)
    now = scene.clock.now()
    piece = SweepPiece(dead, None)

    first = await scene.store.bulk.step_sweep(sweep, piece, now=now)
    assert first is not None
    assert (sorted(first.changed), first.sweep.state) == (sorted(dead), SweepState.DONE)
    assert await scene.store.bulk.step_sweep(sweep, piece, now=now) is None
    assert await scene.store.bulk.step_sweep(first.sweep, piece, now=now) is None
    assert (await look(scene, sweep)).changed == 2


async def test_another_server_goes_on_where_the_first_one_stopped(scene: Scene) -> None:
    executor = await scene.attach(room=1000)
    dead = await kill(scene, executor, PIECE) + await kill(scene, executor)
    sweep = await begin(scene, SweepAct.DISCARD)
    await scene.scheduler.dead.working.tick()
    assert (await look(scene, sweep)).state is SweepState.RUNNING

    other = Scene(scene.store, scene.clock)
    await other.start()
    await work(other)
    assert (await look(other, sweep)).changed == PIECE + 1
    assert await states(scene, dead) == {RunState.FAILED}


async def test_the_rest_waits_for_the_canaries_and_follows_if_they_succeed(scene: Scene) -> None:
    executor = await scene.attach()
    dead = await kill(scene, executor, 5)
    sweep = await begin(scene, SweepAct.RETRY, canaries=2)
    await work(scene)

    waiting = await look(scene, sweep)
    assert (waiting.state, waiting.changed, waiting.note) == (SweepState.CANARIES, 2, "waits for 2 canaries to end")
    assert sorted(waiting.tried) == sorted(dead)[:2]
    await scene.dispatch()
    start = await executor.link.expect(Start)
    assert sorted(start.runs) == sorted(waiting.tried)
    await executor.settled(executor.report(start))
    await work(scene)
    assert (await look(scene, sweep)).state is SweepState.DONE
    assert await states(scene, dead[2:]) == {RunState.QUEUED}


async def test_a_canary_that_fails_stops_the_sweep_with_the_reason(scene: Scene) -> None:
    executor = await scene.attach()
    dead = await kill(scene, executor, 3)
    sweep = await begin(scene, SweepAct.RETRY, canaries=1)
    await work(scene)
    for _ in range(2):
        await scene.dispatch()
        await executor.settled(executor.report_failure(await executor.link.expect(Start), Outcome.FAILED))
        scene.clock.advance(10)
    await work(scene)

    stopped = await look(scene, sweep)
    canary = id_text(stopped.tried[0])
    assert (stopped.state, stopped.note) == (SweepState.STOPPED, f"canary {canary} has ended failed")
    assert await states(scene, dead) == {RunState.FAILED}


async def test_a_sweep_that_is_held_begins_when_its_time_has_come(scene: Scene) -> None:
    executor = await scene.attach()
    dead = await kill(scene, executor, 2)
    sweep = await begin(scene, SweepAct.RETRY, hold=10)
    await work(scene)
    assert ((await look(scene, sweep)).changed, await states(scene, dead)) == (0, {RunState.FAILED})

    scene.clock.advance(10)
    await work(scene)
    assert ((await look(scene, sweep)).changed, await states(scene, dead)) == (2, {RunState.QUEUED})


async def test_a_sweep_that_is_cancelled_while_it_is_held_has_changed_nothing(scene: Scene) -> None:
    executor = await scene.attach()
    dead = await kill(scene, executor, 2)
    sweep = await begin(scene, SweepAct.RETRY, hold=10)
    await scene.scheduler.dead.cancel(NAMESPACE, sweep.id, actor=ANNA)
    scene.clock.advance(11)
    await work(scene)

    assert ((await look(scene, sweep)).state, await states(scene, dead)) == (SweepState.CANCELLED, {RunState.FAILED})


async def test_a_preview_counts_and_names_some_and_changes_nothing(scene: Scene) -> None:
    executor = await scene.attach(room=1000)
    dead = await kill(scene, executor, 7)
    scene.clock.advance(1)
    found = await scene.scheduler.dead.preview(NAMESPACE, SweepAct.RETRY, SweepFilter(job="report"))
    assert (found.count, found.is_complete, len(found.sample)) == (7, True, 5)
    assert set(found.sample) <= set(dead)

    many = await kill(scene, executor, PIECE)
    scene.clock.advance(1)
    found = await scene.scheduler.dead.preview(NAMESPACE, SweepAct.DISCARD, SweepFilter(job="report"))
    assert (found.count, found.is_complete) == (7 + len(many), True)
    assert await states(scene, [*dead, *many]) == {RunState.FAILED}


async def test_live_runs_that_match_are_cancelled(scene: Scene) -> None:
    await scene.attach(room=0)
    mine = [one.id for one in await scene.accept(*[RunRequest(job="report", tags=("old",)) for _ in range(3)])]
    kept = await scene.enqueue()
    scene.clock.advance(1)
    sweep = await begin(scene, SweepAct.CANCEL, chosen=SweepFilter(tags=("old",)))
    await work(scene)

    assert (await look(scene, sweep)).changed == 3
    assert await states(scene, mine) == {RunState.CANCELLED}
    assert await states(scene, kept) == {RunState.QUEUED}


async def test_what_a_handler_asked_for_is_cancelled_with_its_run_over_generations(scene: Scene) -> None:
    await scene.attach(room=0)
    [root, other] = await scene.enqueue(count=2)
    children = [one.id for one in await scene.accept(*[RunRequest(job="report", parent=root)] * 12)]
    [grandchild] = [one.id for one in await scene.accept(RunRequest(job="report", parent=children[7]))]
    below = [*children, grandchild]
    assert (await scene.run(grandchild)).parent == children[7]

    assert await scene.scheduler.dead.cancel_below(NAMESPACE, root, actor=ANNA) is None
    assert await states(scene, below) == {RunState.CANCELLED}
    assert await states(scene, [root, other]) == {RunState.QUEUED}


async def test_a_large_family_is_cancelled_in_the_background(scene: Scene) -> None:
    await scene.attach(room=0)
    [root] = await scene.enqueue()
    children = [one.id for one in await scene.accept(*[RunRequest(job="report", parent=root)] * 35)]
    sweep = await scene.scheduler.dead.cancel_below(NAMESPACE, root, actor=ANNA, reason="all of it", at_once=10)

    assert sweep is not None
    assert sweep.filter.below == (id_text(root),)
    await work(scene)
    assert await states(scene, children) == {RunState.CANCELLED}
    assert (await look(scene, sweep)).state is SweepState.DONE


async def test_a_sweep_that_is_cancelled_leaves_the_rest_as_it_is(scene: Scene) -> None:
    executor = await scene.attach()
    dead = await kill(scene, executor, 2)
    sweep = await begin(scene, SweepAct.RETRY)
    ended = await scene.scheduler.dead.cancel(NAMESPACE, sweep.id, actor=ANNA, reason="not now")
    await work(scene)

    assert (ended.state, ended.note) == (SweepState.CANCELLED, "cancelled by anna")
    assert await states(scene, dead) == {RunState.FAILED}
    with pytest.raises(ConflictError) as refused:
        await scene.scheduler.dead.cancel(NAMESPACE, sweep.id, actor=ANNA)
    assert refused.value.code == "sweep_over"
    with pytest.raises(NotFoundError):
        await scene.scheduler.dead.get("other", sweep.id)
    entries = await scene.store.access.audit(AuditFilter(kind="sweep"))
    assert [one.act for _, one in entries] == ["sweep.cancel", "sweep.create"]


@pytest.mark.parametrize(
    ("act", "chosen", "code"),
    [
        (SweepAct.RETRY, {"everything": False}, "empty_filter"),
        (SweepAct.DISCARD, {"canaries": 1}, "bad_canaries"),
        (SweepAct.RETRY, {"canaries": 101}, "bad_canaries"),
        (SweepAct.CANCEL, {"chosen": SweepFilter(fingerprint="0" * 16)}, "bad_fingerprint"),
        (SweepAct.RETRY, {"chosen": SweepFilter(states=("queued",))}, "bad_states"),
    ],
)
async def test_what_makes_no_sense_begins_nothing(
    scene: Scene, act: SweepAct, chosen: dict[str, object], code: str
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        await begin(scene, act, **chosen)
    assert refused.value.code == code
    assert await scene.scheduler.dead.list(NAMESPACE, before=None, limit=10) == []


async def test_sweeps_are_listed_newest_first_and_pruned_once_over(scene: Scene) -> None:
    sweeps = [await begin(scene, SweepAct.RETRY) for _ in range(3)]
    newest, *rest = await scene.scheduler.dead.list(NAMESPACE, before=None, limit=10)
    assert [newest.id, *(one.id for one in rest)] == [one.id for one in reversed(sweeps)]
    behind = await scene.scheduler.dead.list(NAMESPACE, before=SweepId(newest.id), limit=1)
    assert [one.id for one in behind] == [sweeps[1].id]

    await scene.scheduler.dead.cancel(NAMESPACE, sweeps[0].id, actor=ANNA)
    scene.clock.advance(1)
    await scene.store.cluster.prune(before=scene.clock.now())
    left = await scene.scheduler.dead.list(NAMESPACE, before=None, limit=10)
    assert [one.id for one in left] == [sweeps[2].id, sweeps[1].id]
