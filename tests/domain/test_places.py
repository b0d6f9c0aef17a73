"""A place names one part of a document, which is handed on as it is written."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainspring.domain.webhooks.json_path import parse_place, take
from mainspring.errors import InvalidInputError

DOCUMENT = b' {"order": {"id": 12345678901234567890123, "total": 1.10, "lines": [{"sku": "a b"}, null]}, "a.b": true} '

LEAVES = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text(max_size=5)
DOCUMENTS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
)


@pytest.mark.parametrize(
    ("place", "there"),
    [
        ("$", DOCUMENT.strip()),
        ("$.order.id", b"12345678901234567890123"),
        ("$.order.total", b"1.10"),
        ("$.order.lines[0].sku", b'"a b"'),
        ("$['order']['lines'][1]", b"null"),
        ('$["a.b"]', b"true"),
        ("$.order.lines[2]", None),
        ("$.order.lines.sku", None),
        ("$.order[0]", None),
        ("$.order.id.more", None),
        ("$.nothing", None),
    ],
)
def test_a_place_names_one_part(place: str, there: bytes | None) -> None:
    assert take(DOCUMENT, parse_place(place)) == there


@pytest.mark.parametrize(
    "text",
    ["", "order", "$order", "$.", "$..a", "$.a[", "$.a[-1]", "$.a[b]", "$['a", "$.a ", "$.a[1234567]", "$" * 600],
)
def test_what_is_not_a_place_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parse_place(text, "when.mapping.order")

    assert (refused.value.field, refused.value.code) == ("when.mapping.order", "bad_place")


@settings(max_examples=100)
@given(DOCUMENTS, st.lists(st.integers(0, 5) | st.text(max_size=3), max_size=4))
def test_a_part_is_what_plain_python_finds(document: Any, steps: list[str | int]) -> None:
    found, is_there = walk(document, steps)
    raw = take(msgspec.json.encode(document), tuple(steps))

    assert (raw is not None) == is_there
    assert raw is None or msgspec.json.decode(raw) == found


def walk(document: Any, steps: list[str | int]) -> tuple[Any, bool]:
    for step in steps:
        if isinstance(step, int):
            if not isinstance(document, list) or step >= len(document):
                return None, False
        elif not isinstance(document, dict) or step not in document:
            return None, False
        document = document[step]
    return document, True
