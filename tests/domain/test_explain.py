"""Every state that is not final says why, and until when or what ends it."""

import msgspec
import pytest

from mainspring.domain.runs.explain import QUEUED, RUNNING, WAITING, standing_of
from mainspring.domain.runs.run import Run, RunState, Suspension, WaitReason
from mainspring.testing.clock import START
from tests.factories import run_ids
from tests.words import HOUR


def run(state: RunState, reason: str | None = None, **fields: object) -> Run:
    plain = Run(
        id=run_ids(1)[0],
        namespace="default",
        job="report",
        queue="default",
        handler="report",
        priority=5,
        state=state,
        reason=reason,
        attempt=0,
        failures=0,
        losses=0,
        due_at=START + HOUR,
        created_at=START,
        started_at=None,
        finished_at=None,
        executor=None,
        input=None,
        result=None,
        failure=None,
    )
    return msgspec.structs.replace(plain, **fields)


def test_every_reason_to_wait_has_its_words() -> None:
    assert set(WAITING) == set(WaitReason)


@pytest.mark.parametrize("state", [state for state in RunState if state.final])
def test_what_is_over_waits_for_nothing(state: RunState) -> None:
    assert standing_of(run(state)) is None


@pytest.mark.parametrize("reason", [None, *QUEUED])
def test_a_queued_run_says_when_it_is_due(reason: str | None) -> None:
    standing = standing_of(run(RunState.QUEUED, reason, deadline_at=START + 2 * HOUR))

    assert standing is not None
    assert "slot is free" in standing.why
    assert standing.until == START + HOUR


@pytest.mark.parametrize("reason", WaitReason)
def test_a_waiting_run_says_for_what_and_ends_by_its_deadline(reason: WaitReason) -> None:
    standing = standing_of(run(RunState.WAITING, reason, deadline_at=START + 2 * HOUR, start_by=START + HOUR))

    assert standing is not None
    assert (standing.why, standing.until) == (WAITING[reason], START + HOUR)


def test_a_suspended_run_says_why_and_when_it_goes_on() -> None:
    suspension = Suspension(reason="the bank is closed", resume_at=START + HOUR)
    standing = standing_of(run(RunState.WAITING, "suspended", suspension=suspension, deadline_at=START + 2 * HOUR))

    assert standing is not None
    assert standing.why.endswith("(the bank is closed)")
    assert standing.until == START + HOUR


@pytest.mark.parametrize("reason", [None, *RUNNING])
def test_a_running_run_is_over_by_its_deadline_at_the_latest(reason: str | None) -> None:
    bounded = standing_of(run(RunState.RUNNING, reason, deadline_at=START + HOUR, start_by=START))
    free = standing_of(run(RunState.RUNNING, reason))

    assert bounded is not None
    assert free is not None
    assert bounded.until == START + HOUR
    assert (free.until, free.why) == (None, bounded.why)
