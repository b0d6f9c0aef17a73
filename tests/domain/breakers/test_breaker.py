"""A breaker's states: when it opens, how long it waits, how it finds out and lets go."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from mainspring.domain.breakers.breaker import Breaker, BreakerState, decided, reset, resumed, steered
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import Calls, WindowCounts, bucket_start, joined, tally

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
SPEC = BreakerSpec(min_calls=4, window=20.0, probes=2, wait=10.0, wait_max=60.0, probe_within=30.0)
FAILING = WindowCounts(calls=4, failures=2, callers=2, failing=2, seconds=2.0)
WELL = WindowCounts(calls=4, callers=2)


def breaker(state: BreakerState = BreakerState.CLOSED, *, spec: BreakerSpec = SPEC, **fields: object) -> Breaker:
    made = Breaker(id=1, namespace="default", name="sms", spec=spec, state=state, since=NOW)
    return msgspec.structs.replace(made, **fields)


def after(
    before: Breaker, counted: WindowCounts, *, seconds: float = 0.0, jitter: float = 0.0, probing: bool = True
) -> Breaker:
    found = decided(before, counted, now=NOW + timedelta(seconds=seconds), jitter=jitter, probing=probing)
    return before if found is None else found


@pytest.mark.parametrize(
    ("counted", "state"),
    [
        (FAILING, BreakerState.OPEN),
        (WindowCounts(calls=3, failures=3, callers=2, failing=2), BreakerState.CLOSED),
        (WindowCounts(calls=4, failures=1, callers=2, failing=1), BreakerState.CLOSED),
        (WindowCounts(calls=4, failures=4, callers=1, failing=1), BreakerState.OPEN),
        (WindowCounts(calls=40, failures=30, callers=3, failing=1), BreakerState.CLOSED),
    ],
    ids=["at the threshold", "too few calls", "too few failures", "the only caller", "one sick executor of three"],
)
def test_a_closed_breaker_opens_by_rate_calls_and_witnesses(counted: WindowCounts, state: BreakerState) -> None:
    assert after(breaker(), counted).state is state


def test_slow_calls_open_it_as_failures_do() -> None:
    spec = msgspec.structs.replace(SPEC, slow=0.75, slow_after=2.0)
    assert after(breaker(spec=spec), WindowCounts(calls=4, slow=3, callers=2, slowed=2)).state is BreakerState.OPEN
    assert after(breaker(spec=spec), WindowCounts(calls=4, slow=2, callers=2, slowed=2)).state is BreakerState.CLOSED


def test_waits_grow_with_the_streak_up_to_the_longest() -> None:
    waits = []
    for streak in range(5):
        opened = after(
            breaker(BreakerState.HALF_OPEN, streak=streak), WindowCounts(calls=1, failures=1, callers=1, failing=1)
        )
        assert opened.until is not None
        waits.append((opened.until - NOW).total_seconds())
    assert waits == [20.0, 40.0, 60.0, 60.0, 60.0]


@pytest.mark.parametrize(("jitter", "seconds"), [(-1.0, 9.0), (1.0, 11.0)])
def test_a_wait_is_jittered(jitter: float, seconds: float) -> None:
    assert after(breaker(), FAILING, jitter=jitter).until == NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize(("told", "seconds"), [(5, 10.0), (30, 30.0), (86_400, 60.0)])
def test_a_retry_after_lengthens_the_wait_up_to_the_longest(told: int, seconds: float) -> None:
    counted = msgspec.structs.replace(FAILING, retry_after=NOW + timedelta(seconds=told))
    assert after(breaker(), counted).until == NOW + timedelta(seconds=seconds)


def test_a_retry_after_opens_by_itself_only_by_a_rule() -> None:
    counted = WindowCounts(calls=1, callers=1, retry_after=NOW + timedelta(seconds=30))
    assert after(breaker(), counted).state is BreakerState.CLOSED
    assert after(breaker(spec=BreakerSpec(open_on_retry_after=True)), counted).state is BreakerState.OPEN


def test_an_open_breaker_ends_its_wait_at_its_time_whatever_is_heard() -> None:
    opened = after(breaker(), FAILING)
    assert after(opened, FAILING, seconds=9.9) is opened
    assert after(opened, FAILING, seconds=10.0).state is BreakerState.HALF_OPEN


def test_probes_that_end_well_close_it_and_waves_follow() -> None:
    half = breaker(BreakerState.HALF_OPEN, until=NOW + timedelta(seconds=30), streak=2, rate_before=7)
    assert after(half, WindowCounts(calls=1, callers=1)) is half
    closed = after(half, WindowCounts(calls=2, callers=1))
    assert (closed.state, closed.wave, closed.streak) == (BreakerState.CLOSED, 2, 2)
    assert after(closed, WELL, seconds=4.9) is closed
    second = after(closed, WELL, seconds=5.0)
    assert (second.wave, second.streak, second.epoch) == (4, 2, closed.epoch)
    third = after(second, WELL, seconds=10.0)
    assert (third.wave, third.until, third.streak) == (0, None, 0)


def test_a_wave_is_judged_by_as_many_calls_as_it_has() -> None:
    ramping = breaker(wave=2, until=NOW + timedelta(seconds=5), streak=1)
    opened = after(ramping, WindowCounts(calls=2, failures=1, callers=1, failing=1))
    assert (opened.state, opened.streak) == (BreakerState.OPEN, 2)


def test_others_are_let_through_in_the_place_of_ignored_probes() -> None:
    half = breaker(BreakerState.HALF_OPEN, until=NOW + timedelta(seconds=30), streak=1)
    one = tally(SPEC, [Calls(executor="a", at=NOW, ignored=1)], now=NOW)
    assert after(half, one) is half
    again = after(half, tally(SPEC, [Calls(executor="a", at=NOW, calls=1, ignored=1)], now=NOW))
    assert (again.state, again.epoch, again.streak) == (BreakerState.HALF_OPEN, half.epoch + 1, 1)


def test_probing_ends_in_time() -> None:
    half = breaker(BreakerState.HALF_OPEN, until=NOW + timedelta(seconds=30))
    assert after(half, WindowCounts(), seconds=30.0).state is BreakerState.OPEN
    assert after(half, WindowCounts(calls=1, callers=1), seconds=30.0).state is BreakerState.CLOSED
    idle = after(half, WindowCounts(), seconds=30.0, probing=False)
    assert (idle.state, idle.until) == (BreakerState.HALF_OPEN, NOW + timedelta(seconds=60))


def test_an_operator_is_obeyed_until_another_word() -> None:
    opened = after(breaker(), FAILING)
    for state in (BreakerState.FORCED_OPEN, BreakerState.DISABLED, BreakerState.METRICS_ONLY):
        held = steered(opened, state, reason="moving", by="anna", now=NOW)
        assert after(held, FAILING, seconds=1e6) is held
        back = resumed(held, reason="", by="anna", now=NOW)
        assert back is not None
        assert (back.state, back.until, back.epoch) == (BreakerState.OPEN, opened.until, opened.epoch + 2)
    assert resumed(opened, reason="", by="anna", now=NOW) is None
    fresh = reset(opened, reason="fixed", by="anna", now=NOW)
    assert (fresh.state, fresh.streak, fresh.wave, fresh.until) == (BreakerState.CLOSED, 0, 0, None)


def test_one_word_after_another_keeps_the_state_before_the_first() -> None:
    held = steered(breaker(), BreakerState.DISABLED, reason="", by="anna", now=NOW)
    held = steered(held, BreakerState.FORCED_OPEN, reason="", by="anna", now=NOW)
    back = resumed(held, reason="", by="anna", now=NOW)
    assert back is not None
    assert back.state is BreakerState.CLOSED


def test_a_window_of_time_forgets_what_is_older() -> None:
    old = Calls(executor="a", at=NOW - timedelta(seconds=20), calls=5, failures=5)
    new = Calls(executor="b", at=NOW - timedelta(seconds=19), calls=3, failures=1)
    assert tally(SPEC, [old, new], now=NOW) == WindowCounts(calls=3, failures=1, callers=1, failing=1, seconds=19.0)


def test_a_window_of_calls_keeps_the_newest() -> None:
    spec = BreakerSpec(window_calls=5, min_calls=5)
    buckets = [Calls(executor="a", at=NOW - timedelta(seconds=age), calls=3, failures=age) for age in (1, 2, 3)]
    assert tally(spec, buckets, now=NOW).calls == 6
    assert tally(spec, buckets, now=NOW).failures == 3


def test_reports_of_one_bucket_are_joined() -> None:
    at = bucket_start(SPEC, NOW + timedelta(seconds=0.7))
    assert at == NOW
    one = Calls(executor="a", at=at, calls=1, failures=1, retry_after=NOW)
    other = Calls(executor="a", at=at, calls=2, slow=1, ignored=1)
    together = Calls(executor="a", at=at, calls=3, failures=1, slow=1, ignored=1, retry_after=NOW)
    assert joined([one, other]) == [together]
