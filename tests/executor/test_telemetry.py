"""Logs and progress flow back, bounded, and say what they left out."""

import logging

import pytest

from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.log import LINE_MAX
from mainspring.executor.attempts.attempt import Attempt, current
from mainspring.executor.attempts.context import Context
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.checkpoints import Done, Key, Loaded
from mainspring.executor.link.logs import RunLog
from mainspring.executor.link.telemetry import BATCH_BYTES, PERIOD, Telemetry
from mainspring.testing.clock import FakeClock
from mainspring.testing.silence import NoTelemetry
from mainspring.wire.codec import encode
from mainspring.wire.messages import Logs, Reports
from tests.executor.fakes import TOKEN, handlers, run_id


class Sink(NoTelemetry):
    """A journal that a test can read."""

    def __init__(self) -> None:
        self.lines: list[tuple[bytes, int, str]] = []
        self.reports: list[tuple[float, str]] = []
        self.memories: dict[bytes, dict[Key, bytes | None]] = {}

    def log(self, attempt: Attempt, level: int, message: str) -> None:
        self.lines.append((attempt.run, level, message))

    def progress(self, attempt: Attempt, fraction: float, note: str) -> None:
        self.reports.append((fraction, note))

    def extend(self, attempt: Attempt, seconds: float) -> None:
        attempt.extend(seconds)

    def save(
        self,
        attempt: Attempt,
        kind: MemoryKind,
        name: str,
        value: bytes | None,
        done: Done | None,
    ) -> None:
        self.memories.setdefault(attempt.run, {})[kind, name] = value
        if done is not None:
            done(True)

    def load(self, attempt: Attempt, loaded: Loaded) -> None:
        loaded(self.memories.get(attempt.run, {}))


def attempt(number: int = 1) -> Attempt:
    handler = handlers().get("noop")
    assert handler is not None
    return Attempt(run_id(number), TOKEN, 1, b"{}", handler, 0.0)


def lines(telemetry: Telemetry) -> list[tuple[int, str]]:
    return [
        (entry.seq, entry.message)
        for message in telemetry.take()
        if isinstance(message, Logs)
        for entry in message.entries
    ]


def test_lines_are_numbered_within_their_attempt(clock: FakeClock) -> None:
    telemetry = Telemetry(clock, lambda: None)
    one, two = attempt(1), attempt(2)
    for each in (one, two, one):
        telemetry.log(each, logging.INFO, "x")

    (logs,) = telemetry.take()

    assert isinstance(logs, Logs)
    assert [(entry.run, entry.seq) for entry in logs.entries] == [(run_id(1), 0), (run_id(2), 0), (run_id(1), 1)]
    assert {entry.at for entry in logs.entries} == {int(clock.now().timestamp() * 1_000_000)}


def test_more_lines_than_the_rate_are_dropped_and_counted(clock: FakeClock) -> None:
    telemetry = Telemetry(clock, lambda: None, rate=10)
    one = attempt()
    for number in range(30):
        telemetry.log(one, logging.INFO, str(number))

    assert lines(telemetry) == [*((number, str(number)) for number in range(10)), (30, "… 20 lines dropped")]

    clock.advance(0.5)
    for _ in range(9):
        telemetry.log(one, logging.INFO, "again")

    assert lines(telemetry) == [*((number, "again") for number in range(31, 36)), (40, "… 4 lines dropped")]


def test_the_buffer_is_bounded_while_nobody_listens(clock: FakeClock) -> None:
    telemetry = Telemetry(clock, lambda: None, rate=1000, kept=5)
    one = attempt()
    for _ in range(10):
        clock.advance(1)
        for _ in range(100):
            telemetry.log(one, logging.INFO, "x")

    assert [message for _, message in lines(telemetry)] == ["x"] * 5 + ["… 995 lines dropped"]


def test_a_line_may_say_what_no_utf_8_can(clock: FakeClock) -> None:
    telemetry = Telemetry(clock, lambda: None)
    telemetry.log(attempt(), logging.INFO, "caf\udce9")
    telemetry.progress(attempt(), 0.5, "caf\udce9")

    assert encode(telemetry.take_frame()).count(b"caf?") == 2


def test_a_long_line_is_cut(clock: FakeClock) -> None:
    telemetry = Telemetry(clock, lambda: None)
    telemetry.log(attempt(), logging.INFO, "é" * LINE_MAX)

    ((_, message),) = lines(telemetry)

    assert len(message.encode()) <= LINE_MAX
    assert message.endswith("é …")


def test_a_frame_of_logs_is_small_and_the_next_one_waits(clock: FakeClock) -> None:
    telemetry = Telemetry(clock, lambda: None)
    one = attempt()
    for _ in range(100):
        telemetry.log(one, logging.INFO, "x" * LINE_MAX)

    first = lines(telemetry)

    assert sum(len(message) for _, message in first) <= BATCH_BYTES + LINE_MAX
    assert lines(telemetry) == []
    assert telemetry.due_in() == pytest.approx(PERIOD)
    clock.advance(PERIOD)
    assert len(lines(telemetry)) > 10


def test_only_the_latest_progress_counts(clock: FakeClock) -> None:
    telemetry = Telemetry(clock, lambda: None)
    context = Context(attempt(), telemetry)
    context.progress(0.1)
    context.progress(7, "done")

    (reports,) = telemetry.take()

    assert isinstance(reports, Reports)
    assert [(entry.fraction, entry.note) for entry in reports.entries] == [(1.0, "done")]
    assert telemetry.empty


def test_the_context_s_logger_writes_at_every_level_and_with_tracebacks() -> None:
    sink = Sink()
    logger = Context(attempt(), sink).logger
    logger.debug("a %s", "b")
    try:
        int("wrong")
    except ValueError:
        logger.exception("oh")

    assert sink.lines[0] == (run_id(1), logging.DEBUG, "a b")
    assert sink.lines[1][2].startswith("oh\nTraceback")
    assert sink.lines[1][2].endswith("'wrong'")


def test_records_of_other_loggers_belong_to_the_attempt_that_runs() -> None:
    sink = Sink()
    log = logging.getLogger("someone.library")
    capture = RunLog(sink)
    logging.getLogger().addHandler(capture)
    try:
        log.warning("nobody's")
        token = current.set(attempt(7))
        log.warning("mine")
        logging.getLogger("mainspring.executor").warning("ours")
        current.reset(token)
    finally:
        logging.getLogger().removeHandler(capture)

    assert sink.lines == [(run_id(7), logging.WARNING, "mine")]


def test_the_context_says_who_it_is() -> None:
    handler = Handlers().add(lambda: None, name="report")
    context = Context(Attempt(run_id(5), TOKEN, 4, b"{}", handler, 0.0), Sink())

    assert (context.job, context.attempt, context.fence) == ("report", 4, 4)
    assert context.run == context.idempotency_key == "00000000-0000-0000-0000-000000000005"
    assert not context.should_stop
