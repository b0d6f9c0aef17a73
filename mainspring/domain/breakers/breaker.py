"""A breaker's six states, and how it passes from one to the next.

Executors and servers count calls, any server decides, one wins: the breaker's row is written only over the revision that was
decided from. Each change of state begins an epoch; calls that began in another epoch count for nothing, so a server that
hears late that a breaker opened neither opens it again nor lengthens its wait.
"""

import math
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import WindowCounts

JITTER = 0.1
"""The part by which a wait is longer or shorter than it says, so that breakers do not probe in step."""
STREAK_MAX = 30
WAVE_SECONDS = 5.0
"""How long a wave must go well before the next one, twice as large, is let go."""


class BreakerState(StrEnum):
    """What a breaker does with calls."""

    CLOSED = "closed"
    """It lets all of them through, and counts them; after it was open, in growing waves at first."""
    OPEN = "open"
    """It lets none through, until a time."""
    HALF_OPEN = "half_open"
    """It lets a few through, to find out."""
    FORCED_OPEN = "forced_open"
    """It lets none through, until an operator's word."""
    DISABLED = "disabled"
    """It lets all of them through and counts none."""
    METRICS_ONLY = "metrics_only"
    """It lets all of them through and counts them, so that people see whether it would open."""

    @property
    def steered(self) -> bool:
        """Whether an operator put it there, and only one takes it out."""
        return self in (BreakerState.FORCED_OPEN, BreakerState.DISABLED, BreakerState.METRICS_ONLY)

    @property
    def refuses(self) -> bool:
        return self in (BreakerState.OPEN, BreakerState.FORCED_OPEN)

    @property
    def counts(self) -> bool:
        return self in (BreakerState.CLOSED, BreakerState.HALF_OPEN, BreakerState.METRICS_ONLY)


class Breaker(msgspec.Struct, frozen=True, kw_only=True):
    """A breaker as the store keeps it."""

    id: int
    namespace: str
    name: str
    spec: BreakerSpec
    state: BreakerState = BreakerState.CLOSED
    epoch: int = 1
    """Grows with every change of state."""
    revision: int = 1
    """Grows with every change."""
    since: datetime
    """When it came into its state."""
    until: datetime | None = None
    """When it is looked at again, whatever calls say: the end of a wait, of probing, or of a wave."""
    streak: int = 0
    """How often in a row it opened again before everything was let go."""
    wave: int = 0
    """Starts a second that are let through after it closed; 0: any number."""
    rate_before: int = 0
    """Calls a second before it opened: at that rate the waves end."""
    was: BreakerState = BreakerState.CLOSED
    """The state that an operator took it out of."""
    reason: str = ""
    by: str = ""
    """Who put it into its state; empty: it did so itself."""


class BreakerTransition(msgspec.Struct, frozen=True, kw_only=True):
    """A change of state, with the numbers that it was decided by."""

    epoch: int
    at: datetime
    was: BreakerState
    state: BreakerState
    until: datetime | None = None
    calls: int = 0
    failures: int = 0
    slow: int = 0
    reason: str = ""
    by: str = ""


def new_breaker(number: int, namespace: str, name: str, spec: BreakerSpec, now: datetime) -> Breaker:
    """A breaker without calls. Revisions go on from the clock, for one of the same name may have been deleted."""
    revision = int(now.timestamp() * 1000)
    return Breaker(id=number, namespace=namespace, name=name, spec=spec, revision=revision, since=now)


def decided(
    breaker: Breaker, counted: WindowCounts, *, now: datetime, jitter: float, probing: bool = True
) -> Breaker | None:
    """The breaker after what was counted in its epoch; None: nothing changes.

    `jitter` is from -1 to 1; `probing` tells whether probes are under way.
    """
    if breaker.state is BreakerState.CLOSED:
        return decided_closed(breaker, counted, now, jitter)
    if breaker.state is BreakerState.OPEN:
        return half_opened(breaker, now) if breaker.until is None or now >= breaker.until else None
    if breaker.state is BreakerState.HALF_OPEN:
        return decided_half_open(breaker, counted, now, jitter, probing=probing)
    return None


def decided_closed(breaker: Breaker, counted: WindowCounts, now: datetime, jitter: float) -> Breaker | None:
    if (why := trips(breaker, counted, now)) is not None:
        return opened(breaker, counted, why, now, jitter)
    if breaker.wave and (breaker.until is None or now >= breaker.until):
        return next_wave(breaker, now)
    return None


def decided_half_open(
    breaker: Breaker, counted: WindowCounts, now: datetime, jitter: float, *, probing: bool
) -> Breaker | None:
    spec = breaker.spec
    if (why := probes_failed(spec, counted)) is not None:
        return opened(breaker, counted, why, now, jitter)
    if counted.calls >= spec.probes:
        return closed(breaker, now)
    if counted.calls + counted.ignored >= spec.probes:
        # Errors that are ignored say nothing: others are let through in their place.
        return half_opened(breaker, now, "probes ended with errors that are ignored")
    if breaker.until is not None and now < breaker.until:
        return None
    if counted.calls:
        return closed(breaker, now)
    if probing:
        return opened(breaker, counted, f"no probe ended within {spec.probe_within:g} s", now, jitter)
    # Nobody came to find out: that is no failure, and the next one that comes need not wait.
    return msgspec.structs.replace(breaker, revision=breaker.revision + 1, until=probe_end(spec, now))


