"""Ages of leases, days of history, and shares of what was counted."""

from datetime import date, timedelta

import pytest

from mainspring.domain.cluster.usage import HistoryDay, ages_of
from mainspring.domain.metrics.numbers import quantile
from mainspring.testing.clock import START


def test_sessions_are_counted_by_tenths_of_a_lease_and_those_that_lapsed_apart() -> None:
    left = (10, 9.5, 0.5, 0, -60)
    found = ages_of([START + timedelta(seconds=each) for each in left], START, 10.0)

    assert found.ages == (2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2)
    assert found.oldest == 70.0


def test_without_sessions_there_is_no_oldest() -> None:
    assert ages_of([], START, 10.0).oldest is None


def test_a_lease_that_ends_later_than_it_could_counts_as_renewed_now() -> None:
    assert ages_of([START + timedelta(days=1)], START, 10.0).ages[0] == 1


def test_a_day_is_dropped_once_all_of_it_is_old() -> None:
    assert HistoryDay(date(2026, 3, 1)).drops_on(30) == date(2026, 4, 1)


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ((0, 0, 0), None),
        ((4, 0, 0), 0.5),
        ((0, 4, 0), 1.5),
        ((2, 0, 2), 1.0),
        ((0, 0, 3), 2.0),
    ],
)
def test_half_of_what_was_counted_stays_within(counts: tuple[int, ...], found: float | None) -> None:
    assert quantile((1.0, 2.0), counts, 0.5) == found
