"""Whether an input is one that a job takes."""

from typing import Any

import msgspec

from mainspring.domain.jobs.definition import INPUT_NONE, with_defaults
from mainspring.domain.jobs.job import Job
from mainspring.domain.runs.run import INPUT_DEPTH_MAX
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError, TooLargeError
from mainspring.wire.arguments import check_size, checker, refusal, too_deep


def checked(job: Job, raw: bytes, schema: bytes) -> bytes:
    """The arguments, completed by those that the job has for runs that bring none."""
    if job.spec.input != INPUT_NONE:
        check_size(raw)
        try:
            raw = with_defaults(job.spec.input, raw)
        except (msgspec.DecodeError, RecursionError) as error:
            raise refusal(error) from None
    checker(schema)(raw)
    return raw


def check_defaults_fit(raw: bytes, schema: bytes) -> None:
    """Refuse names and types that no run could bring; what is missing, a run may bring itself."""
    partial = msgspec.json.decode(schema, type=dict[str, Any])
    partial.pop("required", None)
    if partial.get("additionalProperties") is False:
        refuse_unknown_names(raw, partial.get("properties", {}))
    checker(msgspec.json.encode(partial))(raw)


def refuse_unknown_names(raw: bytes, known: dict[str, Any]) -> None:
    for name in msgspec.json.decode(raw, type=dict[str, msgspec.Raw]):
        if name not in known:
            reason = f"is no argument of the job's handler{did_you_mean(name, known)}"
            raise InvalidInputError(f"input.{name}", reason, code="bad_arguments")


def check_json(raw: bytes, field: str, *, code: str) -> None:
    """Refuse what is nested too deeply before anything parses it, and what is not JSON."""
    if raw.count(b"[") + raw.count(b"{") > INPUT_DEPTH_MAX and too_deep(raw):
        raise TooLargeError(field, f"is nested deeper than {INPUT_DEPTH_MAX} levels", code="input_too_deep")
    try:
        raw.decode()
        msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(field, str(error), code=code) from None
