"""Checkpoints, steps and suspension in child processes."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.executor.attempts.attempt import Attempt
from tests.executor.fakes import TOKEN, run_id
from tests.executor.sample import registry
from tests.executor.test_process_pool import Stage, listen
from tests.support.limits import HANG

pytestmark = pytest.mark.slow
STEP, CHECKPOINT, EFFECT = MemoryKind.STEP, MemoryKind.CHECKPOINT, MemoryKind.EFFECT


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.pool.close()


def begin(stage: Stage, name: str, number: int = 1, **arguments: object) -> Attempt:
    handler = registry.get(name)
    assert handler is not None
    attempt = Attempt(run_id(1), TOKEN, number, msgspec.json.encode(arguments), handler, 0.0)
    stage.pool.start([attempt])
    return attempt


def test_a_child_yields_at_its_next_checkpoint_and_another_goes_on(stage: Stage, tmp_path: Path) -> None:
    pipe = listen(tmp_path)
    attempt = begin(stage, "keep_going", pipe=str(pipe))
    pipe.read_text()
    attempt.suspending = True
    stage.pool.suspend([attempt])
    first = stage.ended.get(timeout=HANG)
    begin(stage, "keep_going", number=2, pipe=str(pipe))
    second = stage.ended.get(timeout=HANG)

    assert (first.outcome, first.failure) == (Outcome.SUSPENDED, None)
    kept = stage.sink.memories[run_id(1)]
    assert set(kept) == {(STEP, "first"), (CHECKPOINT, ""), (EFFECT, "mail")}
    assert (second.outcome, second.result) == (Outcome.SUCCEEDED, b'[true,{"attempt":1},true]')


def test_an_async_handler_in_a_child_awaits_the_same(stage: Stage) -> None:
    begin(stage, "keep_going_async")
    over = stage.ended.get(timeout=HANG)

    assert (over.failure, over.result) == (None, b"[8,null]")
    assert stage.sink.memories[run_id(1)] == {(EFFECT, "mail"): b"7", (STEP, "double"): b"8"}


def test_a_child_that_comes_to_no_checkpoint_is_stopped_and_counts_as_suspended(stage: Stage, tmp_path: Path) -> None:
    pipe = listen(tmp_path)
    attempt = begin(stage, "hang_in_a_step", pipe=str(pipe))
    pipe.read_text()
    attempt.suspending = True
    stage.pool.suspend([attempt])
    attempt.stop(Outcome.SUSPENDED)
    stage.pool.interrupt([attempt])
    over = stage.ended.get(timeout=HANG)

    assert (over.outcome, over.failure) == (Outcome.SUSPENDED, None)
    assert stage.sink.memories == {}
