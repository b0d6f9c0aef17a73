"""An SLO: the share of a job's or a trigger's runs that has to be good over a window of days."""

from bisect import bisect_left
from datetime import datetime
from enum import StrEnum

import msgspec

from mainspring.domain.names import JOB_MAX, QUEUE_MAX, check_text
from mainspring.domain.queues.rollup import EDGES
from mainspring.errors import InvalidInputError

CODE = "bad_slo"
DAYS_MAX = 90
OBJECTIVE_MIN, OBJECTIVE_MAX = 0.5, 0.99999
NOTIFY_MAX = 20
MICROSECONDS = 1_000_000
# Successes are known by the minute, and older ones by the hour.
WITHIN = ((0.001, EDGES[-1] / MICROSECONDS), (300.0, 31 * 86_400.0))
"""Seconds, of `start` and `duration`, and of `fresh`."""


class Indicator(StrEnum):
    SUCCESS = "success"
    """Runs that succeeded, of those that succeeded or failed; cancelled and skipped ones do not count."""
    START = "start"
    """Runs whose last attempt began within a time after they were due."""
    DURATION = "duration"
    """Runs whose last attempt took no longer than a time."""
    FIRED = "fired"
    """Fire times of a trigger that fired, of those expected; a calendar, a pause and an operator expect none."""
    FRESH = "fresh"
    """Minutes in which the last success was younger than a time, from the first success on."""


class SloSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An objective; `within` is in seconds."""

    job: str = ""
    trigger: str = ""
    """Either the job, or one of its triggers: then only runs of that trigger count, the newest 1,000."""
    indicator: Indicator = Indicator.SUCCESS
    objective: float = 0.99
    """The share of runs that has to be good."""
    window_days: int = 30
    within: float | None = None
    """For `fresh`, and for `start` and `duration`, where it is rounded up to the edge of a bucket: 1 ms, 2 ms … 18.6 h."""
    notify: tuple[str, ...] = ()
    """Channels that are told when the budget is spent too fast."""


class Slo(msgspec.Struct, frozen=True, kw_only=True):
    """A stored SLO."""

    namespace: str
    name: str
    spec: SloSpec
    version: int = 1
    owner: str = ""
    author: str = ""
    updated_at: datetime


def check_slo(name: str, spec: SloSpec) -> None:
    """Raises InvalidInputError."""
    check_text(name, "name", most=QUEUE_MAX, code=CODE)
    check_slo_subject(spec)
    if not OBJECTIVE_MIN <= spec.objective <= OBJECTIVE_MAX:
        raise refused("objective", f"{spec.objective:g} is outside {OBJECTIVE_MIN:.0%} to {OBJECTIVE_MAX:.3%}")
    if not 1 <= spec.window_days <= DAYS_MAX:
        raise refused("window_days", f"{spec.window_days} is outside 1 to {DAYS_MAX}")
    if (spec.within is None) != (spec.indicator in (Indicator.SUCCESS, Indicator.FIRED)):
        reason = "is missing" if spec.within is None else f"means nothing for {spec.indicator}"
        raise refused("within", f"{reason}: start, duration and fresh need it")
    least, most = WITHIN[spec.indicator is Indicator.FRESH]
    if spec.within is not None and not least <= spec.within <= most:
        raise refused("within", f"{spec.within:g} is outside {least:g} to {most:g}")
    if len(spec.notify) > NOTIFY_MAX:
        raise refused("notify", f"{len(spec.notify)} are more than {NOTIFY_MAX}")


def check_slo_subject(spec: SloSpec) -> None:
    if bool(spec.job) == bool(spec.trigger):
        raise refused("job", "is missing: an SLO is about a job, or about a trigger instead")
    if spec.trigger:
        check_text(spec.trigger, "trigger", most=JOB_MAX, code=CODE)
    else:
        check_text(spec.job, "job", most=JOB_MAX, code=CODE)
        if spec.indicator is Indicator.FIRED:
            raise refused("indicator", "fired is about a trigger: name one instead of the job")


def buckets_within(seconds: float) -> int:
    """How many buckets of a roll-up lie within a time, rounded up to the edge of a bucket."""
    return bisect_left(EDGES, round(seconds * MICROSECONDS)) + 1


def counted_within(spec: SloSpec) -> float | None:
    """The time of an SLO as it counts."""
    if spec.within is None or spec.trigger or spec.indicator is Indicator.FRESH:
        return spec.within
    return edge_of(spec.within)


def edge_of(seconds: float) -> float:
    """The time that counts in its place."""
    return EDGES[min(buckets_within(seconds), len(EDGES)) - 1] / MICROSECONDS


def refused(field: str, reason: str) -> InvalidInputError:
    return InvalidInputError(field, reason, code=CODE)
