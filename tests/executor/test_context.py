"""What a handler is told of its run."""

from datetime import UTC, datetime

import pytest

from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.context import Context
from mainspring.executor.attempts.holdings import Holdings
from mainspring.wire.messages import Start
from tests.executor.fakes import TOKEN, handlers, run_id
from tests.executor.test_telemetry import Sink

DEADLINE = datetime(2030, 1, 1, 12, tzinfo=UTC)
EXTRA = b'{"labels":{"customer":"7"},"tags":["nightly"],"deadline":"2030-01-01T12:00:00Z","left":60.5}'


def admit(*extras: bytes | None) -> list[Attempt]:
    size = max(len(extras), 1)
    runs = [run_id(n) for n in range(size)]
    start = Start(TOKEN, 0, ["noop"], runs, [0] * size, [1] * size, [b"{}"] * size, list(extras))
    noop = handlers().get("noop")
    assert noop is not None
    return Holdings().admit(start, [noop], 100.0)


def test_a_handler_sees_labels_tags_and_the_deadline() -> None:
    rich, plain = (Context(attempt, Sink()) for attempt in admit(EXTRA, None))

    assert (rich.labels, rich.tags, rich.deadline) == ({"customer": "7"}, ("nightly",), DEADLINE)
    assert (plain.labels, plain.tags, plain.deadline) == ({}, (), None)


def test_a_start_without_extras_is_one_of_plain_runs() -> None:
    [attempt] = admit()

    assert (attempt.extra, attempt.deadline) == (None, None)
    assert Context(attempt, Sink()).tags == ()


def test_the_deadline_is_counted_from_arrival_whatever_the_clock_on_the_wall_says() -> None:
    late, open_ended = admit(EXTRA, b'{"tags":["a"]}')

    assert (late.deadline, open_ended.deadline) == (160.5, None)


def test_what_a_handler_does_to_its_labels_is_its_own() -> None:
    context = Context(admit(EXTRA)[0], Sink())
    context.labels["customer"] = "8"

    assert context.labels == {"customer": "7"}


@pytest.mark.parametrize("extra", [b"{", b"[]", b'{"tags":7}', b'{"deadline":"soon"}'])
def test_a_run_whose_extra_is_damaged_is_worked_without_it(extra: bytes) -> None:
    (attempt,) = admit(extra)
    context = Context(attempt, Sink())

    assert (context.labels, context.tags, context.deadline) == ({}, (), None)
