"""Breakers around calls inside handlers, on one executor."""

from collections.abc import Callable
from contextlib import nullcontext, suppress

import pytest

from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.runs.attempt import Outcome
from mainspring.errors import InvalidInputError
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.context import Context
from mainspring.executor.attempts.signals import BreakerOpen, Retry, Snooze
from mainspring.executor.breakers.guard import Admission
from mainspring.executor.breakers.guards import PATIENCE, Guards
from mainspring.executor.link.telemetry import Telemetry
from mainspring.testing.clock import FakeClock
from mainspring.wire.base import Message
from mainspring.wire.breakers import AskPermits, BreakerView, CallReport, Permitted, ReportCalls
from tests.executor.test_telemetry import attempt

SPEC = BreakerSpec(min_calls=4, probes=2, wait=10.0, ignore=("InvalidNumberError",))
GATEWAY = "sms-gateway"


class InvalidNumberError(Exception): ...


class Desk:
    """A handler's context, and the executor's end of the link."""

    def __init__(self, *, connected: bool = True) -> None:
        self.clock = FakeClock()
        telemetry = Telemetry(self.clock, lambda: None)
        self.attempt: Attempt = attempt()
        self.context = Context(self.attempt, telemetry)
        self.guards: Guards = telemetry.guards
        if connected:
            self.guards.connect()
            self.tell()

    def tell(
        self, state: BreakerState = BreakerState.CLOSED, epoch: int = 1, wait: float | None = None, wave: int = 0
    ) -> None:
        self.guards.follow([BreakerView(GATEWAY, state, epoch, SPEC, wait, wave, "60% of 20 calls failed")])

    def call(self, *errors: Exception | None) -> None:
        for error in errors:
            with suppress(type(error)) if error is not None else nullcontext(), self.context.breaker(GATEWAY):
                if error is not None:
                    raise error

    def sent(self, seconds: float = 0.0) -> list[Message]:
        self.clock.advance(seconds)
        return [message for frame in self.guards.take() for message in frame]

    def reports(self) -> list[CallReport]:
        return [entry for message in self.sent(1.0) if isinstance(message, ReportCalls) for entry in message.entries]

    def waiting(self, wait: float = 0.0) -> list[Admission]:
        answers: list[Admission] = []
        self.guards.await_admission(GATEWAY, wait, answers.append)
        return answers


def test_calls_are_counted_and_reported_in_the_epoch_that_a_server_told_of() -> None:
    desk = Desk()
    desk.call(None, None, OSError(), InvalidNumberError())

    assert desk.reports() == [CallReport(GATEWAY, 1, 3, 1, 0, 1)]
    assert desk.reports() == []


@pytest.mark.parametrize("end", [Snooze(5), BreakerOpen("other")])
def test_a_call_that_says_nothing_of_the_downstream_counts_for_nothing(end: Exception) -> None:
    desk = Desk()
    desk.call(end)

    assert desk.reports() == [CallReport(GATEWAY, 1, 0, 0, 0, 1)]


class BusyError(Exception):
    """An error as HTTP libraries raise it."""

    class Response:
        headers = {"Retry-After": "30"}  # noqa: RUF012 as libraries have it

    response = Response()


@pytest.mark.parametrize("error", [Retry(30), BusyError()])
def test_a_pause_that_the_downstream_wants_is_reported(error: Exception) -> None:
    desk = Desk()
    desk.call(error)
    [report] = desk.reports()

    assert (report.failures, report.retry_in) == (1, 29.0)


def test_a_handler_says_what_no_exception_says() -> None:
    desk = Desk()
    with desk.context.breaker(GATEWAY) as call:
        call.retry_after(60)
    with desk.context.breaker(GATEWAY) as call:
        call.ignore()

    assert desk.reports() == [CallReport(GATEWAY, 1, 1, 1, 0, 1, 59.0)]


def test_an_open_breaker_parks_the_attempt_without_a_failure() -> None:
    desk = Desk()
    desk.tell(BreakerState.OPEN, epoch=2, wait=12.0)
    with pytest.raises(BreakerOpen, match="60% of 20 calls failed") as refused, desk.context.breaker(GATEWAY):
        pytest.fail("the call began")
    desk.attempt.fail_by(refused.value)

    assert (desk.attempt.outcome, desk.attempt.failure) == (Outcome.PARKED, None)
    assert (desk.attempt.breaker, desk.attempt.epoch, desk.attempt.after) == (GATEWAY, 2, 12.0)
    assert desk.context.breaker_state(GATEWAY) is BreakerState.OPEN


def test_an_executor_whose_own_calls_fail_opens_before_a_server_says_so() -> None:
    desk = Desk()
    desk.call(*[OSError()] * 4)

    assert desk.context.breaker_state(GATEWAY) is BreakerState.OPEN
    assert [message for message in desk.sent() if isinstance(message, ReportCalls)]


