"""What another rule of a breaker would have done with past calls: the rules that judge calls, at the times of those calls.

Calls that it would have held back are taken out; when they would have come instead is not known, so they are not made again.
"""

from collections.abc import Generator, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.breakers.breaker import Breaker, BreakerState, decided, new_breaker, probe_end
from mainspring.domain.breakers.spec import BreakerSpec, CallOutcome, is_slow, outcome_of
from mainspring.domain.breakers.window import Calls, added, counted_call, newest, recent, tally


class PastCall(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt that has ended, as a call of a breaker."""

    began: datetime
    ended: datetime
    executor: str
    kinds: tuple[str, ...] = ()
    """What its error goes by; empty: it ended well."""

    @property
    def seconds(self) -> float:
        return (self.ended - self.began).total_seconds()


class OpenSpan(msgspec.Struct, kw_only=True):
    """From when it would have opened until it would have closed."""

    at: datetime
    reason: str
    until: datetime | None = None
    """None: it would not have closed by the last of the calls."""
    openings: int = 1
    """How often it would have opened, with those after probes that failed."""


class BreakerReplay(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it."""

    calls: int = 0
    failures: int = 0
    slow: int = 0
    """By the rule that was tried, of all calls."""
    held: int = 0
    """Calls that it would have held back."""
    spans: Sequence[OpenSpan] = ()

    def open_seconds(self, until: datetime) -> float:
        return sum(((one.until or until) - one.at).total_seconds() for one in self.spans)


def try_rule(spec: BreakerSpec, calls: Sequence[PastCall]) -> Generator[None, None, BreakerReplay]:
    """The past under this rule, from a breaker that is closed before the first call; it yields after each moment."""
    moments = [(call.began, False, number) for number, call in enumerate(calls)]
    moments += [(call.ended, True, number) for number, call in enumerate(calls)]
    player = Player(spec, min(moments)[0]) if moments else None
    for at, has_ended, number in sorted(moments):
        assert player is not None
        player.pass_time(at)
        if has_ended:
            player.end(number, calls[number])
        else:
            player.begin(number)
        yield
    outcomes = [outcome_of(spec, call.kinds) for call in calls]
    counted = [call for call, outcome in zip(calls, outcomes, strict=True) if outcome is not CallOutcome.IGNORED]
    return BreakerReplay(
        calls=len(calls),
        failures=outcomes.count(CallOutcome.FAILURE),
        slow=sum(is_slow(spec, call.seconds) for call in counted),
        held=player.held if player else 0,
        spans=tuple(player.spans) if player else (),
    )


class Player:
    """A breaker that lives through the past."""

    def __init__(self, spec: BreakerSpec, begins: datetime) -> None:
        self.spans: list[OpenSpan] = []
        self.held = 0
        self._breaker: Breaker = new_breaker(0, "", "", spec, begins)
        self._admitted: dict[int, int] = {}
        """Calls under way, with the epochs that they began in."""
        self._buckets: dict[tuple[str, datetime], Calls] = {}
        self._probes = 0
        """That were let through since it was half open."""

    def pass_time(self, now: datetime) -> None:
        """Do what it does by the clock alone."""
        while (due := self._breaker.until) is not None and due <= now:
            before = self._breaker
            if self._is_idle_probing():
                # Nobody came to find out, however long: the next one need not wait.
                self._breaker = msgspec.structs.replace(before, until=probe_end(before.spec, now))
            else:
                self._decide(due)
            if self._breaker is before:
                break

    def begin(self, number: int) -> None:
        state = self._breaker.state
        probing = state is BreakerState.HALF_OPEN
        if state.refuses or (probing and self._probes >= self._breaker.spec.probes):
            self.held += 1
            return
        self._probes += probing
        self._admitted[number] = self._breaker.epoch

    def end(self, number: int, call: PastCall) -> None:
        if self._admitted.pop(number, None) != self._breaker.epoch:
            return
        spec = self._breaker.spec
        found = counted_call(spec, call.executor, call.kinds, call.seconds, None, call.ended)
        before = self._buckets.get((found.executor, found.at))
        self._buckets[found.executor, found.at] = found if before is None else added(before, found)
        self._decide(call.ended)

    def _decide(self, now: datetime) -> None:
        before, spec = self._breaker, self._breaker.spec
        kept = list(self._buckets.values())
        kept = newest(spec, kept) if spec.window_calls is not None else recent(spec, kept, now)
        self._buckets = {(one.executor, one.at): one for one in kept}
        after = decided(before, tally(spec, kept, now=now), now=now, jitter=0.0, probing=self._is_probing())
        if after is None:
            return
        self._breaker = after
        if after.epoch != before.epoch:
            self._buckets, self._probes = {}, 0
            self._note(before, after)

    def _note(self, before: Breaker, after: Breaker) -> None:
        if after.state is BreakerState.OPEN:
            if self.spans and self.spans[-1].until is None:
                self.spans[-1].openings += 1
            else:
                self.spans.append(OpenSpan(at=after.since, reason=after.reason))
        elif after.state is BreakerState.CLOSED and before.state is not BreakerState.CLOSED:
            self.spans[-1].until = after.since

    def _is_probing(self) -> bool:
        return self._breaker.epoch in self._admitted.values()

    def _is_idle_probing(self) -> bool:
        return self._breaker.state is BreakerState.HALF_OPEN and not self._buckets and not self._is_probing()
