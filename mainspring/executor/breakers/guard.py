"""One breaker as an executor keeps it: the servers' word, and what its own calls say.

The stricter of both holds. While a server is connected, it alone lets calls through a breaker that is probed or lets go in
waves; without one, the executor goes through the same states by its own calls.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.domain.breakers.breaker import Breaker, BreakerState, decided, new_breaker
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import Calls, added, counted_call, tally, window_start
from mainspring.domain.limits.bucket import bucket_of
from mainspring.wire.breakers import BreakerView, CallReport

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Admission(msgspec.Struct, frozen=True):
    """A breaker's answer to a call."""

    state: BreakerState
    refused: bool = False
    epoch: int = 0
    """In which the call was let through."""
    told: int = 0
    """The epoch that servers know it by; 0: none has told of one."""
    wait: float | None = None
    """Of a refused call: seconds until the breaker is looked at again."""
    reason: str = ""
    at: float = 0.0
    """When the call began, on the monotonic clock."""
    breaker: str = ""
    """Of a refusal that stops an attempt: the breaker's name."""


class CallGuard:
    """Calls of one breaker on one executor. Not safe by itself: `Guards` holds a lock."""

    def __init__(self, label: str, now: datetime) -> None:
        self._own = new_breaker(0, "", label, BreakerSpec(), now)
        self._told = 0
        self._local = False
        """Whether its state was decided here, and differs from the servers' word."""
        self._window: dict[datetime, Calls] = {}
        self._unsent: Calls | None = None
        self._probes = 0
        self._full_at = 0

    @property
    def label(self) -> str:
        return self._own.name

    @property
    def server_epoch(self) -> int:
        return self._told

    @property
    def at_rest(self) -> bool:
        """Whether nothing would be lost with it."""
        return self._own.state is BreakerState.CLOSED and not self._own.wave and self._unsent is None

    def follow(self, view: BreakerView, now: datetime) -> None:
        """Follow the servers' word; only if it is closed, a stricter state of this executor's own stays."""
        was, self._told = self._told, view.epoch
        plain = view.state is BreakerState.CLOSED and not view.wave
        if plain and self._local:
            self._own = msgspec.structs.replace(self._own, spec=view.spec)
            return
        if view.epoch != was or self._local:
            self._begin()
        self._local = False
        self._own = Breaker(
            id=0,
            namespace="",
            name=self._own.name,
            spec=view.spec,
            state=view.state,
            epoch=view.epoch,
            since=now,
            until=None if view.wait is None else now + timedelta(seconds=view.wait),
            wave=view.wave,
            rate_before=view.wave,
            reason=view.reason,
        )

    def admit(self, now: datetime, *, governed: bool) -> Admission | None:
        """The answer to a call that would begin now; None: a server has to be asked for a permit."""
        if self._local or not governed:
            self._decide(now)
        own = self._own
        if own.state.refuses:
            return self.refusal(now)
        if own.state is not BreakerState.HALF_OPEN and not own.wave:
            return self.passed()
        return None if governed and not self._local else self.own_permit(now)

    def own_permit(self, now: datetime) -> Admission:
        """Let a call through as a probe or in a wave, by this executor's own count."""
        own = self._own
        if own.state is BreakerState.HALF_OPEN:
            self._probes += 1
            return self.passed() if self._probes <= own.spec.probes else self.refusal(now)
        bucket = bucket_of(f"{max(1, own.wave)}/s", None)
        micros = (now - EPOCH) // MICROSECOND
        if bucket.tokens(self._full_at, micros) < 1:
            return self.refusal(now)
        self._full_at = bucket.taken(self._full_at, micros, 1)
        return self.passed()

    def passed(self) -> Admission:
        return Admission(self._own.state, epoch=self._own.epoch, told=self._told)

    def state(self, now: datetime, *, governed: bool) -> BreakerState:
        if self._local or not governed:
            self._decide(now)
        return self._own.state

    def note(
        self,
        epoch: int,
        kinds: Sequence[str],
        seconds: float,
        retry_in: float | None,
        now: datetime,
        *,
        governed: bool,
        ignored: bool = False,
    ) -> bool:
        """Count a call that has ended; True if that opened the breaker here, and servers should hear at once."""
        if epoch != self._own.epoch or not self._own.state.counts:
            return False
        retry_at = None if retry_in is None else now + timedelta(seconds=retry_in)
        call = counted_call(self._own.spec, "", kinds, seconds, retry_at, now)
        if ignored:
            call = Calls(executor="", at=call.at, ignored=1)
        before = self._window.get(call.at)
        self._window[call.at] = call if before is None else added(before, call)
        self._unsent = call if self._unsent is None else added(self._unsent, call)
        is_plain = self._own.state is BreakerState.CLOSED and not self._own.wave
        if (self._local or not governed or is_plain) and (not is_plain or call.failures or call.slow):
            self._decide(now)
        return self._own.state is BreakerState.OPEN

    def report(self, now: datetime) -> CallReport | None:
        """The calls since the last report."""
        unsent, self._unsent = self._unsent, None
        if unsent is None:
            return None
        retry_in = None if unsent.retry_after is None else max(0.0, (unsent.retry_after - now).total_seconds())
        return CallReport(self.label, self._told, unsent.calls, unsent.failures, unsent.slow, unsent.ignored, retry_in)

    def _decide(self, now: datetime) -> None:
        since = window_start(self._own.spec, now)
        self._window = {at: calls for at, calls in self._window.items() if at > since}
        counted = tally(self._own.spec, self._window.values(), now=now)
        found = decided(self._own, counted, now=now, jitter=0.0, probing=self._probes > 0)
        if found is None:
            return
        if found.epoch != self._own.epoch:
            self._begin()
        self._own, self._local = found, found.state is not BreakerState.CLOSED or found.wave > 0

    def _begin(self) -> None:
        """Begin another epoch: nothing counted, nothing let through."""
        self._window = {}
        self._probes = self._full_at = 0

    def refusal(self, now: datetime) -> Admission:
        """The answer to a call that may not begin now."""
        until = self._own.until
        wait = None if until is None else max(0.0, (until - now).total_seconds())
        return Admission(self._own.state, refused=True, told=self._told, wait=wait, reason=self._own.reason)
