"""Options of a job at its definition."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypedDict

from mainspring.app.triggers import Length, Trigger
from mainspring.errors import InvalidInputError
from mainspring.executor.handlers.options import HandlerOptions, about, refuse_unknown

if TYPE_CHECKING:
    from mainspring.app.job_handle import JobHandle


class JobOptions(HandlerOptions, total=False):
    """Options of `@app.job(…)`; all have a default."""

    cron: str | Sequence[str]
    """When it starts by itself, on the clock of `zone`,"""
    zone: str
    every: Length
    """or how often;"""
    triggers: Sequence[Trigger]
    """all else that may be said of that."""
    then: "JobHandle[..., Any] | type | str"
    """The job that runs after each run of this one, with its result or with nothing."""


class WorkflowOptions(TypedDict, total=False):
    """Options of `@app.workflow(…)`; all have a default."""

    name: str
    queue: str
    priority: int
    """Of its steps as well."""
    deadline: float | timedelta | None
    """How long a run may take in all, from when it is due."""
    start_within: float | timedelta | None
    on_success: "JobHandle[..., Any]"
    """Runs after all steps if they succeeded; parameters are filled from the workflow's by name."""
    on_failure: "JobHandle[..., Any]"
    finally_: "JobHandle[..., Any]"
    fail_fast: bool
    """The first failure stops all that is under way."""
    steps_at_once: int
    runs_at_once: int
    """Runs of it that may be under way at once; the others wait."""
    cron: str | Sequence[str]
    zone: str
    every: Length
    triggers: Sequence[Trigger]


def check_options(target: Any, options: Mapping[str, Any], known: type = JobOptions) -> None:
    """Raises InvalidInputError for unknown options and for values that are no trigger."""
    try:
        refuse_unknown(options, known.__annotations__)
        check_triggers(options.get("triggers"))
    except InvalidInputError as error:
        raise about(str(options.get("name") or getattr(target, "__name__", target)), error) from None


def check_triggers(said: Any) -> None:
    if said is None or (isinstance(said, list | tuple) and all(isinstance(each, Trigger) for each in said)):
        return
    reason = f"{said!r} is no list of triggers, such as [Trigger(cron='0 6 * * *')]"
    raise InvalidInputError("triggers", reason, code="bad_triggers")
