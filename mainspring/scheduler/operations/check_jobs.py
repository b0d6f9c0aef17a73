"""Definitions are checked before they are heard, from executors and from people alike."""

import msgspec

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.jobs.rules import DESCRIPTION_MAX, check_terms
from mainspring.domain.names import EXECUTOR_MAX, JOB_MAX, check_job_name, check_text
from mainspring.domain.routing.canary import VERSION
from mainspring.domain.workflows.checks import check_workflow
from mainspring.domain.workflows.spec import HANDLER, read_workflow
from mainspring.errors import InvalidInputError, TooLargeError
from mainspring.wire.arguments import check_size, checker, refusal

SCHEMA_MAX = 128 * 1024
DOTS = frozenset({".", ".."})
"""What programs take for steps within an address."""


def check_executor_name(name: str) -> str:
    check_text(name, "executor", most=EXECUTOR_MAX, code="bad_executor")
    if name.startswith(VERSION):
        raise InvalidInputError("executor", f"{name!r} begins with {VERSION}, as versions do", code="bad_executor")
    return refuse_dots(name, "executor", "bad_executor")


def check_spec(spec: JobSpec) -> JobSpec:
    """Raises InvalidInputError."""
    refuse_dots(check_job_name(spec.name, "name"), "name", "bad_job")
    check_text(spec.handler, "handler", most=JOB_MAX, code="bad_handler")
    check_terms(spec)
    check_schema(spec.schema)
    check_defaults(spec.input)
    check_schema(spec.returns)
    if spec.workflow:
        check_workflow(read_workflow(spec.workflow))
    elif spec.handler == HANDLER:
        raise InvalidInputError(
            "handler", f"{HANDLER} is that of jobs with steps, and this one has none", code="bad_handler"
        )
    if len(spec.description) > DESCRIPTION_MAX or "\x00" in spec.description:
        reason = f"needs at most {DESCRIPTION_MAX} characters, none of them NUL"
        raise InvalidInputError("description", reason, code="bad_description")
    return spec


def check_schema(schema: bytes) -> None:
    """A schema that cannot be read is refused; types that it cannot express are left to the executor."""
    if len(schema) > SCHEMA_MAX:
        raise TooLargeError("schema", f"{len(schema)} bytes are over the limit of {SCHEMA_MAX}", code="bad_schema")
    try:
        msgspec.json.decode(schema, type=dict[str, msgspec.Raw])
        checker(schema)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidInputError("schema", f"is not a JSON schema of an object: {error}", code="bad_schema") from None


def check_defaults(raw: bytes) -> None:
    check_size(raw)
    try:
        msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError) as error:
        raise refusal(error) from None


def refuse_dots(name: str, field: str, code: str) -> str:
    if name in DOTS:
        raise InvalidInputError(field, f"{name!r} cannot be part of an address", code=code)
    return name
