"""Options of a job at its definition."""

from collections.abc import Mapping, Sequence
from typing import Any

from mainspring.app.triggers import Length, Trigger
from mainspring.errors import InvalidInputError
from mainspring.executor.handlers.options import HandlerOptions, about, refuse_unknown


class JobOptions(HandlerOptions, total=False):
    """Options of `@app.job(…)`; all have a default."""

    cron: str | Sequence[str]
    """When it starts by itself, on the clock of `zone`,"""
    zone: str
    every: Length
    """or how often;"""
    triggers: Sequence[Trigger]
    """all else that may be said of that."""


def check_options(target: Any, options: Mapping[str, Any]) -> None:
    """Raises InvalidInputError for unknown options and for values that are no trigger."""
    try:
        refuse_unknown(options, JobOptions.__annotations__)
        check_triggers(options.get("triggers"))
    except InvalidInputError as error:
        raise about(str(options.get("name") or getattr(target, "__name__", target)), error) from None


def check_triggers(said: Any) -> None:
    if said is None or (isinstance(said, list | tuple) and all(isinstance(each, Trigger) for each in said)):
        return
    reason = f"{said!r} is no list of triggers, such as [Trigger(cron='0 6 * * *')]"
    raise InvalidInputError("triggers", reason, code="bad_triggers")
