"""What a server would take for something else is refused before it is sent."""

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mainspring.client.calls import Request, T
from mainspring.client.sync.access import Audit
from mainspring.client.sync.backfills import Backfills
from mainspring.client.sync.dead_letters import Sweeps
from mainspring.client.sync.runs import Runs
from mainspring.client.sync.triggers import Triggers
from mainspring.client.transport.requests import Enqueue, list_runs, new_enqueue
from mainspring.errors import InvalidInputError

NAIVE = datetime(2030, 1, 1)  # noqa: DTZ001 that is what is refused
AWARE = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("field", ["delay", "deadline", "start_within", "priority"])
def test_numbers_that_json_does_not_know_are_refused(field: str, number: float) -> None:
    with pytest.raises(InvalidInputError, match=f"{field}: {number} is no finite number") as refused:
        new_enqueue("greet", **{field: number})  # type: ignore[arg-type]

    assert (refused.value.field, refused.value.code) == (field, f"bad_{field}")


def test_they_are_refused_in_whatever_way_a_run_is_asked_for() -> None:
    with pytest.raises(InvalidInputError, match="delay: inf"):
        Enqueue(job="greet", delay=math.inf)
    with pytest.raises(InvalidInputError, match="start_within: nan"):
        new_enqueue("greet").replace(start_within=math.nan)


def test_a_deadline_is_an_instant_or_a_time_from_now() -> None:
    said = [new_enqueue("greet", deadline=each) for each in (AWARE, 4, 0.5, timedelta(minutes=1))]

    assert [(each.deadline, each.deadline_in) for each in said] == [(AWARE, None), (None, 4), (None, 0.5), (None, 60.0)]


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda: new_enqueue("greet", tags="abc"), "tags"),
        (lambda: list_runs(tags="abc"), "tags"),
        (lambda: list_runs(states="failed"), "states"),
    ],
)
def test_a_text_is_no_list(ask: Callable[[], object], field: str) -> None:
    with pytest.raises(InvalidInputError, match=r"is one text, not a list: write \['") as refused:
        ask()

    assert (refused.value.field, refused.value.code) == (field, f"bad_{field}")


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({"tag": ["a"]}, "tag: is no filter of runs; did you mean tags?"),
        ({"state": "failed"}, "state: is no filter of runs; did you mean states?"),
        ({"colour": "red"}, "colour: is no filter of runs"),
    ],
)
def test_a_filter_that_is_not_known_is_refused(filters: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        list_runs(**filters)

    assert (str(refused.value), refused.value.code) == (words, "unknown_filter")


class Requests:
    """Takes requests instead of sending them."""

    def __init__(self) -> None:
        self.bodies: list[bytes | None] = []

    def __call__(self, request: Request[T]) -> T:
        self.bodies.append(request.body)
        return None  # type: ignore[return-value]


triggers, sweeps, audit = Triggers(Requests()), Sweeps(Requests()), Audit(Requests())
runs = Runs()
runs._call = Requests()


def fill(**instants: Any) -> bytes:
    call = Requests()
    Backfills(call).preview("daily", **{"since": AWARE, **instants})
    [body] = call.bodies
    return body or b""


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda: list_runs(since=NAIVE), "since"),
        (lambda: list_runs(until=NAIVE), "until"),
        (lambda: triggers.preview("daily", after=NAIVE), "after"),
        (lambda: triggers.instants("daily", until=NAIVE), "until"),
        (lambda: triggers.forecast(since=NAIVE), "since"),
        (lambda: audit.list(since=NAIVE), "since"),
        (lambda: sweeps.create("retry", since=NAIVE), "since"),
        (lambda: fill(since=NAIVE), "since"),
        (lambda: fill(until=NAIVE), "until"),
    ],
)
def test_an_instant_needs_an_offset(ask: Callable[[], object], field: str) -> None:
    with pytest.raises(InvalidInputError, match="needs a UTC offset, such as 2030-01-01T09:00:00Z") as refused:
        ask()

    assert (refused.value.field, refused.value.code) == (field, f"bad_{field}")


def test_an_instant_with_one_is_taken_as_it_is() -> None:
    assert list_runs(since=AWARE).params["since"] == "2030-01-01T00:00:00+00:00"
    assert b'"since":"2030-01-01T00:00:00Z"' in fill()


@pytest.mark.parametrize("year", [1, 1899, 3000, 9999])
def test_instants_that_no_server_knows_are_refused_before_they_are_sent(year: int) -> None:
    at = datetime(year, 1, 1, tzinfo=UTC)
    asked: list[Callable[[], object]] = [
        lambda: new_enqueue("greet", due_at=at),
        lambda: new_enqueue("greet", deadline=at),
        lambda: Enqueue(job="greet", due_at=at),
        lambda: list_runs(since=at),
        lambda: runs.suspend("x", resume_at=at),
        lambda: sweeps.create("cancel", until=at),
        lambda: triggers.preview("x", after=at),
    ]
    for ask in asked:
        with pytest.raises(InvalidInputError, match="lies outside the years 1900 to 2999"):
            ask()
