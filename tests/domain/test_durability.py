"""What a commit survives, by PostgreSQL's settings."""

import pytest

from mainspring.domain.cluster.durability import Durability, durability_of, is_enough

GOOD = {"fsync": "on", "full_page_writes": "on", "commit": "on", "named": "", "standbys": 0}


@pytest.mark.parametrize(
    ("changes", "durability"),
    [
        ({}, "single"),
        ({"fsync": "off", "named": "*"}, "unsafe"),
        ({"full_page_writes": "off"}, "unsafe"),
        ({"commit": "off", "named": "*", "standbys": 1}, "unsafe"),
        ({"standbys": 1}, "async"),
        ({"named": "ANY 1 (a, b)", "standbys": 2}, "sync"),
        ({"named": "ANY 1 (a, b)", "commit": "local", "standbys": 2}, "async"),
    ],
)
def test_the_class_follows_from_the_settings(changes: dict[str, object], durability: str) -> None:
    assert durability_of(**(GOOD | changes)) == durability  # type: ignore[arg-type]


def test_a_stronger_class_is_enough_and_a_weaker_one_is_not() -> None:
    assert is_enough(Durability.SYNC, Durability.ASYNC)
    assert not is_enough(Durability.SINGLE, Durability.ASYNC)
    assert is_enough(Durability.UNSAFE, None)
