"""Whether an input is one that a job takes."""

import msgspec

from mainspring.domain.definition import with_defaults
from mainspring.domain.job import Job
from mainspring.domain.run import INPUT_DEPTH_MAX
from mainspring.errors import InvalidInputError, TooLargeError
from mainspring.wire.arguments import check_size, checker, refusal, too_deep

INPUT_NONE = b"{}"


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


def check_json(raw: bytes, field: str, *, code: str) -> None:
    """Refuse what is nested too deeply before anything parses it, and what is not JSON."""
    if raw.count(b"[") + raw.count(b"{") > INPUT_DEPTH_MAX and too_deep(raw):
        raise TooLargeError(field, f"is nested deeper than {INPUT_DEPTH_MAX} levels", code="input_too_deep")
    try:
        raw.decode()
        msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(field, str(error), code=code) from None
