"""A job's options at its definition."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Any, Literal, TypedDict, TypeVar

import msgspec

from mainspring.domain.jobs.job import LOSSES_MAX, OnLost, Pool, RetryPolicy
from mainspring.domain.limits.policy import (
    Blocking,
    Debounce,
    Fair,
    KeptHistory,
    Keys,
    Limit,
    Policy,
    Rate,
    Throttle,
    read_policy,
)
from mainspring.domain.routing.canary import Canary
from mainspring.domain.routing.route import Route
from mainspring.domain.runs.run import PRIORITY_DEFAULT
from mainspring.errors import InvalidInputError

E = TypeVar("E", bound=StrEnum)

POLICY_FIELDS = frozenset(Policy.__struct_fields__)
TIMES = ("timeout", "deadline", "start_within")


class HandlerOptions(TypedDict, total=False):
    """Times are in seconds, or timedeltas; every option has a default."""

    name: str | None
    queue: str
    priority: int
    pool: Pool | Literal["loop", "threads", "processes"] | None
    retry: RetryPolicy
    timeout: float | timedelta | None
    """How long an attempt may take."""
    deadline: float | timedelta | None
    """How long a run may take in all, from when it is due."""
    start_within: float | timedelta | None
    """How long a run may wait for its first attempt, from when it is due."""
    on_lost: OnLost | Literal["retry", "fail", "ask"]
    """Reaction to the loss of an executor or process."""
    losses_max: int
    """Losses after which a run is quarantined."""
    at_once: int | None
    """Attempts of the job that may be under way at once, in the whole cluster; of each key if there is a `limit_key`."""
    limit_key: Keys
    limits: Sequence[Limit | str]
    """Further limits, all of which must have room; a text names one that operators define."""
    rate: Rate | str | None
    """How many attempts may start in a time, such as `100/s`."""
    blocking: Blocking | Literal["queue", "latest", "discard", "replace"]
    """What becomes of a run whose limit has no room."""
    debounce: Debounce | str | float | timedelta | None
    throttle: Throttle | str | None
    executor_limit: int | None
    """Attempts of the job that may be under way at once on each executor."""
    fair: Fair | str | None
    """The key whose values take turns."""
    weight: float | None
    """Its part of the slots that the jobs of its queue share; 1 if nothing is said."""
    route: Route | str
    """How the executor of a run is chosen."""
    requires: Sequence[str]
    """What an executor must have, such as `cuda >= 12`."""
    prefers: Sequence[str]
    uses: Mapping[str, float | str]
    """Resources that an attempt books while it runs, such as `{"gpu": 1, "memory": "4GiB", "slots": 2}`."""
    runs_on: str
    """The code versions that may run it, such as `>=2.4`."""
    canary: Canary | None
    """The version of the code that gets a share of its runs."""
    slices: int | None
    """Child runs of each run, which share its input; each knows its `ctx.slice`."""
    settle_by: Literal["all", "any"] | int
    """How many of a run's slices, or executors of a broadcast, must succeed."""
    breaker: str
    """The circuit breaker of what it calls: its runs wait while that is open."""
    stop_when_open: bool
    """Whether `ctx.should_stop` is true while that breaker is open; `ctx.raise_if_stopping()` parks the run then."""
    blackout: str
    """The calendar by which none of its runs starts on days that do not count, and in its blackouts."""
    history: KeptHistory | Literal["all", "failures", "none"]
    """The runs whose inputs and results stay in history."""


class JobLimits(msgspec.Struct, frozen=True, kw_only=True):
    """A job's limits of time, and its reaction to losses."""

    timeout: float | None = None
    deadline: float | None = None
    start_within: float | None = None
    on_lost: OnLost = OnLost.RETRY
    losses_max: int = LOSSES_MAX


class ReadOptions(JobLimits, frozen=True, kw_only=True):
    """All options, of the types that they should have."""

    name: str
    queue: str = "default"
    priority: int = PRIORITY_DEFAULT
    pool: Pool | None = None
    retry: RetryPolicy = RetryPolicy()
    policy: Policy = Policy()

    @property
    def limits(self) -> JobLimits:
        return JobLimits(**{field: getattr(self, field) for field in JobLimits.__struct_fields__})


def read_options(options: Mapping[str, Any]) -> ReadOptions:
    """Raises InvalidInputError for unknown options and wrong types."""
    refuse_unknown(options, HandlerOptions.__annotations__)
    given = {name: read(name, value) for name, value in options.items() if name not in POLICY_FIELDS}
    chosen = {name: value for name, value in options.items() if name in POLICY_FIELDS}
    if chosen:
        given["policy"] = msgspec.to_builtins(read_policy(chosen))
    try:
        return msgspec.convert(given, ReadOptions)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        field = path.rstrip("`")
        raise InvalidInputError(field, reason, code=f"bad_{field.partition('[')[0].rpartition('.')[2]}") from None


def refuse_unknown(options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    name = next((name for name in options if name not in known), None)
    if name is not None:
        from mainspring.domain.suggest import did_you_mean  # noqa: PLC0415 only for those who mistype

        raise InvalidInputError(name, f"is no option of a job{did_you_mean(name, known)}", code="unknown_option")


def read(name: str, value: Any) -> Any:
    """An option as its definition has it, if it is of a type that it may have."""
    if name in TIMES and isinstance(value, timedelta):
        return value.total_seconds()
    if name == "on_lost":
        return read_word(value, OnLost, name)
    if name == "pool" and value is not None:
        return read_word(value, Pool, name)
    if name == "retry":
        return read_retry(value)
    return value


def read_word(word: Any, words: type[E], field: str) -> E:
    try:
        return words(word)
    except ValueError:
        known = ", ".join(each.value for each in words)
        raise InvalidInputError(field, f"{word!r} is none of {known}", code=f"bad_{field}") from None


def read_retry(retry: Any) -> dict[str, Any]:
    if not isinstance(retry, RetryPolicy):
        raise InvalidInputError(
            "retry", f"{retry!r} is no RetryPolicy, such as RetryPolicy(attempts=3)", code="bad_retry"
        )
    return msgspec.structs.asdict(retry)


def about(job: str, error: InvalidInputError) -> InvalidInputError:
    """The same, for people who look for the job."""
    return InvalidInputError(error.field, f"{error.reason} (job {job!r})", code=error.code)
