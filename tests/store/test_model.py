"""The same things are done to SQLite, to PostgreSQL and to a small model of both: all three answer alike."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.errors import ConflictError, LeaseLostError
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.model import CONFLICT, LEASE_LOST, Model
from tests.conftest import migrate
from tests.factories import NAMESPACE, ended, new_run, session, successes, token
from tests.store.scene import Scene, set_scene
from tests.support.postgres import Postgres

pytestmark = pytest.mark.postgres

STEPS = 120
ENDS = [Outcome.FAILED, Outcome.LOST, Outcome.RELEASED, Outcome.CANCELLED, Outcome.TIMED_OUT]


def decide(held: Held, end: Ended) -> Decision:
    """What follows is not the store's affair; this has every kind of decision in it."""
    if held.cancel is not None or end.outcome is Outcome.CANCELLED:
        return Decision(RunState.CANCELLED, reason=held.cancel or None)
    if end.outcome is Outcome.RELEASED:
        return Decision(RunState.QUEUED)
    if held.failures + held.losses >= 2:
        return Decision(RunState.FAILED, reason="enough", failures=1)
    later = START + timedelta(seconds=held.attempt * 7)
    return Decision(RunState.QUEUED, due_at=later, reason="retry", failures=1)


class Trio:
    """One step is taken three times, and the answers compared."""

    def __init__(self, scenes: list[Scene], draw: random.Random) -> None:
        self.scenes = scenes
        self.model = Model()
        self.draw = draw
        self.now = START
        self.sessions: list[SessionId] = []
        self.pairs: list[tuple[RunId, Token, SessionId]] = []
        """Every attempt there ever was."""

    async def both(self, act: Callable[[Store], Awaitable[Any]]) -> Any:
        sqlite, postgres = [await answer(act, scene.store) for scene in self.scenes]
        assert sqlite == postgres
        return sqlite

    def some_pairs(self) -> list[tuple[RunId, Token, SessionId]]:
        """Attempts of late, under way or not, and perhaps one with a token that was never given out."""
        late = self.pairs[-12:]
        picked = self.draw.sample(late, min(len(late), self.draw.randint(1, 3)))
        if picked and self.draw.random() < 0.1:
            picked[0] = (picked[0][0], token(), picked[0][2])
        return list({pair[0]: pair for pair in picked}.values())

    def some_run(self) -> RunId | None:
        return self.draw.choice(list(self.model.runs)[-15:]) if self.model.runs else None

    # Steps

    async def open_session(self) -> None:
        one = session(f"executor-{len(self.sessions)}", lease_until=self.now + timedelta(seconds=10))
        await self.both(lambda store: store.cluster.open_session(one, now=self.now))
        self.model.open_session(one.id, one.lease_until)
        self.sessions.append(one.id)

    async def renew(self) -> None:
        one, until = self.draw.choice(self.sessions), self.now + timedelta(seconds=10)
        answered = await self.both(lambda store: store.cluster.renew([one], lease_until=until))
        assert answered == self.model.renew(one, until)

    async def drain_session(self) -> None:
        one = self.draw.choice(self.sessions)
        await self.both(lambda store: store.cluster.drain_session(one))
        self.model.drain_session(one)

    async def expire_sessions(self) -> None:
        answered = await self.both(lambda store: dead(store, self.now))
        assert answered == self.model.expire_sessions(self.now)

    async def mark_reclaimed(self) -> None:
        await self.both(lambda store: store.cluster.mark_reclaimed())
        self.model.mark_reclaimed()

    async def create(self) -> None:
        run = self.drawn_run()
        answered = await self.both(lambda store: created(store, run, self.now))
        assert answered == self.model.create(run)
        if run.token is not None and run.session is not None and answered == run.id:
            self.pairs.append((run.id, run.token, run.session))

    def drawn_run(self) -> NewRun:
        draw, scene = self.draw, self.scenes[0]
        run = new_run(scene.job.id, scene.line, now=self.now, priority=draw.randint(3, 6))
        run.due_at = self.now + timedelta(seconds=draw.choice((0, 0, 0, 3, 9)))
        if draw.random() < 0.2:
            run.deadline_at = self.now + timedelta(seconds=draw.choice((2, 8)))
        if draw.random() < 0.3:
            run.key, run.digest = f"key-{draw.randint(1, 8)}", draw.choice((b"one", b"one", b"two"))
        if draw.random() < 0.2:
            run.token, run.session, run.due_at = token(), draw.choice(self.sessions), self.now
        return run

    async def claim(self) -> None:
        slots = self.draw.choices(self.sessions, k=self.draw.randint(1, 5))
        given = token()
        line = self.scenes[0].line
        answered = await self.both(lambda store: claimed(store, line, slots, given, self.now))
        assert answered == self.model.claim(slots, given, self.now)
        self.pairs += [(run, given, one) for run, one, _ in answered]

    async def unclaim(self) -> None:
        if picked := self.some_pairs():
            _, given, one = picked[0]
            answered = await self.both(lambda store: store.runs.unclaim([one], token=given))
            assert answered == self.model.unclaim(one, given)

    async def succeed(self) -> None:
        pairs = [(run, given) for run, given, _ in self.some_pairs()]
        answered = await self.both(lambda store: store.runs.succeed(successes(pairs, result=b"7"), now=self.now))
        assert answered == self.model.succeed(pairs, b"7")

    async def settle(self) -> None:
        ends = [ended(run, given, self.draw.choice(ENDS)) for run, given, _ in self.some_pairs()]
        answered = await self.both(lambda store: store.runs.settle(ends, decide, now=self.now))
        assert answered == self.model.settle(ends, decide)

    async def verdicts(self) -> None:
        pairs = [(run, given) for run, given, _ in self.some_pairs()]
        held = {(run, one.token) for run, one in self.model.runs.items()}
        pairs = [pair for pair in pairs if pair not in held]
        answered = await self.both(lambda store: store.runs.verdicts(pairs))
        assert answered == {pair[0]: self.model.verdict(pair) for pair in pairs}

    async def tally(self) -> None:
        one = self.draw.choice(self.sessions)
        assert await self.both(lambda store: store.runs.tally(one)) == self.model.tally(one)

    async def cancel(self) -> None:
        if (run := self.some_run()) is not None:
            answered = await self.both(lambda store: cancelled(store, run, self.now))
            assert answered == self.model.cancel(run, "enough")

    async def retry(self) -> None:
        run, force = self.some_run(), self.draw.random() < 0.3
        if run is not None:
            answered = await self.both(lambda store: retried(store, run, self.now, force=force))
            assert answered == self.model.retry(run, self.now, force=force)

    async def expire_runs(self) -> None:
        answered = await self.both(lambda store: late(store, self.now))
        assert answered == self.model.expire_runs(self.now)

    async def time_passes(self) -> None:
        self.now += timedelta(seconds=self.draw.choice((1, 1, 4)))


