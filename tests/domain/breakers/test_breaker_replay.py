"""What a rule would have done with calls of the past."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from mainspring.domain.breakers.replay import BreakerReplay, PastCall, try_rule
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.testing.clock import START

RULE = BreakerSpec(failures=0.5, min_calls=4, window=30.0, wait=10.0, probes=2, witnesses=1)
ERROR = ("ConnectionError",)


def calls(moments: Iterable[tuple[float, bool]], *, took: float = 0.1) -> list[PastCall]:
    """One call at each second that is given, and whether it ended well."""
    return [
        PastCall(
            began=START + timedelta(seconds=second),
            ended=START + timedelta(seconds=second + took),
            executor="one",
            kinds=() if well else ERROR,
        )
        for second, well in moments
    ]


def played(rule: BreakerSpec, past: list[PastCall]) -> BreakerReplay:
    work = try_rule(rule, past)
    while True:
        try:
            next(work)
        except StopIteration as done:
            found: BreakerReplay = done.value
            return found


def seconds(found: BreakerReplay) -> list[tuple[float, float | None]]:
    """When it opens and closes, since the beginning."""
    return [(since(one.at), None if one.until is None else since(one.until)) for one in found.spans]


def since(at: datetime) -> float:
    return (at - START).total_seconds()


def test_no_calls_open_nothing() -> None:
    assert played(RULE, []) == BreakerReplay()


def test_calls_that_end_well_open_nothing() -> None:
    assert played(RULE, calls((second, True) for second in range(100))) == BreakerReplay(calls=100)


def test_it_opens_at_the_share_and_closes_after_probes_that_end_well() -> None:
    found = played(RULE, calls([(second, second >= 4) for second in range(40)]))

    assert seconds(found) == [(3.1, 15.1)]
    assert (found.failures, found.held) == (4, 10)
    assert found.open_seconds(START + timedelta(hours=1)) == 12.0
    assert found.spans[0].reason == "100% of 4 calls failed"


def test_probes_that_fail_keep_it_open_for_twice_as_long_each_time() -> None:
    found = played(RULE, calls([(second, False) for second in range(60)]))

    assert seconds(found) == [(3.1, None)]
    assert found.spans[0].openings == 3
    assert found.open_seconds(START + timedelta(seconds=63.1)) == 60.0


def test_a_rule_that_asks_for_more_opens_later_or_never() -> None:
    past = calls([(second, second % 2 == 0) for second in range(60)])

    assert len(played(RULE, past).spans) > 0
    assert played(BreakerSpec(failures=0.6, min_calls=4, witnesses=1), past).spans == ()


def test_errors_that_are_ignored_open_nothing() -> None:
    rule = BreakerSpec(failures=0.5, min_calls=4, witnesses=1, ignore=ERROR)

    assert played(rule, calls([(second, False) for second in range(20)])) == BreakerReplay(calls=20)


def test_slow_calls_open_it_where_the_rule_says_so() -> None:
    past = calls([(second, True) for second in range(20)], took=3.0)
    found = played(BreakerSpec(slow=0.5, slow_after=2.0, min_calls=4, witnesses=1), past)

    assert (found.slow, len(found.spans)) == (20, 1)


def test_the_newest_calls_count_where_the_rule_counts_calls() -> None:
    rule = BreakerSpec(failures=1.0, window_calls=3, min_calls=3, witnesses=1)
    past = calls([(100.0 * second, second < 20) for second in range(24)])

    assert seconds(played(rule, past)) == [(2200.1, None)]


def test_a_half_open_breaker_waits_for_whoever_comes() -> None:
    past = calls([*((second, False) for second in range(4)), (5000, True), (5001, True), (5002, True)])

    assert seconds(played(RULE, past)) == [(3.1, 5001.1)]
