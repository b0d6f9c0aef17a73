"""Which rules of a breaker are refused, and what a call counts as."""

from typing import Any

import pytest

from mainspring.domain.breakers.spec import BreakerSpec, CallOutcome, check_breaker, is_slow, outcome_of
from mainspring.errors import InvalidInputError


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"failures": 0.0}, "failures"),
        ({"failures": 1.01}, "failures"),
        ({"failures": float("nan")}, "failures"),
        ({"slow": 0.5}, "slow_after"),
        ({"slow_after": 2.0}, "slow"),
        ({"slow": -1.0, "slow_after": 2.0}, "slow"),
        ({"slow": 0.5, "slow_after": 0.0}, "slow_after"),
        ({"window": 0.5}, "window"),
        ({"window": 3601.0}, "window"),
        ({"window": float("inf")}, "window"),
        ({"min_calls": 0}, "min_calls"),
        ({"window_calls": 0}, "window_calls"),
        ({"window_calls": 10, "min_calls": 11}, "min_calls"),
        ({"wait": 0.0}, "wait"),
        ({"wait": 20.0, "wait_max": 10.0}, "wait_max"),
        ({"probes": 0}, "probes"),
        ({"probe_within": 0.0}, "probe_within"),
        ({"witnesses": 0}, "witnesses"),
        ({"ignore": ("",)}, "ignore"),
        ({"record": ("E",) * 51}, "record"),
    ],
)
def test_a_rule_that_means_nothing_is_refused(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        check_breaker("sms-gateway", BreakerSpec(**fields))
    assert (raised.value.field, raised.value.code) == (field, "bad_breaker")


def test_a_rule_of_defaults_is_accepted() -> None:
    check_breaker("sms-gateway", BreakerSpec())
    check_breaker("sms-gateway", BreakerSpec(slow=0.8, slow_after=2.0, window_calls=100, min_calls=100))


def test_a_name_that_shows_nothing_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="name"):
        check_breaker("", BreakerSpec())


@pytest.mark.parametrize(
    ("spec", "kinds", "outcome"),
    [
        (BreakerSpec(), (), CallOutcome.SUCCESS),
        (BreakerSpec(), ("ValueError",), CallOutcome.FAILURE),
        (BreakerSpec(ignore=("ValueError",)), ("ValueError", "Exception"), CallOutcome.IGNORED),
        (BreakerSpec(ignore=("Exception",), record=("ValueError",)), ("ValueError", "Exception"), CallOutcome.IGNORED),
        (BreakerSpec(record=("OSError",)), ("TimeoutError", "OSError"), CallOutcome.FAILURE),
        (BreakerSpec(record=("OSError",)), ("ValueError",), CallOutcome.SUCCESS),
    ],
)
def test_ignore_wins_over_record(spec: BreakerSpec, kinds: tuple[str, ...], outcome: CallOutcome) -> None:
    assert outcome_of(spec, kinds) is outcome


def test_calls_are_slow_only_by_a_rule() -> None:
    assert not is_slow(BreakerSpec(), 1000.0)
    assert is_slow(BreakerSpec(slow=0.5, slow_after=2.0), 2.0)
    assert not is_slow(BreakerSpec(slow=0.5, slow_after=2.0), 1.999)
