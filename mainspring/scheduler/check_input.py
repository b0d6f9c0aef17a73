"""Whether an input is one that a job takes."""

import msgspec

from mainspring.domain.definition import with_defaults
from mainspring.domain.job import Job
from mainspring.wire.arguments import check_size, checker, refusal

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
