"""How many executor processes run, as the server wants more or fewer."""

import pytest

from mainspring.cli.processes.scaled import CALM, Pace, ProcessRange, parse_range
from mainspring.errors import ConfigError


def test_more_come_at_once_and_go_after_calm() -> None:
    pace = Pace(ProcessRange(1, 8))

    assert [pace.count(wanted, at) for at, wanted in enumerate((0, 3, 50, 2))] == [1, 3, 8, 8]
    assert pace.count(2, 2 + CALM) == 8
    assert pace.count(2, 2.5 + CALM) == 2
    assert pace.count(0, 3 + 2 * CALM) == 1


@pytest.mark.parametrize("text", ["8:1", ":8", "1:", "0:0", "a:b", "1:2:3", "-1:4"])
def test_a_range_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="processes"):
        parse_range(text)


def test_a_number_is_no_range() -> None:
    assert parse_range("4") is None
    assert parse_range("0:2") == ProcessRange(0, 2)
