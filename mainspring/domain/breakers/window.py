"""The calls that a breaker is judged by: added up in buckets, by executor, and forgotten as they grow old."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.domain.breakers.spec import WINDOW_MAX, BreakerSpec, CallOutcome, is_slow, outcome_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
BUCKETS = 20
"""Into how many parts a window of time is divided."""
BUCKET_MIN = 0.25
"""Seconds: the shortest part."""


class Calls(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one executor's calls came to, in one bucket."""

    executor: str
    at: datetime
    """When the bucket began."""
    calls: int = 0
    """Those that count: ignored ones do not."""
    failures: int = 0
    slow: int = 0
    ignored: int = 0
    retry_after: datetime | None = None
    """When the downstream said that it would be well again."""


class WindowCounts(msgspec.Struct, frozen=True, kw_only=True):
    """What the calls of a window come to."""

    calls: int = 0
    failures: int = 0
    slow: int = 0
    ignored: int = 0
    callers: int = 0
    """Executors that called."""
    failing: int = 0
    """Of those, the ones that saw failures."""
    slowed: int = 0
    """... and slow calls."""
    retry_after: datetime | None = None
    seconds: float = 0.0
    """How far back the oldest of them is."""

    @property
    def failure_rate(self) -> float:
        return self.failures / self.calls if self.calls else 0.0

    @property
    def slow_rate(self) -> float:
        return self.slow / self.calls if self.calls else 0.0


class Permits(msgspec.Struct, frozen=True):
    """Calls that a breaker lets through while it is probed, or lets go in waves."""

    count: int = 0
    opens_at: datetime | None = None
    """When there may be more; None: not before its next change."""


NOTHING = WindowCounts()


def bucket_seconds(spec: BreakerSpec) -> float:
    """How long a bucket is; of a window that counts calls, as short as can be."""
    return BUCKET_MIN if spec.window_calls is not None else max(BUCKET_MIN, spec.window / BUCKETS)


def bucket_start(spec: BreakerSpec, now: datetime) -> datetime:
    """When the bucket began that takes in what ends now."""
    micros = (now - EPOCH) // MICROSECOND
    return now - MICROSECOND * (micros % round(bucket_seconds(spec) * 1_000_000))


def window_start(spec: BreakerSpec, now: datetime) -> datetime:
    """Since when calls may count; of a window that counts calls, since long ago."""
    return now - timedelta(seconds=WINDOW_MAX if spec.window_calls is not None else spec.window)


def counted_call(
    spec: BreakerSpec, executor: str, kinds: Sequence[str], seconds: float, retry_after: datetime | None, now: datetime
) -> Calls:
    """One call, in the part of the window that it ended in."""
    outcome = outcome_of(spec, kinds)
    ignored = outcome is CallOutcome.IGNORED
    return Calls(
        executor=executor,
        at=bucket_start(spec, now),
        calls=int(not ignored),
        failures=int(outcome is CallOutcome.FAILURE),
        slow=int(not ignored and is_slow(spec, seconds)),
        ignored=int(ignored),
        retry_after=None if ignored else retry_after,
    )


def tally(spec: BreakerSpec, buckets: Iterable[Calls], *, now: datetime) -> WindowCounts:
    """What the calls in the window come to; those of other windows are left out."""
    inside = newest(spec, buckets) if spec.window_calls is not None else recent(spec, buckets, now)
    by_executor: dict[str, list[Calls]] = defaultdict(list)
    for bucket in inside:
        if bucket.calls:
            by_executor[bucket.executor].append(bucket)
    return WindowCounts(
        calls=sum(one.calls for one in inside),
        failures=sum(one.failures for one in inside),
        slow=sum(one.slow for one in inside),
        ignored=sum(one.ignored for one in inside),
        callers=len(by_executor),
        failing=sum(any(one.failures for one in each) for each in by_executor.values()),
        slowed=sum(any(one.slow for one in each) for each in by_executor.values()),
        retry_after=max((one.retry_after for one in inside if one.retry_after is not None), default=None),
        seconds=max((max(0.0, (now - one.at).total_seconds()) for one in inside if one.calls), default=0.0),
    )


def recent(spec: BreakerSpec, buckets: Iterable[Calls], now: datetime) -> list[Calls]:
    since = window_start(spec, now)
    return [one for one in buckets if since < one.at <= now]


def newest(spec: BreakerSpec, buckets: Iterable[Calls]) -> list[Calls]:
    """The newest buckets that hold enough calls, whole."""
    assert spec.window_calls is not None
    found: list[Calls] = []
    left = spec.window_calls
    for bucket in sorted(buckets, key=lambda one: one.at, reverse=True):
        if left <= 0:
            break
        found.append(bucket)
        left -= bucket.calls
    return found


def joined(reports: Sequence[Calls]) -> list[Calls]:
    """One for each executor and bucket."""
    found: dict[tuple[str, datetime], Calls] = {}
    for one in reports:
        before = found.get((one.executor, one.at))
        found[one.executor, one.at] = one if before is None else added(before, one)
    return list(found.values())


def added(first: Calls, second: Calls) -> Calls:
    times = [at for at in (first.retry_after, second.retry_after) if at is not None]
    return Calls(
        executor=first.executor,
        at=first.at,
        calls=first.calls + second.calls,
        failures=first.failures + second.failures,
        slow=first.slow + second.slow,
        ignored=first.ignored + second.ignored,
        retry_after=max(times, default=None),
    )
