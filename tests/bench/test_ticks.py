"""The benchmark of triggers judges starts rightly, and its smallest part runs."""

import pytest

from bench.systems.mainspring import SYSTEMS
from bench.systems.triggers_minutes import due_between
from bench.systems.triggers_next import next_instant
from bench.systems.triggers_seconds import judge_seconds
from bench.systems.triggers_sizes import Sizes, sizes_from
from bench.ticks import hourly, judge

HOUR = 1_800_000_000 // 3600 * 3600


def test_a_start_belongs_to_the_last_minute_of_its_trigger() -> None:
    assert hourly([(7, HOUR + 7 * 60 + 2.5), (67, HOUR + 7 * 60 - 0.25), (8, HOUR + 7 * 60)]) == [
        ((7, HOUR + 420), 2.5),
        ((67, HOUR + 420), -0.25),
        ((8, HOUR - 3600 + 480), 3540),
    ]


def test_each_minute_has_the_triggers_of_that_minute() -> None:
    assert due_between(121, HOUR, HOUR + 60) == [
        (60, HOUR),
        (120, HOUR),
        (1, HOUR + 60),
        (61, HOUR + 60),
        (121, HOUR + 60),
    ]


def test_instants_without_a_start_and_with_two_are_counted() -> None:
    found = judge([((1, 10), 0.5), ((1, 10), 0.7), ((2, 10), -0.1), ((9, 10), 3.0)], [(1, 10), (2, 10), (3, 10)])
    assert (found.expected, found.missed, found.twice) == (3, 1, 1)
    assert found.delays == [0.5, 0.7, -0.1]
    assert found.details["early"] == 1


def test_a_second_without_a_start_is_missed() -> None:
    found = judge_seconds([(1, 100.004), (1, 101.9995), (1, 200.0)], 100, 3)
    assert (found.expected, found.missed, found.twice) == (3, 1, 0)
    assert found.delays == pytest.approx([0.004, -0.0005])


def test_sizes_come_from_the_environment() -> None:
    assert sizes_from({}, quick=False) == Sizes()
    found = sizes_from({"TRIGGERS_PARTS": "next", "TRIGGERS_COUNT": "10"}, quick=True)
    assert (found.parts, found.count) == (("next",), 10)
    with pytest.raises(ValueError, match="hours"):
        sizes_from({"TRIGGERS_PARTS": "hours"}, quick=True)


def test_the_next_instant_is_measured() -> None:
    found = {each.metric: each.value for each in next_instant(SYSTEMS[0], Sizes(calls=2))}
    assert set(found) == {"next, typical", "next, worst", "next, at the edges", "impossible refused"}
    assert all(value is not None and value > 0 for value in found.values())
