"""The policy of a queue: its bounds, and the order of a claim that follows from it."""

import pytest

from mainspring.domain.queues.policy import (
    LENGTH_MAX,
    NO_POLICY,
    ClaimOrder,
    QueuePolicy,
    Urgency,
    check_queue_policy,
    claim_order,
    is_late,
    read_queue_policy,
    urgency_of,
    write_policy,
)
from mainspring.errors import InvalidInputError
from mainspring.testing.clock import START
from tests.words import MINUTE, SECOND


def test_a_policy_that_says_nothing_has_no_order_of_its_own_and_is_not_stored() -> None:
    assert urgency_of(NO_POLICY) is None
    assert write_policy(NO_POLICY) is None
    assert read_queue_policy(None) == NO_POLICY


def test_a_policy_is_read_as_it_was_written() -> None:
    policy = QueuePolicy(ageing=600.0, hurry=30.0)

    assert read_queue_policy(write_policy(policy)) == policy


@pytest.mark.parametrize(
    ("slots", "turn", "aged"), [(1, 0, 0), (1, 1, 1), (10, 0, 5), (10, 1, 5), (7, 1, 4), (7, 2, 3)]
)
def test_old_runs_get_half_of_all_slots_and_every_second_single_one(slots: int, turn: int, aged: int) -> None:
    assert claim_order(Urgency(ageing=60.0), slots, turn, START) == ClaimOrder(aged, START - MINUTE, None)


def test_without_ageing_no_slot_is_kept_for_old_runs() -> None:
    assert claim_order(Urgency(hurry=60.0), 10, 1, START) == ClaimOrder(0, None, START + MINUTE)


@pytest.mark.parametrize("field", ["ageing", "hurry", "late_after"])
@pytest.mark.parametrize("seconds", [0, -1, 0.5, LENGTH_MAX + 1, float("nan"), "soon"])
def test_a_length_out_of_bounds_is_refused_with_its_field(field: str, seconds: object) -> None:
    with pytest.raises(InvalidInputError) as refused:
        check_queue_policy(QueuePolicy(**{field: seconds}))  # type: ignore[arg-type]

    assert (refused.value.field, refused.value.code) == (field, f"bad_{field}")


def test_a_queue_is_late_once_its_oldest_run_has_waited_too_long() -> None:
    rule = Urgency(late_after=60.0)

    assert not is_late(rule, START, START + MINUTE)
    assert is_late(rule, START, START + MINUTE + SECOND)
    assert not is_late(rule, None, START)
    assert not is_late(Urgency(ageing=1.0), START, START + MINUTE)
    assert claim_order(rule, 10, 1, START) is None
