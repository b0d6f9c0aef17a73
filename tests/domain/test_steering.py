"""What may be done to a run in each state."""

import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.runs.cancel import check_reason, may_retry, refuse_cancel, refuse_retry
from mainspring.domain.runs.run import RunState
from mainspring.errors import InvalidInputError

RUN = RunId(bytes(16))


def test_what_has_ended_may_be_run_again_and_what_has_succeeded_only_by_force() -> None:
    plain = {state for state in RunState if may_retry(state, force=False)}
    forced = {state for state in RunState if may_retry(state, force=True)}

    assert plain == {RunState.FAILED, RunState.CANCELLED, RunState.SKIPPED}
    assert forced == plain | {RunState.SUCCEEDED}


@pytest.mark.parametrize("state", [state for state in RunState if state.final])
def test_a_cancel_that_came_too_late_says_how_the_run_ended(state: RunState) -> None:
    refused = refuse_cancel(RUN, state)

    assert (refused.code, refused.kind) == ("run_final", "run")
    assert state.label in str(refused)


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (RunState.WAITING, "run_live"),
        (RunState.QUEUED, "run_live"),
        (RunState.RUNNING, "run_live"),
        (RunState.SUCCEEDED, "run_succeeded"),
    ],
)
def test_a_retry_that_is_refused_says_why(state: RunState, code: str) -> None:
    refused = refuse_retry(RUN, state)

    assert refused.code == code
    assert state.label in str(refused)


def test_a_reason_is_at_most_500_characters_that_do_nothing_to_a_terminal() -> None:
    assert check_reason("") == ""
    assert check_reason("é" * 500) == "é" * 500
    assert check_reason("two\nlines") == "two\nlines"
    for wrong in ("x" * 501, "\x1b[31m", "\x00", "\r"):
        with pytest.raises(InvalidInputError):
            check_reason(wrong)
