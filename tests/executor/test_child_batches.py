"""Batches of attempts in child processes: a child that dies or is slow harms only the attempt that it runs."""

import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.pools.pipe import CHUNK, LogNote, Pipe, from_child
from tests.executor.fakes import TOKEN, run_id
from tests.executor.sample import registry
from tests.executor.test_process_pool import Stage, cancelled, listen

pytestmark = pytest.mark.slow
MANY = 60


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.pool.close()


@pytest.fixture
def pair() -> Iterator[Stage]:
    stage = Stage(core=2, most=2)
    yield stage
    stage.pool.close()


def batch(*calls: tuple[str, dict[str, object]]) -> list[Attempt]:
    found = []
    for number, (name, arguments) in enumerate(calls, 1):
        handler = registry.get(name)
        assert handler is not None
        found.append(Attempt(run_id(number), TOKEN, 1, msgspec.json.encode(arguments), handler, 0.0))
    return found


def ticks(trace: Path, first: int, count: int = MANY) -> list[tuple[str, dict[str, object]]]:
    return [("tick", {"trace": str(trace), "number": number}) for number in range(first, first + count)]


def test_a_batch_half_answered_when_its_child_dies_costs_one_attempt(stage: Stage, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    attempts = batch(*ticks(trace, 0), ("die", {}), *ticks(trace, MANY))
    stage.pool.start(attempts)
    ended = [stage.outcome() for _ in attempts]

    assert {id(attempt) for attempt in ended} == {id(attempt) for attempt in attempts}
    assert Counter(attempt.outcome for attempt in ended) == {Outcome.SUCCEEDED: 2 * MANY, Outcome.LOST: 1}
    assert attempts[MANY].outcome is Outcome.LOST
    assert Counter(trace.read_text().split()) == {str(number): 1 for number in range(2 * MANY)}
    assert stage.ended.empty()


def test_several_children_end_everything_once(pair: Stage, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    attempts = batch(*ticks(trace, 0, 2000))
    pair.pool.start(attempts)
    ended = [pair.outcome() for _ in attempts]

    assert {attempt.outcome for attempt in ended} == {Outcome.SUCCEEDED}
    assert sorted(map(int, trace.read_text().split())) == list(range(2000))
    assert (pair.pool.running, pair.pool.waiting, pair.pool._held) == (0, 0, {})


def test_attempts_at_hand_of_a_child_that_is_held_up_go_to_another(pair: Stage, tmp_path: Path) -> None:
    trace, pipe = tmp_path / "trace", listen(tmp_path)
    attempts = batch(*ticks(trace, 0), ("hang", {"pipe": str(pipe)}), *ticks(trace, MANY))
    pair.pool.start(attempts)
    pipe.read_text()
    ended = [pair.outcome() for _ in range(2 * MANY)]

    assert {attempt.outcome for attempt in ended} == {Outcome.SUCCEEDED}
    assert cancelled(pair, attempts[MANY]).outcome is Outcome.CANCELLED


def test_a_stop_takes_the_child_and_none_of_its_attempts_at_hand(stage: Stage, tmp_path: Path) -> None:
    trace, pipe = tmp_path / "trace", listen(tmp_path)
    attempts = batch(*ticks(trace, 0), ("hang", {"pipe": str(pipe)}), *ticks(trace, MANY))
    stage.pool.start(attempts)
    for _ in range(MANY):
        stage.outcome()
    pipe.read_text()
    attempts[MANY].stop(Outcome.CANCELLED)
    stage.pool.interrupt([attempts[MANY]])
    ended = [stage.outcome() for _ in range(MANY + 1)]

    assert Counter(attempt.outcome for attempt in ended) == {Outcome.SUCCEEDED: MANY, Outcome.CANCELLED: 1}
    assert Counter(trace.read_text().split()) == {str(number): 1 for number in range(2 * MANY)}


def test_a_killed_attempt_costs_the_others_at_hand_nothing(stage: Stage, tmp_path: Path) -> None:
    trace, pipe = tmp_path / "trace", listen(tmp_path)
    attempts = batch(*ticks(trace, 0), ("ignore_everything", {"pipe": str(pipe)}), *ticks(trace, MANY))
    stage.pool.start(attempts)
    for _ in range(MANY):
        stage.outcome()
    pipe.read_text()
    attempts[MANY].stopping = True
    stage.pool.abandon([attempts[MANY]])
    ended = [stage.outcome() for _ in range(MANY + 1)]

    assert Counter(attempt.outcome for attempt in ended) == {Outcome.SUCCEEDED: MANY, Outcome.RELEASED: 1}


def test_attempts_at_hand_are_withdrawn_with_the_queue(stage: Stage, tmp_path: Path) -> None:
    trace, pipe = tmp_path / "trace", listen(tmp_path)
    attempts = batch(*ticks(trace, 0), ("until_told", {"pipe": str(pipe)}), *ticks(trace, MANY))
    stage.pool.start(attempts)
    for _ in range(MANY):
        stage.outcome()
    pipe.read_text()
    for attempt in attempts[MANY:]:
        attempt.stopping = True
    stage.pool.withdraw()
    ended = [stage.outcome() for _ in range(MANY + 1)]

    assert Counter(attempt.outcome for attempt in ended) == {Outcome.RELEASED: MANY, Outcome.SUCCEEDED: 1}
    assert len(trace.read_text().split()) == MANY


def test_whole_notes_are_read_though_the_last_one_was_cut_short() -> None:
    ours, theirs = socket.socketpair()
    reading, writing = Pipe(ours, from_child), Pipe(theirs, from_child)
    for number in range(3):
        writing.send(LogNote(number, "whole"))
    theirs.sendall((CHUNK * 2).to_bytes(4, "big") + b"half")
    theirs.close()

    assert [reading.receive() for _ in range(3)] == [LogNote(number, "whole") for number in range(3)]
    with pytest.raises(EOFError):
        reading.receive()
    ours.close()
