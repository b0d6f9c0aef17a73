"""Any course of calls, pauses and words of operators, decided beside a model that keeps every call and knows no shortcut."""

import math
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from mainspring.domain.breakers.breaker import Breaker, BreakerState, decided, reset, resumed, steered
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import Calls, joined, tally

SPEC = BreakerSpec(
    failures=0.5,
    slow=0.75,
    slow_after=1.0,
    window=10.0,
    min_calls=4,
    wait=4.0,
    wait_max=20.0,
    probes=3,
    probe_within=8.0,
)
NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
STEERED = (BreakerState.FORCED_OPEN, BreakerState.DISABLED, BreakerState.METRICS_ONLY)


Seen = tuple[float, str, bool, bool]
"""When, by whom, whether it failed, and whether it was slow."""


class Model:
    """The table of states, written out."""

    def __init__(self) -> None:
        self.state = "closed"
        self.until: float | None = None
        self.streak = 0
        self.wave = 0
        self.before = 0
        self.was = "closed"
        self.calls: list[Seen] = []
        self.ignored: list[float] = []

    def step(self, now: float) -> None:
        seen = [call for call in self.calls if now - 10.0 < call[0] <= now]
        if self.state == "closed":
            self.step_closed(now, seen)
        elif self.state == "open" and self.until is not None and now >= self.until:
            self.become("half_open", now + 8)
        elif self.state == "half_open" and self.until is not None:
            self.step_half_open(now, seen, late=now >= self.until)

    def step_closed(self, now: float, seen: list[Seen]) -> None:
        failed, slow = [call for call in seen if call[2]], [call for call in seen if call[3]]
        enough = min(2, len({call[1] for call in seen}))
        judged = len(seen) >= (min(4, self.wave) if self.wave else 4)
        if judged and (
            (len(failed) * 2 >= len(seen) and len({call[1] for call in failed}) >= enough)
            or (len(slow) * 4 >= 3 * len(seen) and len({call[1] for call in slow}) >= enough)
        ):
            if not self.wave:
                oldest = max(now - call[0] for call in seen)
                self.before = math.ceil(len(seen) / max(1.0, oldest))
            self.open(now, self.streak + 1 if self.wave else 0)
        elif self.wave and self.until is not None and now >= self.until:
            self.wave *= 2
            self.until = now + 5
            if self.wave >= self.before:
                self.wave, self.until, self.streak = 0, None, 0

    def step_half_open(self, now: float, seen: list[Seen], *, late: bool) -> None:
        failed, slow = [call for call in seen if call[2]], [call for call in seen if call[3]]
        spent = len(seen) + len([at for at in self.ignored if now - 10.0 < at <= now]) >= 3
        if len(failed) >= 2 or len(slow) >= 3 or (late and not seen and not spent):
            self.open(now, self.streak + 1)
        elif len(seen) < 3 and spent:
            self.become("half_open", now + 8)
        elif len(seen) >= 3 or late:
            self.become("closed", now + 5)
            self.wave = 3

    def open(self, now: float, streak: int) -> None:
        self.become("open", now + min(20.0, 4.0 * 2**streak))
        self.streak = streak

    def become(self, state: str, until: float | None) -> None:
        self.state, self.until, self.wave, self.calls, self.ignored = state, until, 0, [], []


class BreakerCourse(RuleBasedStateMachine):
    """Time passes in whole seconds, so that buckets and calls begin together."""

    def __init__(self) -> None:
        super().__init__()
        self.breaker = Breaker(id=1, namespace="default", name="sms", spec=SPEC, since=NOW)
        self.model = Model()
        self.seconds = 0
        self.buckets: list[Calls] = []

    @property
    def now(self) -> datetime:
        return NOW + timedelta(seconds=self.seconds)

    def take(self, found: Breaker | None) -> None:
        if found is not None:
            if found.epoch != self.breaker.epoch:
                self.buckets = []
            assert found.revision == self.breaker.revision + 1
            self.breaker = found

    @rule(executor=st.sampled_from("abc"), failed=st.booleans(), slow=st.booleans(), times=st.integers(1, 4))
    def call(self, executor: str, *, failed: bool, slow: bool, times: int) -> None:
        if not self.breaker.state.counts:
            return
        counted = Calls(executor=executor, at=self.now, calls=times, failures=times * failed, slow=times * slow)
        self.buckets = joined([*self.buckets, counted])
        self.model.calls += [(self.seconds, executor, failed, slow)] * times
        self.decide()

    @rule(executor=st.sampled_from("abc"))
    def ignored_call(self, executor: str) -> None:
        if self.breaker.state.counts:
            self.buckets = joined([*self.buckets, Calls(executor=executor, at=self.now, ignored=1)])
            self.model.ignored.append(self.seconds)
            self.decide()

    @rule(seconds=st.integers(1, 12))
    def pass_time(self, seconds: int) -> None:
        self.seconds += seconds
        self.decide()

    @rule(state=st.sampled_from(STEERED))
    def steer(self, state: BreakerState) -> None:
        if self.model.state not in STEERED:
            self.model.was = self.model.state
        self.model.state, self.model.calls, self.model.ignored = state.value, [], []
        self.take(steered(self.breaker, state, reason="", by="anna", now=self.now))

    @rule()
    def resume(self) -> None:
        if self.model.state in STEERED:
            self.model.state, self.model.calls, self.model.ignored = self.model.was, [], []
        self.take(resumed(self.breaker, reason="", by="anna", now=self.now))

    @rule()
    def reset(self) -> None:
        self.model = Model()
        self.take(reset(self.breaker, reason="", by="anna", now=self.now))

    def decide(self) -> None:
        self.model.step(self.seconds)
        self.take(decided(self.breaker, tally(SPEC, self.buckets, now=self.now), now=self.now, jitter=0.0))

    @invariant()
    def agrees_with_the_model(self) -> None:
        until = None if self.breaker.until is None else (self.breaker.until - NOW).total_seconds()
        breaker = (self.breaker.state.value, until, self.breaker.streak, self.breaker.wave)
        assert breaker == (self.model.state, self.model.until, self.model.streak, self.model.wave)

    @invariant()
    def no_state_lasts_by_itself(self) -> None:
        if self.breaker.state in (BreakerState.OPEN, BreakerState.HALF_OPEN) or self.breaker.wave:
            assert self.breaker.state.steered or self.breaker.until is not None


TestBreakerCourse = BreakerCourse.TestCase