@pytest.mark.parametrize(
    ("probes", "expected"),
    [((None, None), BreakerState.CLOSED), ((OSError(),), BreakerState.OPEN)],
    ids=["well", "ill"],
)
def test_without_a_server_it_goes_through_all_states_by_itself(
    probes: tuple[Exception | None, ...], expected: BreakerState
) -> None:
    desk = Desk(connected=False)
    desk.guards.follow([BreakerView(GATEWAY, BreakerState.CLOSED, 1, SPEC)])
    desk.call(*[OSError()] * 4)
    desk.clock.advance(12.0)
    assert desk.context.breaker_state(GATEWAY) is BreakerState.HALF_OPEN
    desk.call(*probes)

    assert desk.context.breaker_state(GATEWAY) is expected


def test_a_server_gives_permits_to_those_that_came_first() -> None:
    desk = Desk()
    desk.tell(BreakerState.HALF_OPEN, epoch=3, wait=60.0)
    answers = [desk.waiting() for _ in range(3)]
    assert desk.sent() == [AskPermits(GATEWAY, 3, 3)]
    desk.guards.permit(Permitted(GATEWAY, 3, 2))

    assert [[one.refused for one in each] for each in answers] == [[False], [False], [True]]


def test_a_call_waits_for_its_turn_in_a_wave() -> None:
    desk = Desk()
    desk.tell(epoch=4, wave=5, wait=5.0)
    answers = desk.waiting()
    desk.sent()
    desk.guards.permit(Permitted(GATEWAY, 4, 0, 0.2))
    assert (answers, desk.sent(0.1)) == ([], [])
    assert desk.sent(0.2) == [AskPermits(GATEWAY, 4, 1)]
    desk.guards.permit(Permitted(GATEWAY, 4, 1, 0.2))

    assert [one.refused for one in answers] == [False]


def test_a_server_that_does_not_answer_leaves_the_executor_to_its_own_count() -> None:
    desk = Desk()
    desk.tell(BreakerState.HALF_OPEN, epoch=3, wait=60.0)
    answers = [desk.waiting() for _ in range(3)]
    desk.sent()
    desk.sent(PATIENCE)

    assert [[one.refused for one in each] for each in answers] == [[False], [False], [True]]


def test_a_call_that_may_wait_is_let_through_when_the_breaker_closes() -> None:
    desk = Desk()
    desk.tell(BreakerState.OPEN, epoch=2, wait=60.0)
    patient, hasty = desk.waiting(5.0), desk.waiting(1.0)
    desk.sent(2.0)
    desk.tell(BreakerState.CLOSED, epoch=3)
    desk.sent()

    assert ([one.refused for one in patient], [one.refused for one in hasty]) == ([False], [True])


@pytest.mark.parametrize(
    "call",
    [
        lambda context: context.breaker(""),
        lambda context: context.breaker("x" * 101),
        lambda context: context.breaker("api", key="\n"),
        lambda context: context.breaker("api", wait=-1),
    ],
)
def test_nonsense_is_refused(call: Callable[[Context], object]) -> None:
    with pytest.raises(InvalidInputError):
        call(Desk().context)


def stopping(desk: Desk) -> bool:
    return desk.context.should_stop


def test_an_attempt_is_told_to_stop_while_the_breaker_of_its_job_is_open() -> None:
    desk = Desk()
    desk.attempt.job = "send"
    desk.tell(BreakerState.OPEN, 2, 9.0)
    assert not stopping(desk)
    desk.context.raise_if_stopping()

    stops = BreakerView(GATEWAY, BreakerState.OPEN, 2, SPEC, 9.0, 0, "60% of 20 calls failed", ["send", "other"])
    desk.guards.follow([stops])
    assert stopping(desk)
    desk.attempt.job = ""
    assert not stopping(desk), "another job of the same handler goes on"
    desk.attempt.job = "send"
    with pytest.raises(BreakerOpen) as refused:
        desk.context.raise_if_stopping()
    desk.attempt.fail_by(refused.value)
    assert (desk.attempt.outcome, desk.attempt.breaker, desk.attempt.epoch) == (Outcome.PARKED, GATEWAY, 2)

    for state in (BreakerState.HALF_OPEN, BreakerState.CLOSED):
        desk.guards.follow([BreakerView(GATEWAY, state, 3, SPEC, None, 0, "", ["send"])])
        assert not stopping(desk)
    desk.guards.follow([BreakerView(GATEWAY, BreakerState.FORCED_OPEN, 4, SPEC, None, 0, "", [])])
    assert not stopping(desk)