def trips(breaker: Breaker, counted: WindowCounts, now: datetime) -> str | None:
    """Why these calls open a closed breaker, as people read it; None: they do not."""
    spec = breaker.spec
    if spec.open_on_retry_after and counted.retry_after is not None and counted.retry_after > now:
        return "the downstream asked for a pause"
    least = min(spec.min_calls, breaker.wave) if breaker.wave else spec.min_calls
    if counted.calls < least:
        return None
    enough = min(spec.witnesses, counted.callers)
    if counted.failure_rate >= spec.failures and counted.failing >= enough:
        return f"{counted.failure_rate:.0%} of {counted.calls} calls failed"
    if spec.slow is not None and counted.slow_rate >= spec.slow and counted.slowed >= enough:
        return f"{counted.slow_rate:.0%} of {counted.calls} calls took {spec.slow_after:g} s or longer"
    return None


def probes_failed(spec: BreakerSpec, counted: WindowCounts) -> str | None:
    """Why the probes are taken to have failed: so many did that the others cannot make up for it."""
    if counted.failures >= math.ceil(spec.failures * spec.probes):
        return f"{counted.failures} of {counted.calls} probes failed"
    if spec.slow is not None and counted.slow >= math.ceil(spec.slow * spec.probes):
        return f"{counted.slow} of {counted.calls} probes took {spec.slow_after:g} s or longer"
    return None


def opened(breaker: Breaker, counted: WindowCounts, why: str, now: datetime, jitter: float) -> Breaker:
    again = breaker.state is BreakerState.HALF_OPEN or breaker.wave > 0
    streak = min(breaker.streak + 1, STREAK_MAX) if again else 0
    before = breaker.rate_before if again else calls_a_second(counted)
    return changed(
        breaker,
        BreakerState.OPEN,
        now,
        until=now + timedelta(seconds=wait_of(breaker.spec, streak, counted.retry_after, now, jitter)),
        streak=streak,
        rate_before=before,
        reason=why,
    )


def wait_of(spec: BreakerSpec, streak: int, retry_after: datetime | None, now: datetime, jitter: float) -> float:
    """Seconds to stay open: growing with the streak, and until the downstream said that it would be well."""
    grown = min(spec.wait_max, spec.wait * 2.0**streak * (1 + JITTER * jitter))
    told = (retry_after - now).total_seconds() if retry_after is not None else 0.0
    return min(spec.wait_max, max(grown, told))


def calls_a_second(counted: WindowCounts) -> int:
    return math.ceil(counted.calls / max(1.0, counted.seconds))


def half_opened(breaker: Breaker, now: datetime, reason: str = "") -> Breaker:
    end = probe_end(breaker.spec, now)
    return changed(breaker, BreakerState.HALF_OPEN, now, until=end, streak=breaker.streak, reason=reason)


def probe_end(spec: BreakerSpec, now: datetime) -> datetime:
    return now + timedelta(seconds=spec.probe_within)


def closed(breaker: Breaker, now: datetime) -> Breaker:
    """Closed after probes: what waits is let go in waves, the first as large as the probes were."""
    wave_end = now + timedelta(seconds=WAVE_SECONDS)
    wave = breaker.spec.probes
    return changed(breaker, BreakerState.CLOSED, now, until=wave_end, streak=breaker.streak, wave=wave)


def next_wave(breaker: Breaker, now: datetime) -> Breaker:
    """Twice as many; at the rate from before, any number."""
    wave = 2 * breaker.wave
    last = wave >= breaker.rate_before
    return msgspec.structs.replace(
        breaker,
        revision=breaker.revision + 1,
        wave=0 if last else wave,
        until=None if last else now + timedelta(seconds=WAVE_SECONDS),
        streak=0 if last else breaker.streak,
    )


def steered(breaker: Breaker, state: BreakerState, *, reason: str, by: str, now: datetime) -> Breaker:
    """The breaker in a state that an operator wants; it stays there until another word."""
    was = breaker.was if breaker.state.steered else breaker.state
    kept = {"until": breaker.until, "streak": breaker.streak, "wave": breaker.wave}
    return changed(breaker, state, now, reason=reason, by=by, was=was, **kept)


def resumed(breaker: Breaker, *, reason: str, by: str, now: datetime) -> Breaker | None:
    """The breaker as it was before an operator's word; None: there was none."""
    if not breaker.state.steered:
        return None
    kept = {"until": breaker.until, "streak": breaker.streak, "wave": breaker.wave}
    return changed(breaker, breaker.was, now, reason=reason, by=by, **kept)


def reset(breaker: Breaker, *, reason: str, by: str, now: datetime) -> Breaker:
    """The breaker as if it were new: closed, nothing counted, everything let go."""
    return changed(breaker, BreakerState.CLOSED, now, reason=reason, by=by, rate_before=0)


def respecified(breaker: Breaker, spec: BreakerSpec) -> Breaker:
    """The breaker by another rule; its state stays."""
    return msgspec.structs.replace(breaker, spec=spec, revision=breaker.revision + 1)


def changed(breaker: Breaker, state: BreakerState, now: datetime, **fields: object) -> Breaker:
    """The breaker in another state: a new epoch, without anything that is not named."""
    fresh: dict[str, object] = {"until": None, "streak": 0, "wave": 0, "reason": "", "by": ""}
    return msgspec.structs.replace(
        breaker,
        state=state,
        epoch=breaker.epoch + 1,
        revision=breaker.revision + 1,
        since=now,
        **{**fresh, **fields},
    )
