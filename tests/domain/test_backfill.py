"""What a backfill may take, and which instants each of its steps chooses."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.bulk.backfill import (
    PIECE,
    Backfill,
    BackfillId,
    BackfillPiece,
    BackfillState,
    after_ends,
    after_step,
    choose,
    is_neglected,
    looked_at,
    over,
)
from mainspring.domain.bulk.backfill_checks import INSTANTS_MAX, instants_in, plan_backfill
from mainspring.domain.ids import Ids, RunId
from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.fire_times.build_timer import Bounded
from mainspring.domain.triggers.fire_times.timers import Interval
from mainspring.domain.triggers.spec import Cron, TriggerSpec
from mainspring.errors import InvalidInputError
from mainspring.testing.clock import START
from tests.words import MINUTE

TIMER = Interval(MINUTE, START)
ids = Ids()


def backfill(instants: int = 5, **said: Any) -> Backfill:
    sample = Backfill(
        id=BackfillId(bytes(16)),
        namespace="default",
        trigger=1,
        spec=TriggerSpec(name="tick", job="report", when=Cron(expressions=("* * * * *",))),
        anchor=START,
        since=START,
        until=START + instants * MINUTE,
        actor=SYSTEM,
        place=START,
        expected=instants,
        created_at=START,
        moved_at=START,
    )
    return msgspec.structs.replace(sample, **said)


def made(count: int) -> list[RunId]:
    return ids.runs(count, START)


def step(found: Backfill, fired: Collection[datetime]) -> tuple[Backfill, BackfillPiece]:
    piece = choose(found, TIMER, looked_at(found, TIMER), fired)
    return after_step(found, piece, made(len(piece.instants)), START), piece


@given(
    instants=st.integers(1, PIECE + 50),
    concurrency=st.integers(1, 100),
    fired=st.sets(st.integers(0, PIECE + 50), max_size=20),
    ends=st.integers(5, 100),
    rerun=st.booleans(),
)
def test_every_instant_is_made_or_passed_once_in_order(
    instants: int, concurrency: int, fired: set[int], ends: int, rerun: bool
) -> None:
    ran = {START + number * MINUTE for number in fired}
    found = backfill(instants, concurrency=concurrency, rerun=rerun)
    chosen: list[datetime] = []
    while found.state is BackfillState.RUNNING:
        found = after_ends(found, dict.fromkeys(found.live[ends:], RunState.RUNNING))
        if found.place is None:
            found = after_step(found, BackfillPiece(), [], START)
            continue
        found, piece = step(found, ran)
        chosen += piece.instants
        assert len(found.live) <= concurrency

    every = [START + number * MINUTE for number in range(instants)]
    assert chosen == [at for at in every if rerun or at not in ran]
    assert (found.made, found.made + found.passed) == (len(chosen), instants)
    assert found.succeeded + found.failed == found.made


def test_what_got_a_run_meanwhile_counts_as_passed() -> None:
    piece = BackfillPiece([START, START + MINUTE], 1, None)
    found = after_step(backfill(3, concurrency=2), piece, made(1), START)

    assert (found.made, found.passed, len(found.live), found.state) == (1, 2, 1, BackfillState.RUNNING)


def test_a_run_of_which_nothing_is_known_has_not_succeeded() -> None:
    one, two, three = made(3)
    found = after_ends(backfill(live=(one, two, three)), {one: RunState.SUCCEEDED, two: RunState.RUNNING})

    assert (found.live, found.succeeded, found.failed) == ((two,), 1, 1)


def test_one_that_waits_for_its_runs_is_not_neglected() -> None:
    later = START + MINUTE

    assert is_neglected(backfill(), later)
    assert not is_neglected(backfill(live=tuple(made(1))), later)
    assert not is_neglected(backfill(concurrency=2, live=tuple(made(1)), place=None), later)
    assert not is_neglected(over(backfill(), BackfillState.CANCELLED, "", START), later)
    assert not is_neglected(backfill(), START)


def test_as_many_as_may_be_are_counted_and_one_more_is_refused() -> None:
    seconds = Bounded(Interval(timedelta(seconds=1), START), START, None)
    until = START + timedelta(seconds=INSTANTS_MAX)

    assert sum(1 for _ in instants_in(seconds, START, until)) == INSTANTS_MAX
    with pytest.raises(InvalidInputError, match="more than 100000 instants"):
        list(instants_in(seconds, START, until + timedelta(seconds=1)))


def test_a_range_is_from_its_start_until_before_its_end() -> None:
    assert list(instants_in(TIMER, START, START + 2 * MINUTE)) == [START, START + MINUTE]


def test_a_plan_says_what_has_run_and_what_would() -> None:
    every = [START + number * MINUTE for number in range(10)]
    bounds = {"since": START, "until": START + 10 * MINUTE, "known_since": START}
    plan = plan_backfill(every, set(every[:4]), rerun=False, **bounds)
    again = plan_backfill(every, set(every[:4]), rerun=True, **bounds)

    assert (plan.instants, plan.fired, plan.runs, plan.first, plan.last) == (10, 4, 6, every[0], every[9])
    assert plan.sample == tuple(every[4:9])
    assert (again.runs, again.sample) == (10, tuple(every[:5]))
