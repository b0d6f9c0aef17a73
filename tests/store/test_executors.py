"""Executors as operators see and steer them: who is there, how busy, and who is to take nothing new."""

import asyncio

import msgspec
import pytest

from mainspring.domain.cluster.session import Cordon, PoolUse, Session, SessionLoad, SessionState
from mainspring.domain.jobs.job import Pool
from mainspring.errors import LeaseLostError, NotFoundError
from mainspring.store.interface import AuditFilter, PresenceFilter, Store
from mainspring.testing.clock import START
from tests.factories import LEASE, NAMESPACE, ids, new_run, server_info, session
from tests.store.scene import Scene
from tests.words import ANNA, SECOND

HERE = PresenceFilter(namespace=NAMESPACE)
LOAD = SessionLoad(at=START, running=3, waiting=1, cpu=0.5, memory=1000, pools=[PoolUse(Pool.LOOP, 10, 4)])


def cordon(executor: str = "executor-1", reason: str = "new disk", **changes: object) -> Cordon:
    plain = Cordon(namespace=NAMESPACE, executor=executor, at=START, actor="anna", reason=reason)
    return msgspec.structs.replace(plain, **changes)


async def states(store: Store) -> list[SessionState]:
    return [one.state for one in await store.cluster.sessions()]


async def acts(store: Store) -> list[tuple[str, dict[str, object]]]:
    entries = [entry for _, entry in await store.access.audit(AuditFilter(kind="executor"))]
    return [(entry.act, msgspec.json.decode(entry.details)) for entry in entries[::-1]]


async def test_a_living_session_is_shown_with_its_server_its_start_and_its_load(store: Store) -> None:
    server = server_info("server-1")
    mine = session(server=server.id)
    await store.cluster.join(server, now=START)
    await store.cluster.open_session(mine, now=START)
    await store.cluster.renew([mine.id], lease_until=mine.lease_until, loads={mine.id: LOAD})

    (shown,) = await store.executors.list(HERE)
    assert (shown.session, shown.server, shown.since, shown.load, shown.cordon) == (
        mine,
        "server-1",
        START,
        LOAD,
        None,
    )


async def test_a_beat_without_load_keeps_the_last_one_and_each_session_has_its_own(store: Store) -> None:
    one, other = session("a"), session("b")
    for each in (one, other):
        await store.cluster.open_session(each, now=START)
    busy = msgspec.structs.replace(LOAD, running=9)
    await store.cluster.renew([other.id, one.id], lease_until=START, loads={one.id: LOAD, other.id: busy})
    await store.cluster.renew([one.id, other.id], lease_until=START)

    assert [shown.load for shown in await store.executors.list(HERE)] == [LOAD, busy]


async def test_a_session_opened_again_keeps_its_start(store: Store) -> None:
    mine = session()
    first = await store.cluster.open_session(mine, now=START)
    again = await store.cluster.open_session(mine, now=START + SECOND)

    assert first is not None
    assert again is not None
    assert (first.since, again.since, again.state) == (START, START, SessionState.LIVE)


async def test_executors_are_paged_by_name_and_those_of_others_and_the_dead_are_not_shown(store: Store) -> None:
    names = ["b", "a", "C", "a"]
    for name in names:
        await store.cluster.open_session(session(name), now=START)
    await store.cluster.open_session(session("z", namespace="other"), now=START)
    dead = session("dead")
    await store.cluster.open_session(dead, now=START)
    await store.cluster.close_session(dead.id, now=START)
    shown: list[Session] = []
    query = msgspec.structs.replace(HERE, limit=3)
    while page := await store.executors.list(query):
        shown += [one.session for one in page]
        query = msgspec.structs.replace(query, after=(page[-1].session.executor, page[-1].session.id))

    assert [one.executor for one in shown] == ["C", "a", "a", "b"]
    assert len({one.id for one in shown}) == 4
    only = await store.executors.list(msgspec.structs.replace(HERE, executor="a"))
    assert [one.session for one in only] == shown[1:3]


async def test_a_server_that_left_has_no_name(store: Store) -> None:
    await store.cluster.open_session(session(), now=START)

    assert [shown.server for shown in await store.executors.list(HERE)] == [""]


async def test_what_an_executor_has_is_named_but_no_more_than_asked_for(scene: Scene) -> None:
    started = await scene.started(3)
    other = await scene.add_session()
    held = await scene.store.executors.held([scene.session.id, other], limit=10)

    assert {(one.id, one.job, one.attempt, one.claimed_at, one.session) for one in held} == {
        (run, "report", 1, START, scene.session.id) for run, _ in started
    }
    assert len(await scene.store.executors.held([scene.session.id], limit=2)) == 2
    assert await scene.store.executors.held([other], limit=10) == []