async def answer(act: Callable[[Store], Awaitable[Any]], store: Store) -> Any:
    try:
        return await act(store)
    except ConflictError:
        return CONFLICT
    except LeaseLostError:
        return LEASE_LOST


async def created(store: Store, run: NewRun, now: datetime) -> RunId:
    holders = await store.runs.create(NAMESPACE, [run], now=now)
    return holders[run.id].run if run.id in holders else run.id


async def claimed(store: Store, line: int, slots: list[SessionId], given: Token, now: datetime) -> Any:
    claims = await store.runs.claim([line], slots, token=given, now=now)
    return sorted((run, c.session, number) for c in claims for run, number in zip(c.runs, c.attempts, strict=True))


async def cancelled(store: Store, run: RunId, now: datetime) -> RunState:
    answers = await store.runs.cancel(NAMESPACE, [run], reason="enough", actor=SYSTEM, now=now)
    return answers[run].state


async def retried(store: Store, run: RunId, now: datetime, *, force: bool) -> RunState | None:
    answered = await store.runs.retry(NAMESPACE, run, force=force, reason="", actor=SYSTEM, now=now)
    return None if answered is None else answered.state


async def dead(store: Store, now: datetime) -> list[SessionId]:
    return sorted(await store.cluster.expire(before=now, now=now))


async def late(store: Store, now: datetime) -> list[RunId]:
    return sorted(await store.runs.expire(now=now, limit=100))


async def shown(store: Store, run: RunId) -> tuple[object, ...]:
    found = await store.runs.get(NAMESPACE, run)
    assert found is not None
    numbers = (found.state, found.attempt, found.failures, found.losses, found.due_at, found.deadline_at)
    return (*numbers, found.result)


@pytest.fixture
async def scenes(postgres: Postgres, sqlite_url: str) -> AsyncIterator[list[Scene]]:
    await migrate(sqlite_url)
    url = await postgres.create_migrated()
    stores = [await open_store(sqlite_url), await open_store(url)]
    yield [await set_scene(store) for store in stores]
    for store in stores:
        await store.close()
    await postgres.drop_database(url)


STEP_WEIGHTS = {
    Trio.create: 14,
    Trio.claim: 10,
    Trio.succeed: 6,
    Trio.settle: 8,
    Trio.cancel: 4,
    Trio.retry: 5,
    Trio.time_passes: 8,
    Trio.unclaim: 3,
    Trio.verdicts: 4,
    Trio.tally: 2,
    Trio.renew: 4,
    Trio.open_session: 1,
    Trio.drain_session: 0.5,
    Trio.expire_sessions: 2,
    Trio.mark_reclaimed: 1,
    Trio.expire_runs: 3,
}


@pytest.mark.parametrize("seed", range(8))
async def test_both_databases_do_what_the_model_does(scenes: list[Scene], seed: int) -> None:
    draw = random.Random(seed)
    trio = Trio(scenes, draw)
    for one in scenes:
        await one.store.cluster.expire(before=START + timedelta(days=1), now=START)
        await one.store.cluster.mark_reclaimed()
    for _ in range(3):
        await trio.open_session()
    for step in draw.choices(list(STEP_WEIGHTS), list(STEP_WEIGHTS.values()), k=STEPS):
        await step(trio)

    assert len(trio.model.runs) > 5
    for run, expected in trio.model.runs.items():
        seen = [expected.shown, *[await shown(scene.store, run) for scene in scenes]]
        assert all(one == other for one, other in pairwise(seen)), f"{run.hex()}: {seen}"
