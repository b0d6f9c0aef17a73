"""What the trial with servers killed at an instant counts: each way in which an instant can go wrong shows."""

from datetime import timedelta
from pathlib import Path

import pytest

from mainspring.testing.clock import START
from proof.boundary.count import Count, Done, Instant, count, executed

MADE = START.replace(microsecond=500_000)
FIRST, SECOND = (START.replace(microsecond=0) + timedelta(seconds=number) for number in (1, 2))
BOTH: set[Instant] = {("t", FIRST), ("t", SECOND)}


def done(*runs: str, attempt: int = 1) -> list[Done]:
    instants = (FIRST, SECOND, SECOND)
    return [Done("t", at, run, attempt, at) for run, at in zip(runs, instants, strict=False)]


def counted(fired: set[Instant], skipped: set[Instant], executions: list[Done]) -> Count:
    return count({"t": (MADE, SECOND)}, fired, skipped, executions)


def test_every_second_behind_its_making_is_due_and_has_its_run() -> None:
    found = counted(BOTH, set(), done("a", "b"))

    assert found == Count(due=2, lost=0, unexecuted=0, twice=0, unknown=0, skipped=0, repeated=0)
    assert found.held


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("lost", counted({("t", FIRST)}, set(), done("a"))),
        ("unexecuted", counted(BOTH, set(), done("a"))),
        ("twice", counted(BOTH, set(), done("a", "b", "c"))),
        ("unknown", counted({("t", FIRST)}, {("t", SECOND)}, done("a", "b"))),
    ],
)
def test_an_instant_that_went_wrong_is_counted_for_what_it_is(field: str, found: Count) -> None:
    assert getattr(found, field) == 1
    assert not found.held


def test_a_run_that_was_tried_again_is_no_second_run() -> None:
    found = counted(BOTH, set(), [*done("a", "b"), *done("a", attempt=2)])

    assert found.held
    assert found.repeated == 1


def test_what_a_handler_wrote_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "executed"
    path.write_text(f"t {FIRST.isoformat()} a 1 {SECOND.isoformat()}\n")

    assert executed(path) == [Done("t", FIRST, "a", 1, SECOND)]
    assert executed(path)[0].delay == 1.0
