"""Executor sessions and servers: who may work, and who is given up."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.cluster.session import SessionState
from mainspring.domain.runs.attempt import Decision, Outcome
from mainspring.domain.runs.run import RunState
from mainspring.errors import NotFoundError
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests.factories import LEASE, NAMESPACE, abilities, ended, ids, server_info, session
from tests.store.scene import Scene
from tests.words import ANNA, SECOND

LAPSED = START + LEASE + SECOND


async def test_an_open_session_is_listed_as_it_was_given(store: Store) -> None:
    mine = session()

    assert await store.cluster.open_session(mine, now=START)
    assert await store.cluster.sessions() == [mine]


async def test_opening_a_living_session_again_moves_it_to_the_other_server(store: Store) -> None:
    mine = session()
    changed = msgspec.structs.replace(abilities(), queues=["default", "other"])
    moved = msgspec.structs.replace(mine, server=ids.server(), lease_until=mine.lease_until + SECOND, abilities=changed)
    await store.cluster.open_session(mine, now=START)

    assert await store.cluster.open_session(moved, now=START)
    assert await store.cluster.sessions() == [moved]


async def test_a_dead_session_cannot_be_opened_again(store: Store) -> None:
    mine = session()
    await store.cluster.open_session(mine, now=START)
    await store.cluster.close_session(mine.id, now=START)

    assert not await store.cluster.open_session(mine, now=START)
    assert await store.cluster.sessions() == []


async def test_renewing_extends_the_lease_and_never_shortens_it(store: Store) -> None:
    mine = session()
    await store.cluster.open_session(mine, now=START)
    for until in (START + 2 * LEASE, START + LEASE):
        assert await store.cluster.renew([mine.id], lease_until=until) == [mine.id]

    assert [one.lease_until for one in await store.cluster.sessions()] == [START + 2 * LEASE]


async def test_the_renewal_of_a_dead_or_unknown_session_is_refused(store: Store) -> None:
    living, dead = session(), session()
    for one in (living, dead):
        await store.cluster.open_session(one, now=START)
    await store.cluster.close_session(dead.id, now=START)
    asked = [dead.id, living.id, session().id]

    assert await store.cluster.renew(asked, lease_until=LAPSED) == [living.id]
    assert await store.cluster.renew([], lease_until=LAPSED) == []


async def test_a_draining_session_lives_but_is_marked(store: Store) -> None:
    mine = session()
    await store.cluster.open_session(mine, now=START)
    await store.cluster.drain_session(mine.id)

    assert [one.state for one in await store.cluster.sessions()] == [SessionState.DRAINING]
    assert await store.cluster.renew([mine.id], lease_until=LAPSED) == [mine.id]


async def test_draining_does_not_wake_the_dead(store: Store) -> None:
    mine = session()
    await store.cluster.open_session(mine, now=START)
    await store.cluster.close_session(mine.id, now=START)
    await store.cluster.drain_session(mine.id)

    assert await store.cluster.sessions() == []


async def test_a_session_whose_lease_ended_is_expired_and_cannot_come_back(scene: Scene) -> None:
    cluster = scene.store.cluster

    assert await cluster.expire(before=LAPSED, now=LAPSED) == [scene.session.id]
    assert await cluster.renew([scene.session.id], lease_until=LAPSED + LEASE) == []
    assert await cluster.sessions() == []


async def test_a_session_renewed_in_time_is_not_expired(scene: Scene) -> None:
    cluster = scene.store.cluster
    await cluster.renew([scene.session.id], lease_until=LAPSED)

    assert await cluster.expire(before=LAPSED, now=LAPSED) == []
    assert len(await cluster.sessions()) == 1


async def test_a_dead_session_is_named_until_nothing_of_it_is_left_to_reclaim(scene: Scene) -> None:
    cluster = scene.store.cluster
    ((run, mine),) = await scene.started()
    await cluster.expire(before=LAPSED, now=LAPSED)
    await cluster.mark_reclaimed()

    assert await cluster.expire(before=LAPSED, now=LAPSED) == [scene.session.id]
    await scene.settle([ended(run, mine, Outcome.LOST)], Decision(RunState.QUEUED, losses=1))
    await cluster.mark_reclaimed()
    assert await cluster.expire(before=LAPSED, now=LAPSED) == []


async def test_a_session_closed_at_its_own_wish_is_reclaimed_like_a_lost_one(scene: Scene) -> None:
    await scene.started()
    await scene.store.cluster.close_session(scene.session.id, now=START)

    assert await scene.store.cluster.expire(before=START, now=START) == [scene.session.id]


async def test_after_expiry_nothing_can_be_claimed_and_what_was_held_is_found(scene: Scene) -> None:
    await scene.add(2)
    started = await scene.claimed()
    await scene.store.cluster.expire(before=LAPSED, now=LAPSED)

    assert await scene.claimed() == []
    assert [(held.run, held.token) for held in await scene.held()] == started


async def test_an_attempt_may_still_succeed_until_it_is_reclaimed(scene: Scene) -> None:
    started = await scene.started()
    await scene.store.cluster.expire(before=LAPSED, now=LAPSED)

    assert await scene.succeed(started) == 1


async def test_reclaimed_runs_go_to_others_in_their_old_place(scene: Scene) -> None:
    started = await scene.started(2)
    await scene.add()
    await scene.store.cluster.expire(before=LAPSED, now=LAPSED)
    await scene.settle([ended(*pair, Outcome.LOST) for pair in started], Decision(RunState.QUEUED, losses=1))
    other = await scene.add_session(lease=timedelta(hours=1))
    (claim,) = await scene.store.runs.claim([scene.line], [other] * 2, token=ids.token(), now=LAPSED)

    assert claim.runs == [run for run, _ in started]


async def test_only_sessions_at_rest_that_died_long_ago_are_forgotten(scene: Scene) -> None:
    cluster = scene.store.cluster
    await scene.started()
    idle = await scene.add_session()
    living = await scene.add_session("executor-3", lease=timedelta(hours=1))
    await cluster.expire(before=LAPSED, now=LAPSED)
    await cluster.mark_reclaimed()

    await cluster.prune(before=LAPSED)
    assert not await scene.store.executors.uncordon(NAMESPACE, "executor-2", actor=ANNA, reason="", now=LAPSED)
    await cluster.prune(before=LAPSED + SECOND)
    with pytest.raises(NotFoundError):
        await scene.store.executors.uncordon(NAMESPACE, "executor-2", actor=ANNA, reason="", now=LAPSED)
    assert [one.id for one in await cluster.sessions()] == [living]
    assert await cluster.renew([idle], lease_until=LAPSED) == []
    assert len(await scene.held()) == 1


async def test_a_server_that_joins_sees_those_whose_lease_has_not_lapsed(store: Store) -> None:
    gone = server_info("gone", lease_until=START - SECOND)
    first, second = server_info("first"), server_info("second")
    for one in (gone, first):
        await store.cluster.join(one, now=START - LEASE)

    joined = await store.cluster.join(second, now=START)
    assert sorted(one.name for one in joined) == ["first", "second"]
    assert second in joined


async def test_joining_again_renews_and_leaving_removes(store: Store) -> None:
    mine, other = server_info("mine"), server_info("other", lease_until=LAPSED + LEASE)
    await store.cluster.join(mine, now=START)
    renewed = msgspec.structs.replace(mine, lease_until=LAPSED + LEASE)

    assert await store.cluster.join(renewed, now=LAPSED) == [renewed]
    await store.cluster.leave(mine.id)
    assert await store.cluster.join(other, now=LAPSED) == [other]
