"""What a breaker goes by: when it opens, how long it stays open, and how it lets go again."""

from collections.abc import Collection
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from mainspring.domain.names import QUEUE_MAX, check_text
from mainspring.domain.runs.attempt import KIND_MAX
from mainspring.errors import InvalidInputError

WINDOW_MIN, WINDOW_MAX = 1.0, 3600.0
"""Seconds."""
CALLS_MAX = 100_000
WAIT_MIN, WAIT_MAX = 0.1, 86_400.0
PROBES_MAX = 1000
PROBE_MIN, PROBE_MAX = 1.0, 3600.0
SLOW_MIN, SLOW_MAX = 0.001, 86_400.0
WITNESSES_MAX = 100
KINDS_MAX = 50
KEY_MAX = 100
LABEL_MAX = QUEUE_MAX + KEY_MAX + 2
"""Characters of the name of a breaker of one key."""


class BreakerSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rule of a breaker; shares are from 0 to 1, times in seconds."""

    failures: float = 0.5
    """The share of failed calls at which it opens."""
    slow: float | None = None
    """The share of slow calls at which it opens; None: slowness does not count."""
    slow_after: float | None = None
    """How long a call takes that counts as slow."""
    window: float = 30.0
    """How far back calls count."""
    window_calls: int | None = None
    """Count the newest calls, so many of them, instead of those of the last seconds."""
    min_calls: int = 20
    """How many calls it takes to judge by."""
    wait: float = 10.0
    """How long it stays open the first time; twice as long each time that its probes fail."""
    wait_max: float = 600.0
    probes: int = 5
    """Calls that are let through at once to find out, and how many must end well."""
    probe_within: float = 60.0
    """How long probes may take before they count as failed."""
    witnesses: int = 2
    """Executors that must see failures, if so many have called."""
    record: tuple[str, ...] = ()
    """Error classes, by name, that count as failures; empty: any error."""
    ignore: tuple[str, ...] = ()
    """Error classes that count for nothing; these win."""
    open_on_retry_after: bool = False
    """Whether a single `Retry-After` opens it."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            failures: float = 0.5,
            slow: float | None = None,
            slow_after: float | None = None,
            window: float = 30.0,
            window_calls: int | None = None,
            min_calls: int = 20,
            wait: float = 10.0,
            wait_max: float = 600.0,
            probes: int = 5,
            probe_within: float = 60.0,
            witnesses: int = 2,
            record: tuple[str, ...] = (),
            ignore: tuple[str, ...] = (),
            open_on_retry_after: bool = False,
        ) -> None: ...


class CallOutcome(StrEnum):
    """What a call counts as."""

    SUCCESS = "success"
    FAILURE = "failure"
    IGNORED = "ignored"


def label_of(name: str, key: str) -> str:
    """The name of a breaker of one key, such as `api[eu.example.com]`; without a key, the breaker's own."""
    return f"{name}[{key}]" if key else name


def base_of(label: str) -> str:
    """The name of the breaker that gives a breaker of one key its rule; empty: it is no such breaker."""
    name, bracket, _ = label.partition("[")
    return name if bracket and label.endswith("]") else ""


def outcome_of(spec: BreakerSpec, kinds: Collection[str]) -> CallOutcome:
    """What a call counts as that raised an error of these kinds; none: it raised nothing."""
    if not kinds:
        return CallOutcome.SUCCESS
    if not set(kinds).isdisjoint(spec.ignore):
        return CallOutcome.IGNORED
    if spec.record and set(kinds).isdisjoint(spec.record):
        return CallOutcome.SUCCESS
    return CallOutcome.FAILURE


def is_slow(spec: BreakerSpec, seconds: float) -> bool:
    return spec.slow is not None and spec.slow_after is not None and seconds >= spec.slow_after


def check_breaker(name: str, spec: BreakerSpec) -> None:
    """Raises InvalidInputError, with the field and the reason."""
    check_text(name, "name", most=LABEL_MAX, code="bad_breaker")
    check_window(spec)
    check_shares(spec)
    within(spec.wait, "wait", WAIT_MIN, WAIT_MAX)
    within(spec.wait_max, "wait_max", spec.wait, WAIT_MAX)
    within(spec.probes, "probes", 1, PROBES_MAX)
    within(spec.probe_within, "probe_within", PROBE_MIN, PROBE_MAX)
    within(spec.witnesses, "witnesses", 1, WITNESSES_MAX)
    for field in ("record", "ignore"):
        check_kinds(getattr(spec, field), field)


def check_window(spec: BreakerSpec) -> None:
    within(spec.window, "window", WINDOW_MIN, WINDOW_MAX)
    within(spec.min_calls, "min_calls", 1, CALLS_MAX)
    if spec.window_calls is None:
        return
    within(spec.window_calls, "window_calls", 1, CALLS_MAX)
    if spec.min_calls > spec.window_calls:
        reason = f"{spec.min_calls} are more than the {spec.window_calls} calls of the window: it could never open"
        raise refused("min_calls", reason)


def check_shares(spec: BreakerSpec) -> None:
    check_share(spec.failures, "failures")
    if (spec.slow is None) != (spec.slow_after is None):
        missing, there = ("slow_after", "slow") if spec.slow_after is None else ("slow", "slow_after")
        raise refused(missing, f"is missing: {there} means nothing without it")
    if spec.slow is not None and spec.slow_after is not None:
        check_share(spec.slow, "slow")
        within(spec.slow_after, "slow_after", SLOW_MIN, SLOW_MAX)


def check_share(share: float, field: str) -> None:
    if not 0 < share <= 1:
        raise refused(field, f"{share:g} is no share above 0 and up to 1, such as 0.5")


def check_kinds(kinds: tuple[str, ...], field: str) -> None:
    if len(kinds) > KINDS_MAX:
        raise refused(field, f"{len(kinds)} are more than {KINDS_MAX}")
    for kind in kinds:
        check_text(kind, field, most=KIND_MAX, code="bad_breaker")


def within(number: float, field: str, least: float, most: float) -> None:
    if not least <= number <= most:
        raise refused(field, f"{number:g} is outside {least:g} to {most:g}")


def refused(field: str, reason: str) -> InvalidInputError:
    return InvalidInputError(field, reason, code="bad_breaker")
