"""A cancel or a retry against everything else that may happen to a run, in either order and at once.

Whatever comes first: the run exists once, ends once, has one owner at most, and a cancelled one never runs again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import CANCELLING, Decision, Ended, Held, Outcome
from mainspring.domain.runs.retry import after_attempt
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from mainspring.store.postgres.connection import Database
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, job_spec, new_run, token
from tests.store.scene import Scene

LATER = START + timedelta(seconds=5)
ROUNDS = 8
"""Pairs that meet at once, so that each order has its chance."""

Pair = tuple[RunId, Token]
Act = Callable[[Scene, Pair], Awaitable[object]]


def decide(held: Held, end: Ended) -> Decision:
    return after_attempt(end, held, spec=job_spec(attempts=3), now=LATER, jitter=lambda: 0.0)


async def cancel(scene: Scene, pair: Pair) -> object:
    return await scene.store.runs.cancel(NAMESPACE, [pair[0]], reason="enough", actor=SYSTEM, now=LATER)


async def retry(scene: Scene, pair: Pair) -> object:
    return await scene.store.runs.retry(NAMESPACE, pair[0], force=False, reason="", actor=SYSTEM, now=LATER)


async def claim(scene: Scene, _pair: Pair) -> object:
    return await scene.claim(5, now=LATER, token=token())


async def expire(scene: Scene, _pair: Pair) -> object:
    return await scene.store.runs.expire(now=LATER, limit=5)


async def succeed(scene: Scene, pair: Pair) -> object:
    return await scene.succeed([pair], now=LATER)


def settled_as(outcome: Outcome) -> Act:
    async def settle(scene: Scene, pair: Pair) -> object:
        return await scene.store.runs.settle([ended(*pair, outcome)], decide, now=LATER)

    return settle


async def unclaim(scene: Scene, pair: Pair) -> object:
    return await scene.store.runs.unclaim([scene.session.id], token=pair[1])


async def lose_lease(scene: Scene, _pair: Pair) -> object:
    """As reclaiming does: the session dies first, then its attempts are settled as lost."""
    await scene.store.cluster.expire(before=START + timedelta(days=1), now=LATER)
    lost = [ended(held.run, held.token, Outcome.LOST) for held in await scene.held()]
    return await scene.store.runs.settle(lost, decide, now=LATER)


WHILE_QUEUED: dict[str, Act] = {"claim": claim, "expire": expire, "cancel": cancel}
WHILE_RUNNING: dict[str, Act] = {
    "succeed": succeed,
    "fail": settled_as(Outcome.FAILED),
    "stop": settled_as(Outcome.CANCELLED),
    "time out": settled_as(Outcome.TIMED_OUT),
    "hand back in a drain": settled_as(Outcome.RELEASED),
    "lose the lease": lose_lease,
    "put the claim back": unclaim,
    "cancel": cancel,
}
ORDERS = ("the cancel first", "the cancel last", "at once")


async def meet(order: str, steer: Awaitable[object], other: Awaitable[object]) -> None:
    if order == "at once":
        await asyncio.gather(steer, other)
        return
    for act in (steer, other) if order == "the cancel first" else (other, steer):
        await act


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("other", WHILE_QUEUED)
async def test_a_cancel_meets_a_queued_run(scene: Scene, other: str, order: str) -> None:
    for _ in range(ROUNDS if order == "at once" else 1):
        run = new_run(scene.job.id, scene.line)
        run.deadline_at = LATER if other == "expire" else None
        await scene.store.runs.create(NAMESPACE, [run], now=START)
        pair = (run.id, token())
        await meet(order, cancel(scene, pair), WHILE_QUEUED[other](scene, pair))

        final = await live_on(scene, run.id)
        allowed = {RunState.CANCELLED, RunState.FAILED} if other == "expire" else {RunState.CANCELLED}
        assert final in allowed


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("other", WHILE_RUNNING)
async def test_a_cancel_meets_the_end_of_an_attempt(scene: Scene, other: str, order: str) -> None:
    for _ in range(ROUNDS if order == "at once" and other != "lose the lease" else 1):
        [pair] = await scene.started()
        await meet(order, cancel(scene, pair), WHILE_RUNNING[other](scene, pair))

        final = await live_on(scene, pair[0])
        assert final is (RunState.SUCCEEDED if other == "succeed" else RunState.CANCELLED)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("other", ["cancel", "retry", "claim"])
async def test_a_retry_meets_what_may_happen_to_a_run_that_has_ended(scene: Scene, other: str, order: str) -> None:
    acts: dict[str, Act] = {"cancel": cancel, "retry": retry, "claim": claim}
    for _ in range(ROUNDS if order == "at once" else 1):
        [pair] = await scene.started()
        await scene.settle([ended(*pair)], Decision(RunState.FAILED, reason="attempts_spent", failures=1))
        await meet(order, retry(scene, pair), acts[other](scene, pair))
        assert await copies(scene.store, pair[0]) == 1

        await cancel(scene, pair)
        assert await live_on(scene, pair[0]) is RunState.CANCELLED
        assert await attempts(scene, pair[0]) == [1, 2][: len(await attempts(scene, pair[0]))]


@pytest.mark.parametrize("order", ORDERS)
async def test_a_retry_meets_a_late_outcome_of_the_attempt_before(scene: Scene, order: str) -> None:
    for _ in range(ROUNDS if order == "at once" else 1):
        [pair] = await scene.started()
        await scene.settle([ended(*pair)], Decision(RunState.FAILED, reason="attempts_spent", failures=1))
        await meet(order, retry(scene, pair), succeed(scene, pair))

        again = await scene.get(pair[0])
        assert (again.state, again.result) == (RunState.QUEUED, None)
        assert await copies(scene.store, pair[0]) == 1
        await cancel(scene, pair)


async def live_on(scene: Scene, run: RunId) -> RunState:
    """Let the rest of the run's life happen, and check at each step that it exists once and has one owner at most."""
    for _ in range(4):
        assert await copies(scene.store, run) == 1
        found = await scene.get(run)
        if found.state.final:
            break
        owners = [held for held in await scene.held() if held.run == run]
        assert len(owners) <= 1
        if owners:
            # What an executor does that was told, or had heard nothing of it: it ends, somehow.
            end = ended(run, owners[0].token, Outcome.FAILED)
            await scene.store.runs.settle([end], decide, now=LATER)
        else:
            assert found.reason != "cancelling"
            await scene.claim(5, now=LATER)
    final = await scene.get(run)
    await nothing_is_left(scene, run)
    return final.state


async def nothing_is_left(scene: Scene, run: RunId) -> None:
    assert await copies(scene.store, run) == 1
    assert [held for held in await scene.held() if held.run == run] == []
    assert await scene.store.runs.stop_requests([scene.session.id], reason=CANCELLING) == []
    assert run not in [one for claim in await scene.claim(5, now=LATER) for one in claim.runs]


async def attempts(scene: Scene, run: RunId) -> list[int]:
    return [one.number for one in await scene.store.runs.attempts(run)]


async def copies(store: Store, run: RunId) -> int:
    """How many rows there are of a run, live and in history together: the interface shows one whatever happens."""
    if isinstance(store, SqliteStore):
        rows: list[Any] = await store.connection.read(
            lambda c: c.execute("SELECT count(*) AS found FROM all_runs WHERE id = ?", (run,)).fetchall()
        )
    else:
        database: Database = getattr(store, "_database")  # noqa: B009 the interface has none
        rows = await database.fetch(
            "SELECT (SELECT count(*) FROM mainspring.live WHERE id = $1)"
            " + (SELECT count(*) FROM mainspring.history WHERE id = $1) AS found",
            run,
        )
    found: int = rows[0]["found"]
    return found
