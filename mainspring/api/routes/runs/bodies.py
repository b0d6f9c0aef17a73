"""New runs: their bodies become requests of the engine, and its answers are shown."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar

import msgspec

from mainspring.api.input.bodies import decode_allowing_integral_floats, unreadable
from mainspring.api.input.explain import explain
from mainspring.contract.operations.runs import NewRunBody, NewRunsBody, RunBody
from mainspring.contract.runs import AcceptedRun
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.domain.routing.route import Route
from mainspring.domain.runs.birth import Accepted, RunRequest
from mainspring.domain.runs.run import DUE_MAX, INPUT_DEPTH_MAX
from mainspring.domain.runs.trace import read_traceparent
from mainspring.errors import InvalidInputError, TooLargeError

T = TypeVar("T")


_one = msgspec.json.Decoder(NewRunBody)
_options = msgspec.json.Decoder(RunBody)
_many = msgspec.json.Decoder(NewRunsBody)


def decode_one(body: bytearray, now: datetime, by: str, key: str | None, trace: str = "") -> RunRequest:
    """A request; `key` and `trace` are those of the headers."""
    return as_request(keyed(_decode(_one, body), key), now, by, trace)


def decode_options(job: str, body: bytearray, now: datetime, by: str, key: str | None, trace: str = "") -> RunRequest:
    """A request for a run of that job."""
    options = msgspec.structs.asdict(_decode(_options, body))
    return as_request(keyed(NewRunBody(job=job, **options), key), now, by, trace)


def keyed(run: NewRunBody, key: str | None) -> NewRunBody:
    if key is not None:
        if run.key not in (None, key):
            raise InvalidInputError("key", "is another one than the header Idempotency-Key says", code="two_keys")
        run.key = key
    return run


def decode_many(body: bytearray, now: datetime, by: str, trace: str = "") -> list[RunRequest]:
    return as_requests(_decode(_many, body).runs, now, by, trace)


def as_requests(runs: Sequence[NewRunBody], now: datetime, by: str, trace: str = "") -> list[RunRequest]:
    """Raises InvalidInputError with the place of the run."""
    requests: list[RunRequest] = []
    try:
        for run in runs:
            requests.append(as_request(run, now, by, trace))  # noqa: PERF401
    except InvalidInputError as error:
        raise type(error)(f"runs[{len(requests)}].{error.field}", error.reason, code=error.code) from None
    return requests


def as_request(run: NewRunBody, now: datetime, by: str, trace: str = "") -> RunRequest:
    return RunRequest(
        job=run.job,
        input=bytes(run.input),
        queue=run.queue,
        executor=run.executor,
        route=None if run.route is None else Route(**msgspec.structs.asdict(run.route)),
        priority=run.priority,
        due_at=run.due_at if run.delay is None else due_after(run, run.delay, now),
        key=run.key,
        labels=run.labels,
        tags=run.tags,
        parent=None if run.parent is None else parse_run_id(run.parent),
        deadline_at=run.deadline if run.deadline_in is None else deadline_after(run, run.deadline_in, now),
        start_within=run.start_within,
        by=by,
        traceparent=read_traceparent(run.traceparent or trace) if run.traceparent or trace else "",
    )


def show_accepted(accepted: Accepted) -> AcceptedRun:
    return AcceptedRun(id_text(accepted.id), accepted.existing)


def deadline_after(run: NewRunBody, seconds: float, now: datetime) -> datetime:
    if run.deadline is not None:
        raise InvalidInputError("deadline_in", "cannot be given together with deadline", code="bad_deadline")
    if seconds > DUE_MAX.total_seconds():
        raise InvalidInputError("deadline_in", "is more than 10 years", code="bad_deadline")
    return now + timedelta(seconds=seconds)


def due_after(run: NewRunBody, delay: float, now: datetime) -> datetime:
    if run.due_at is not None:
        raise InvalidInputError("delay", "cannot be given together with due_at", code="bad_delay")
    if delay > DUE_MAX.total_seconds():
        raise InvalidInputError("delay", "is more than 10 years", code="bad_delay")
    return now + timedelta(seconds=delay)


def _decode(decoder: msgspec.json.Decoder[T], body: bytearray) -> T:
    try:
        return decode_allowing_integral_floats(decoder, body)
    except msgspec.ValidationError as error:
        raise explain(str(error), decoder.type) from None
    except msgspec.DecodeError as error:
        raise unreadable(body, error) from None
    except RecursionError:
        raise TooLargeError("input", f"is nested deeper than {INPUT_DEPTH_MAX} levels", code="input_too_deep") from None
