"""The limits a run must keep, and the states it can be in."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.runs.run import DUE_MAX, PRIORITY_MAX, PRIORITY_MIN, RunState, check_due, check_priority
from mainspring.errors import InvalidInputError

NOW = datetime(2030, 6, 1, 12, tzinfo=UTC)


@given(st.integers(min_value=PRIORITY_MIN, max_value=PRIORITY_MAX))
def test_a_priority_in_range_is_accepted(priority: int) -> None:
    assert check_priority(priority) == priority


@given(st.integers(max_value=PRIORITY_MIN - 1) | st.integers(min_value=PRIORITY_MAX + 1))
def test_a_priority_out_of_range_is_refused_with_the_range(priority: int) -> None:
    with pytest.raises(InvalidInputError, match=f"outside {PRIORITY_MIN}.*to {PRIORITY_MAX}") as caught:
        check_priority(priority)

    assert caught.value.code == "bad_priority"


@pytest.mark.parametrize("ahead", [timedelta(days=-3650), timedelta(0), timedelta(days=1), DUE_MAX])
def test_a_run_may_be_due_in_the_past_and_up_to_ten_years_ahead(ahead: timedelta) -> None:
    assert check_due(NOW + ahead, NOW) == NOW + ahead


def test_a_run_due_later_than_that_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="more than 10 years ahead") as caught:
        check_due(NOW + DUE_MAX + timedelta(microseconds=1), NOW)

    assert caught.value.code == "bad_due_at"


def test_an_instant_without_an_offset_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="needs a UTC offset"):
        check_due(NOW.replace(tzinfo=None), NOW)


def test_an_instant_in_another_zone_is_the_same_instant() -> None:
    kolkata = datetime.fromisoformat("2030-06-01T17:30:00+05:30")

    assert check_due(kolkata, NOW) == NOW


def test_four_states_are_final() -> None:
    assert {state.label for state in RunState if state.final} == {"succeeded", "failed", "cancelled", "skipped"}


def test_the_numbers_of_the_states_never_change() -> None:
    assert {state.label: int(state) for state in RunState} == {
        "waiting": 0,
        "queued": 1,
        "running": 2,
        "succeeded": 3,
        "failed": 4,
        "cancelled": 5,
        "skipped": 6,
    }
