"""Attempts of runs without a trace begin one by the sampler's share, and all attempts of a run agree."""

from collections.abc import Iterator

import pytest

from mainspring.domain.ids import Ids, RunId, Token
from mainspring.domain.metadata import RunMetadata, encode_metadata, read_metadata
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.missing_handler import MissingHandler
from mainspring.executor.attempts.trace_runs import trace_sampled
from mainspring.telemetry.start import end_of
from mainspring.telemetry.switch import Tracing
from mainspring.testing.clock import START
from mainspring.wire.messages import Start

CONTEXT = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"


@pytest.fixture(autouse=True)
def share() -> Iterator[None]:
    before, Tracing.share_end = Tracing.share_end, end_of(0.1)
    yield
    Tracing.share_end = before


class Spanned(MissingHandler, frozen=True):
    """Stands for the handler with a span."""


class Known(MissingHandler, frozen=True):
    spanned: Spanned = Spanned("noop")  # type: ignore[assignment]


def is_left_out(one: Attempt) -> bool:
    trace_sampled([one])
    return not isinstance(one.handler, Spanned)


def attempt(run: RunId, number: int = 1, extra: bytes | None = None) -> Attempt:
    return Attempt(run, Token(bytes(16)), number, b"{}", Known("noop"), 0.0, extra)


def test_the_share_of_runs_is_that_of_the_sampler() -> None:
    runs = Ids().runs(20_000, START)
    taken = sum(not is_left_out(attempt(run)) for run in runs)

    assert 1_700 < taken < 2_300
    assert all(is_left_out(attempt(run)) == is_left_out(attempt(run, 2)) for run in runs[:100])


def test_a_run_that_belongs_to_a_trace_is_never_left_out() -> None:
    extra = encode_metadata(RunMetadata(traceparent=CONTEXT))

    assert not any(is_left_out(attempt(run, 1, extra)) for run in Ids().runs(100, START))


def test_a_span_names_the_queue_of_its_run_although_two_queues_have_its_handler() -> None:
    Tracing.share_end = end_of(1.0)
    extra = encode_metadata(RunMetadata(tags=("nightly",), left=7.0))
    one, other = attempt(Ids().runs(1, START)[0]), attempt(Ids().runs(1, START)[0], extra=extra)
    start = Start(
        one.token, 0, ["noop"] * 2, [other.run, one.run], [1, 0], [1, 1], [b"{}"] * 2, queues=["mail", "night"]
    )
    trace_sampled([one, other], start)

    assert read_metadata(one.extra) == RunMetadata(queue="mail")
    assert read_metadata(other.extra) == RunMetadata(queue="night", tags=("nightly",), left=7.0)


def test_a_run_that_is_left_out_is_told_nothing() -> None:
    Tracing.share_end = end_of(0.0)
    one = attempt(Ids().runs(1, START)[0])
    trace_sampled([one], Start(one.token, 0, ["noop"], [one.run], [0], [1], [b"{}"], queues=["mail"]))

    assert one.extra is None


def test_without_a_share_every_run_is_traced() -> None:
    Tracing.share_end = end_of(1.0)

    assert not any(is_left_out(attempt(run)) for run in Ids().runs(100, START))
