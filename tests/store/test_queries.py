"""Named queries: found by name, told from their description, and never defined twice."""

from pathlib import Path

import pytest

from mainspring.errors import ConfigError
from mainspring.store.sql import Queries

TEXT = """-- first
-- Says what it does.
SELECT 1;

-- second
-- Says what it does, too.
SELECT 2
-- because of this
FROM a
"""


@pytest.fixture
def queries(tmp_path: Path) -> Queries:
    (tmp_path / "some.sql").write_text(TEXT)
    return Queries(tmp_path)


def test_a_query_is_found_by_attribute_and_by_item(queries: Queries) -> None:
    assert queries.names() == ["first", "second"]
    assert queries.first == queries["first"]
    assert queries.first.endswith("SELECT 1")
    assert queries.second.endswith("SELECT 2\n-- because of this\nFROM a")


def test_an_unknown_query_is_an_error(queries: Queries) -> None:
    with pytest.raises(AttributeError, match="third"):
        _ = queries.third
    with pytest.raises(KeyError):
        _ = queries["third"]


def test_a_name_used_twice_is_refused(tmp_path: Path) -> None:
    for file in ("a.sql", "b.sql"):
        (tmp_path / file).write_text(TEXT)
    with pytest.raises(ConfigError, match="first exists twice"):
        Queries(tmp_path)


def test_text_before_the_first_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("SELECT 1\n" + TEXT)
    with pytest.raises(ConfigError, match="before the first"):
        Queries(tmp_path)
