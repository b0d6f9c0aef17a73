"""Lengths of time as people write them."""

import pytest

from mainspring.domain.lengths import read_length


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("1.5h", 5400), ("45s", 45), ("1h30m", 5400), ("1d12h", 129_600), ("1w2d3h4m5.5s", 788_645.5)],
)
def test_numbers_with_units_add_up(text: str, seconds: float) -> None:
    assert read_length(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "30m1h", "1h1h", "1h30", "1 h", "-1h", "1y", "1e3", "²h"])
def test_anything_else_is_no_length(text: str) -> None:
    assert read_length(text) is None
