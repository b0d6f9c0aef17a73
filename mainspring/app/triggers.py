"""Triggers declared in code; `mainspring apply` stores them on the server."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import msgspec

from mainspring.errors import ConfigError, MainspringError

if TYPE_CHECKING:
    from mainspring.domain.triggers.spec import AnyRule, TriggerSpec
    from mainspring.executor.handlers.handler import Handler
    from mainspring.executor.handlers.registry import Handlers

Length = float | timedelta | str
"""Seconds, or a timedelta, or a text such as `15m`."""

SHORT = ("cron", "zone", "every")
"""Options of a simple trigger that `@app.job` takes itself."""


class TriggerOptions(TypedDict, total=False):
    """Give exactly one of `cron`, `every`, `delay`, `at`, `event` and `when`; all else has a default."""

    name: str
    """[default: that of the job, if it has no other trigger]"""
    cron: str | Sequence[str]
    zone: str
    gap: Literal["next_valid", "skip"]
    fold: Literal["first", "second", "both"]
    every: Length
    anchor: datetime
    opens: str
    closes: str
    weekdays: Sequence[str]
    delay: Length
    at: datetime
    event: str
    filter: Mapping[str, Any]
    mapping: Mapping[str, str]
    when: "AnyRule"
    description: str
    input: Mapping[str, Any]
    queue: str
    priority: int
    labels: Mapping[str, str]
    tags: Sequence[str]
    start_at: datetime
    end_at: datetime
    fires_max: int
    jitter: Length
    group: str
    spread: Length
    calendar: str
    roll: Literal["skip", "next", "previous"]
    misfire: Literal["skip", "once", "all"]
    catch_up_max: int
    start_deadline: Length
    overlap: Literal["allow", "skip", "queue_one", "queue_all", "cancel_previous"]
    overlap_max: int
    pause_after: int


class Trigger:
    """One way for a job to start by itself, for `@app.job(triggers=[…])`."""

    def __init__(self, **options: Unpack[TriggerOptions]) -> None:
        self.options: Mapping[str, Any] = options

    def __repr__(self) -> str:
        return f"Trigger({', '.join(f'{name}={value!r}' for name, value in self.options.items())})"


def taken_out(options: dict[str, Any]) -> list[Trigger]:
    """Split the trigger options from a job's options."""
    short = {name: value for name in SHORT if (value := options.pop(name, None)) is not None}
    said = list(options.pop("triggers", None) or ())
    return [Trigger(**short), *said] if short else said


def add_triggers(handlers: "Handlers", job: "Handler | str", triggers: Iterable[Trigger]) -> None:
    """Raises ConfigError, with the place of the code, if one of them could not be applied."""
    said = list(triggers)
    if not said:
        return
    name, place = (job, f"job {job!r}") if isinstance(job, str) else (job.name, job.place)
    try:
        for each in said:
            add(handlers, read(each, name, job, alone=len(said) == 1))
    except MainspringError as error:
        raise ConfigError(f"{place}: a trigger cannot be used: {error}") from None


def read(trigger: Trigger, name: str, job: "Handler | str", *, alone: bool) -> "TriggerSpec":
    # Most apps have no triggers, and none of them is to pay for what reads them.
    from mainspring.domain.triggers.checks import check_form  # noqa: PLC0415
    from mainspring.domain.triggers.shorthand import written  # noqa: PLC0415
    from mainspring.domain.triggers.spec import is_timed  # noqa: PLC0415

    given = dict(trigger.options)
    if "name" not in given and not alone:
        raise ConfigError(f"{trigger!r} needs a name, for the job {name!r} has several")
    raw = given.get("input") or {}
    given["input"] = raw if isinstance(job, str) else msgspec.Raw(encoded(job, raw))
    spec = written({"name": name, "job": name, **given})
    check_form(spec)
    if not isinstance(job, str) and is_timed(spec):
        decoded(job, bytes(spec.input))
    return spec


def encoded(job: "Handler", arguments: Mapping[str, Any]) -> bytes:
    try:
        return job.arguments.encode(arguments)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ConfigError(f"input: cannot be written as JSON: {error}") from None


def decoded(job: "Handler", raw: bytes) -> None:
    """Raises InvalidInputError if the trigger's input does not fit the handler."""
    from mainspring.wire.arguments import refusal  # noqa: PLC0415

    try:
        job.arguments.decode(raw)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise refusal(error) from None


def add(handlers: "Handlers", spec: "TriggerSpec") -> None:
    other = handlers.triggers.get(spec.name)
    if other is not None:
        raise ConfigError(f"the trigger {spec.name!r} is there already, of job {other.job!r}: give one another name")
    handlers.triggers[spec.name] = spec