async def test_a_cordoned_executor_claims_nothing_and_keeps_what_it_has(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    await scene.store.executors.cordon(cordon(), actor=ANNA)
    await scene.add()

    assert await states(scene.store) == [SessionState.CORDONED]
    assert await scene.claimed() == []
    assert await scene.store.cluster.renew([scene.session.id], lease_until=START + 2 * LEASE) == [scene.session.id]
    assert await scene.succeed([(run, mine)]) == 1


async def test_no_run_is_born_on_a_cordoned_executor(scene: Scene) -> None:
    await scene.store.executors.cordon(cordon(), actor=ANNA)
    eager = new_run(scene.job.id, scene.line, token=ids.token(), session=scene.session.id)

    with pytest.raises(LeaseLostError):
        await scene.store.runs.create(NAMESPACE, [eager], now=START)
    assert await scene.store.runs.get(NAMESPACE, eager.id) is None


async def test_a_cordon_outlives_a_restart_and_a_new_connection(scene: Scene) -> None:
    store = scene.store
    await store.executors.cordon(cordon(), actor=ANNA)
    again = await store.cluster.open_session(scene.session, now=START)
    restarted = await store.cluster.open_session(session(), now=START)
    other = await store.cluster.open_session(session("executor-2"), now=START)
    elsewhere = await store.cluster.open_session(session(namespace="other"), now=START)

    found = [opened.state for opened in (again, restarted, other, elsewhere) if opened is not None]
    assert found == [SessionState.CORDONED, SessionState.CORDONED, SessionState.LIVE, SessionState.LIVE]


async def test_uncordoned_it_claims_again(scene: Scene) -> None:
    await scene.store.executors.cordon(cordon(), actor=ANNA)
    (run,) = await scene.add()

    assert await scene.store.executors.uncordon(NAMESPACE, "executor-1", actor=ANNA, reason="done", now=START)
    assert [claimed for claimed, _ in await scene.claimed()] == [run]
    assert await scene.store.executors.cordons() == []


async def test_a_cordon_is_shown_with_who_when_and_why(scene: Scene) -> None:
    held = await scene.store.executors.cordon(cordon(), actor=ANNA)

    assert held == cordon()
    assert await scene.store.executors.cordons() == [cordon()]
    assert [shown.cordon for shown in await scene.store.executors.list(HERE)] == [cordon()]


async def test_a_repeated_cordon_changes_nothing_and_another_reason_or_a_drain_replaces_it(scene: Scene) -> None:
    executors = scene.store.executors
    drain = cordon(drain_at=START + SECOND, grace=30.0)
    await executors.cordon(cordon(), actor=ANNA)
    await executors.cordon(cordon(at=START + SECOND), actor=ANNA)
    assert await executors.cordons() == [cordon()]

    await executors.cordon(drain, actor=ANNA)
    held = await executors.cordon(cordon(reason="still", at=START + 2 * SECOND), actor=ANNA)

    assert held.drain_at == START + SECOND
    assert [(one.reason, one.drain_at, one.grace) for one in await executors.cordons()] == [
        ("still", START + SECOND, 30.0)
    ]


async def test_each_change_is_in_the_audit_log_and_what_changes_nothing_is_not(scene: Scene) -> None:
    executors = scene.store.executors
    await executors.cordon(cordon(), actor=ANNA)
    await executors.cordon(cordon(), actor=ANNA)
    await executors.cordon(cordon(drain_at=START, grace=5.0), actor=ANNA)
    await executors.uncordon(NAMESPACE, "executor-1", actor=ANNA, reason="done", now=START)
    assert not await executors.uncordon(NAMESPACE, "executor-1", actor=ANNA, reason="done", now=START)

    assert await acts(scene.store) == [
        ("executor.cordon", {"reason": "new disk"}),
        ("executor.drain", {"reason": "new disk", "grace": 5.0}),
        ("executor.uncordon", {"reason": "done"}),
    ]


async def test_an_executor_that_nobody_ever_saw_cannot_be_cordoned(scene: Scene) -> None:
    await scene.store.cluster.open_session(session("foreign", namespace="other"), now=START)
    for name in ("nobody", "foreign"):
        with pytest.raises(NotFoundError):
            await scene.store.executors.cordon(cordon(name), actor=ANNA)

    assert await scene.store.executors.cordons() == []
    assert await acts(scene.store) == []
    with pytest.raises(NotFoundError):
        await scene.store.executors.uncordon(NAMESPACE, "nobody", actor=ANNA, reason="", now=START)
    assert not await scene.store.executors.uncordon(NAMESPACE, "executor-1", actor=ANNA, reason="", now=START)


async def test_an_executor_that_has_just_left_can_be_cordoned(scene: Scene) -> None:
    await scene.store.cluster.close_session(scene.session.id, now=START)
    await scene.store.executors.cordon(cordon(), actor=ANNA)

    assert await states(scene.store) == []
    assert await scene.store.executors.cordons() == [cordon()]


async def test_one_that_is_leaving_leaves_cordoned_or_not(scene: Scene) -> None:
    store = scene.store
    await store.executors.cordon(cordon(), actor=ANNA)
    await store.cluster.drain_session(scene.session.id)
    assert await states(store) == [SessionState.DRAINING]

    await store.executors.uncordon(NAMESPACE, "executor-1", actor=ANNA, reason="", now=START)
    assert await states(store) == [SessionState.DRAINING]


async def test_cordons_and_sessions_that_crossed_are_brought_together(scene: Scene) -> None:
    store = scene.store
    added = await asyncio.gather(
        *(store.cluster.open_session(session(f"executor-{turn % 2 + 1}"), now=START) for turn in range(6)),
        store.executors.cordon(cordon(), actor=ANNA),
    )
    assert len(added) == 7
    await store.executors.apply_cordons()

    assert {(one.executor, one.state) for one in await store.cluster.sessions()} == {
        ("executor-1", SessionState.CORDONED),
        ("executor-2", SessionState.LIVE),
    }


async def test_a_claim_and_a_cordon_that_compete_leave_nothing_with_the_cordoned_but_what_it_took_first(
    scene: Scene,
) -> None:
    await scene.add(20)
    await asyncio.gather(
        *(scene.claim() for _ in range(10)), scene.store.executors.cordon(cordon(), actor=ANNA), return_exceptions=False
    )
    taken = len(await scene.held())

    assert await scene.claimed() == []
    assert len(await scene.held()) == taken <= 10
