"""Where the next look into a line begins: behind what claims have found gone, and never for ever."""

from datetime import datetime, timedelta

import pytest

from mainspring.domain.ids import SessionId
from mainspring.domain.runs.attempt import Claim
from mainspring.scheduler.dispatch.claim_groups import CLAIM_BYTES, LATENESS, ClaimRequest, LineGroup
from mainspring.testing.clock import START
from tests.factories import run_ids, token
from tests.words import SECOND

NOW = START + timedelta(hours=1)
ONE, TWO = 1, 2


@pytest.fixture
def group() -> LineGroup:
    return LineGroup([ONE, TWO], [])


def plan(*lines: int, slots: int = 2) -> ClaimRequest:
    made = ClaimRequest(list(lines), [])
    made.slots = [SessionId(b"session")] * slots
    return made


def claim(*lines: int, reached: datetime | None = None) -> Claim:
    size = len(lines)
    return Claim(
        SessionId(b"session"), token(), run_ids(size), list(lines), [1] * size, [1] * size, [b""] * size, [], reached
    )


def test_a_line_that_was_emptied_is_looked_at_from_then_on(group: LineGroup) -> None:
    group.learn(plan(ONE), [claim(ONE)], NOW)

    assert group.since == {ONE: NOW - LATENESS}
    assert (group.backlog, group.dirty) == (False, set())


def test_a_backlog_is_followed_where_the_last_claim_ended(group: LineGroup) -> None:
    group.learn(plan(ONE, TWO), [claim(ONE, TWO, reached=START)], NOW)

    assert group.since == {TWO: START}
    assert (group.backlog, group.dirty) == (True, {ONE, TWO})


def test_what_fell_due_just_now_may_still_be_on_its_way_in(group: LineGroup) -> None:
    group.learn(plan(ONE), [claim(ONE, ONE, reached=NOW)], NOW)

    assert group.since == {ONE: NOW - LATENESS}


def test_behind_a_backlog_what_was_passed_by_is_looked_at_before_the_line_counts_as_empty(group: LineGroup) -> None:
    group.learn(plan(ONE), [], NOW - SECOND)
    group.learn(plan(ONE), [claim(ONE, ONE, reached=NOW - 30 * SECOND)], NOW)
    group.dirty.clear()
    group.learn(plan(ONE, TWO), [claim(ONE)], NOW)

    assert group.since == {ONE: NOW - SECOND - LATENESS, TWO: NOW - LATENESS}
    assert (group.backlog, group.dirty) == (False, {ONE})

    group.learn(plan(ONE), [], NOW + SECOND)

    assert group.since[ONE] == NOW + SECOND - LATENESS


def test_older_runs_that_came_in_late_are_followed_before_anything_newer(group: LineGroup) -> None:
    group.learn(plan(ONE), [], NOW)
    group.look_back()
    group.learn(plan(ONE), [claim(ONE, ONE, reached=START)], NOW)

    assert group.since == {ONE: START}


def test_a_look_back_begins_at_the_start(group: LineGroup) -> None:
    group.learn(plan(ONE), [], NOW)
    group.learn(plan(TWO), [claim(TWO, TWO, reached=START)], NOW)
    group.look_back()

    assert group.since == {}


@pytest.mark.parametrize(("size", "batch"), [(100, 2000), (1048, 2000), (4096, 512), (CLAIM_BYTES * 2, 1)])
def test_large_inputs_make_claims_smaller(group: LineGroup, size: int, batch: int) -> None:
    taken = claim(ONE, ONE)
    taken.inputs[:] = [b"x" * size] * 2
    group.learn(plan(ONE), [taken], START)

    assert group.batch(2000) == batch
