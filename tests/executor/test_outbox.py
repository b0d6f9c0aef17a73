"""Outcomes are kept until the server says that they are durable."""

import pytest

from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.link import outbox as module
from mainspring.executor.link.outbox import Outbox
from tests.executor.fakes import TOKEN, run_id
from tests.executor.test_telemetry import attempt


def failed(number: int) -> Attempt:
    one = attempt(number)
    one.fail("ValueError", "wrong", "trace")
    return one


def test_successes_travel_by_column_and_others_one_by_one() -> None:
    outbox = Outbox()
    good = attempt(1)
    good.wait, good.duration, good.result = 5, 70, b"1"
    outbox.add([good, failed(2)])

    (batch,) = outbox.take()

    assert (batch.seq, batch.runs, batch.tokens) == (1, [run_id(1)], [TOKEN])
    assert (batch.results, batch.waits, batch.durations) == ([b"1"], [5], [70])
    assert [(ended.run, ended.outcome) for ended in batch.ended] == [(run_id(2), Outcome.FAILED)]


def test_a_batch_is_sent_once_per_connection_until_settled() -> None:
    outbox = Outbox()
    outbox.add([attempt(1)])
    (batch,) = outbox.take()
    assert outbox.take() == []

    outbox.resend()
    assert outbox.take() == [batch]

    outbox.settle(batch.seq)
    outbox.resend()
    assert outbox.take() == []
    assert len(outbox) == 0


def test_what_is_not_settled_is_still_held() -> None:
    outbox = Outbox()
    outbox.add([attempt(1), failed(2)])
    outbox.take()
    outbox.add([attempt(3)])

    assert [run for _, run in outbox.held()] == [run_id(1), run_id(2), run_id(3)]


def test_it_is_full_until_half_of_it_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_MAX", 4)
    outbox = Outbox()
    for number in range(5):
        outbox.add([attempt(number)])
        outbox.take()
    assert outbox.full

    outbox.settle(1)
    outbox.settle(2)
    assert outbox.full

    outbox.settle(3)
    assert not outbox.full


def test_heavy_outcomes_are_split_over_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH_BYTES_MAX", 100)
    outbox = Outbox()
    heavy = [attempt(number) for number in range(4)]
    for one in heavy:
        one.result = b"x" * 60
    outbox.add(heavy)

    assert [batch.runs for batch in outbox.take()] == [[run_id(number)] for number in range(4)]


def test_settling_an_unknown_number_changes_nothing() -> None:
    outbox = Outbox()
    outbox.add([attempt(1)])
    outbox.take()

    outbox.settle(99)

    assert len(outbox) == 1


def with_two_batches_under_way() -> Outbox:
    outbox = Outbox()
    for number in (1, 2):
        outbox.add([attempt(number)])
        outbox.take()
    return outbox


def test_successes_wait_for_company_while_the_server_settles_others() -> None:
    outbox = with_two_batches_under_way()
    outbox.add([attempt(3)])

    assert outbox.gathers(0.0)


def test_an_outcome_after_which_a_run_may_begin_again_waits_for_no_company() -> None:
    outbox = with_two_batches_under_way()
    outbox.add([attempt(3), failed(4)])

    assert not outbox.gathers(0.0)
    (batch,) = outbox.take()
    assert (batch.runs, [ended.run for ended in batch.ended]) == ([run_id(3)], [run_id(4)])

    outbox.add([attempt(5)])
    assert outbox.gathers(0.0)
