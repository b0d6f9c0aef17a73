"""Bytes to messages and back, and the checks of what executors report about attempts.

A faulty or hostile executor may send any value of the right type. A value that does not fit is never stored; it fails the
attempt with a stable code, so that the run goes on by its retry policy. The checks look at decoded values once each: most
results cost a quarter of a microsecond.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, TypeVar

import msgspec

from mainspring.domain.breakers.spec import LABEL_MAX
from mainspring.domain.ids import RunId, Token
from mainspring.domain.names import check_text
from mainspring.domain.runs.attempt import DURATION_MAX, KIND_MAX, KINDS_MAX, WAIT_MAX, Ended, Outcome
from mainspring.domain.runs.checkpoints import TURN_MAX, Memory, MemoryKind, Pair, check_memory_name, check_value
from mainspring.domain.runs.run import (
    CODE_MAX,
    DUE_MAX,
    ERROR_MAX,
    MESSAGE_MAX,
    RESULT_MAX,
    SUSPENSION_REASON_MAX,
    TRACEBACK_MAX,
    Failure,
    Suspension,
)
from mainspring.domain.years import check_years
from mainspring.errors import ConfigError, FrameError, InvalidInputError, TooLargeError
from mainspring.wire.base import Message
from mainspring.wire.messages import FRAME_MAX, HELLO_MAX, FromExecutor, FromServer, Holding, Outcomes

T = TypeVar("T")

# Each of them costs the server something.
MESSAGES_MAX = 100
"""In one frame of an executor."""

_encoder = msgspec.msgpack.Encoder()
_from_executor = msgspec.msgpack.Decoder(Annotated[list[FromExecutor], msgspec.Meta(max_length=MESSAGES_MAX)])
_from_server = msgspec.msgpack.Decoder(list[FromServer])


def encode(messages: Sequence[Message]) -> bytes:
    return _encoder.encode(messages)


def decode_from_executor(frame: bytes) -> list[FromExecutor]:
    return _decode(_from_executor, frame)


def decode_first(frame: bytes) -> list[FromExecutor]:
    """Decode the first frame of a connection; raises ConfigError if it is over the limits."""
    if len(frame) > HELLO_MAX:
        raise ConfigError(f"a hello of {len(frame)} bytes is over the limit of {HELLO_MAX}")
    return decode_from_executor(frame)


def decode_from_server(frame: bytes) -> list[FromServer]:
    return _decode(_from_server, frame)


def _decode(decoder: msgspec.msgpack.Decoder[T], frame: bytes) -> T:
    if len(frame) > FRAME_MAX:
        raise FrameError(f"frame of {len(frame)} bytes is over the limit of {FRAME_MAX}")
    try:
        return decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FrameError(f"malformed frame: {error}") from None


BAD_OUTCOME = "bad_outcome"
BAD_RESULT = "bad_result"
BAD_MEMORY = "bad_memory"
DELAY_MAX = DUE_MAX.total_seconds()
NULL = b"null"

_json = msgspec.json.Decoder(msgspec.Raw)


def pairs_of(holding: Iterable[Holding]) -> set[Pair]:
    """The attempts that a message names, each as run and token."""
    return {(run, batch.token) for batch in holding for run in batch.runs}


def holding_of(pairs: Iterable[Pair]) -> list[Holding]:
    """Name attempts in a message, each once, grouped by token."""
    runs: dict[Token, list[RunId]] = {}
    for run, token in dict.fromkeys(pairs):
        runs.setdefault(token, []).append(run)
    return [Holding(token, named) for token, named in runs.items()]


def fitted(outcomes: Outcomes) -> Outcomes:
    """The same, but that attempts whose outcome does not fit have failed for that reason."""
    flaws = flaws_in(outcomes)
    unfit = {at: flaw for at, end in enumerate(outcomes.ended) if (flaw := flaw_of(end)) is not None}
    if not flaws and not unfit:
        return outcomes
    ended = [failed(end.run, end.token, unfit[at]) if at in unfit else end for at, end in enumerate(outcomes.ended)]
    ended += [failed(outcomes.runs[at], outcomes.tokens[at], flaw) for at, flaw in flaws.items()]
    return chosen(outcomes, [at for at in range(len(outcomes.runs)) if at not in flaws], ended)


def chosen(outcomes: Outcomes, kept: Sequence[int], ended: list[Ended]) -> Outcomes:
    """The batch with these of its successes, and these other ends."""
    return Outcomes(
        outcomes.seq,
        [outcomes.runs[at] for at in kept],
        [outcomes.tokens[at] for at in kept],
        [outcomes.results[at] for at in kept],
        [outcomes.waits[at] for at in kept],
        [outcomes.durations[at] for at in kept],
        ended,
    )


def failed(run: RunId, token: Token, flaw: InvalidInputError) -> Ended:
    """The failed outcome of an attempt whose report does not fit."""
    failure = Failure(error=flaw.code, message=str(flaw)[:MESSAGE_MAX], code=flaw.code)
    return Ended(run=run, token=token, outcome=Outcome.FAILED, failure=failure)


def flaws_in(outcomes: Outcomes) -> dict[int, InvalidInputError]:
    """The flaws of successes, by their position."""
    found: dict[int, InvalidInputError] = {}
    if outcomes.results.count(NULL) < len(outcomes.results):
        for at, result in enumerate(outcomes.results):
            if result != NULL and (flaw := flaw_of_result(result)) is not None:
                found[at] = flaw
    for field, numbers, most in (("wait", outcomes.waits, WAIT_MAX), ("duration", outcomes.durations, DURATION_MAX)):
        if numbers and not 0 <= min(numbers) <= max(numbers) <= most:
            found |= {at: out_of_range(field) for at, number in enumerate(numbers) if not 0 <= number <= most}
    return found


def flaw_of_result(raw: bytes) -> InvalidInputError | None:
    if len(raw) > RESULT_MAX:
        return TooLargeError("result", f"{len(raw)} bytes are over the limit of {RESULT_MAX}", code="result_too_large")
    reason = flaw_of_json(raw)
    return None if reason is None else InvalidInputError("result", reason, code=BAD_RESULT)


def flaw_of_json(raw: bytes) -> str | None:
    """Why these bytes are not the UTF-8 text of one JSON value."""
    try:
        _json.decode(raw)
        # The decoder skips over the bytes of texts.
        if not raw.isascii():
            raw.decode()
    except msgspec.DecodeError as error:
        return f"is not JSON: {error}"
    except UnicodeDecodeError:
        return "is not JSON: it is not UTF-8"
    except RecursionError:
        return "is nested too deep"
    return None


def flaw_of(end: Ended) -> InvalidInputError | None:
    try:
        check_end(end)
    except InvalidInputError as flaw:
        return flaw
    return None


def check_end(end: Ended) -> None:
    """Raises InvalidInputError, as do the others."""
    if end.outcome is Outcome.SUCCEEDED:
        raise InvalidInputError("outcome", "is a success without a result", code=BAD_OUTCOME)
    if not 0 <= end.wait <= WAIT_MAX:
        raise out_of_range("wait")
    if not 0 <= end.duration <= DURATION_MAX:
        raise out_of_range("duration")
    if end.after is not None and not 0 <= end.after <= DELAY_MAX:
        raise out_of_range("after")
    if end.until is not None:
        check_years(end.until, "until", code=BAD_OUTCOME)
    check_kinds(end.kinds)
    if (end.outcome is Outcome.PARKED) != bool(end.breaker):
        raise InvalidInputError("breaker", "is that of a parked attempt, and of no other", code=BAD_OUTCOME)
    if end.breaker:
        check_text(end.breaker, "breaker", most=LABEL_MAX, code=BAD_OUTCOME)
    if end.failure is not None:
        check_failure(end.failure)
    if end.suspension is not None:
        check_suspension(end.suspension)


def check_kinds(kinds: Sequence[str]) -> None:
    if len(kinds) > KINDS_MAX:
        raise InvalidInputError("kinds", f"{len(kinds)} are more than {KINDS_MAX}", code=BAD_OUTCOME)
    for kind in kinds:
        check_length(kind, "kinds", KIND_MAX)


def check_failure(failure: Failure) -> None:
    check_length(failure.error, "failure.error", ERROR_MAX)
    check_length(failure.code, "failure.code", CODE_MAX)
    check_length(failure.message, "failure.message", MESSAGE_MAX)
    check_length(failure.traceback, "failure.traceback", TRACEBACK_MAX)


def check_suspension(suspension: Suspension) -> None:
    check_length(suspension.reason, "suspension.reason", SUSPENSION_REASON_MAX)
    if suspension.resume_at is not None:
        check_years(suspension.resume_at, "suspension.resume_at", code=BAD_OUTCOME)
    if suspension.waits:
        # Only a server reads these, and the codec belongs to executors and clients too.
        from mainspring.domain.waits.handler import check_waits  # noqa: PLC0415

        check_waits(suspension.waits)


def check_length(text: str, field: str, most: int) -> None:
    if len(text) > most:
        raise InvalidInputError(field, f"{len(text)} characters are over the limit of {most}", code=BAD_OUTCOME)


def check_memory(memory: Memory) -> None:
    """Raises InvalidInputError unless the run can keep it."""
    kind, value = memory.kind, memory.value
    if kind is MemoryKind.WAIT:
        raise InvalidInputError("kind", "the end of a wait is the server's to write", code=BAD_MEMORY)
    if kind is not MemoryKind.CHECKPOINT:
        check_memory_name(kind, memory.name)
    elif memory.name:
        raise InvalidInputError("name", "a checkpoint has none", code=BAD_MEMORY)
    if not 0 <= memory.turn <= TURN_MAX:
        raise InvalidInputError("turn", "is out of range", code=BAD_MEMORY)
    if value is None:
        if kind is not MemoryKind.EFFECT:
            raise InvalidInputError("value", f"a {kind.label} needs one", code=BAD_MEMORY)
        return
    check_value(kind, value)
    if (flaw := flaw_of_json(value)) is not None:
        raise InvalidInputError("value", flaw, code=BAD_MEMORY)


def out_of_range(field: str) -> InvalidInputError:
    return InvalidInputError(field, "is out of range", code=BAD_OUTCOME)
