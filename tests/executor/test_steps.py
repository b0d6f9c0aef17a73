"""How many steps and effects a run may have, over all of its attempts."""

import pytest
from msgspec.structs import replace

from mainspring.domain.runs.checkpoints import MEMORIES_MAX
from mainspring.errors import InvalidInputError
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.context import Context
from mainspring.executor.link.checkpoints import Loaded
from tests.executor.test_telemetry import Sink, attempt


class Snapshots(Sink):
    """Tells what was remembered when it is asked, as a server does."""

    def load(self, attempt: Attempt, loaded: Loaded) -> None:
        loaded(dict(self.memories.get(attempt.run, {})))


def answer() -> int:
    return 42


def test_the_steps_of_attempts_before_count_as_well() -> None:
    sink, first = Snapshots(), attempt()
    context = Context(first, sink)
    context.checkpoint("begun")
    for number in range(MEMORIES_MAX - 2):
        context.step_sync(f"step {number}", answer)
    with context.effect("mail"):
        pass

    again = Context(replace(first, number=2), sink)
    assert again.step_sync("step 7", answer) == 42
    assert again.step_sync("the last", answer) == 42
    with pytest.raises(InvalidInputError, match="at most 1000 steps and effects") as refused:
        again.step_sync("one more", answer)
    assert refused.value.code == "too_many_steps"
    with pytest.raises(InvalidInputError, match="at most"), again.effect("another mail"):
        pass
    with again.effect("mail") as sent:
        assert sent.done


def test_one_attempt_alone_has_no_more_than_a_run() -> None:
    context = Context(attempt(), Sink())
    for number in range(MEMORIES_MAX):
        context.step_sync(f"step {number}", answer)

    with pytest.raises(InvalidInputError, match="at most"):
        context.step_sync("one more", answer)
