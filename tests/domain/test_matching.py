"""A filter lets through exactly the events of which all that it says holds."""

import operator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainspring.domain.webhooks.event_match import matches, read_filter, same, unmet
from mainspring.errors import InvalidInputError

ORDER = msgspec.json.encode(
    {"country": "de", "total": 120, "paid": True, "items": ["book", 3], "note": None, "at": "2026-11-16"}
)

LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, 2.0]) | st.sampled_from("ab")
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2)
)


def let_through(filter: dict[str, Any], data: bytes = ORDER) -> bool:  # noqa: A002 its own name
    raw = {place: msgspec.Raw(msgspec.json.encode(wanted)) for place, wanted in filter.items()}
    return matches(read_filter(raw), data)


@pytest.mark.parametrize(
    "filter",
    [
        {},
        {"$.country": "de"},
        {"$.total": 120.0},
        {"$.note": None},
        {"$.paid": True, "$.country": {"in": ["de", "at"]}},
        {"$.country": {"prefix": "d"}},
        {"$.total": {"ge": 120, "lt": 121}},
        {"$.total": {"gt": 119.5, "le": 120}},
        {"$.at": {"ge": "2026-11", "lt": "2026-12"}},
        {"$.items": {"eq": ["book", 3]}},
        {"$.items[0]": "book"},
        {"$.note": {"exists": True}},
        {"$.nothing": {"exists": False}},
    ],
)
def test_what_holds_lets_through(filter: dict[str, Any]) -> None:  # noqa: A002 its own name
    assert let_through(filter)


@pytest.mark.parametrize(
    "filter",
    [
        {"$.country": "fr"},
        {"$.paid": 1},
        {"$.paid": "true"},
        {"$.country": "de", "$.total": 121},
        {"$.country": {"in": ["fr", "it"]}},
        {"$.total": {"prefix": "1"}},
        {"$.total": {"gt": 120}},
        {"$.country": {"gt": 1}},
        {"$.paid": {"ge": 0}},
        {"$.nothing": None},
        {"$.nothing": {"lt": 5}},
        {"$.nothing": {"exists": False, "lt": 5}},
        {"$.country": {"exists": False}},
    ],
)
def test_what_does_not_hold_lets_nothing_through(filter: dict[str, Any]) -> None:  # noqa: A002 its own name
    assert not let_through(filter)


@pytest.mark.parametrize(
    ("place", "wanted", "field"),
    [
        ("country", b"1", "when.filter.country"),
        ("$.a", b"{}", "when.filter.$.a"),
        ("$.a", b'{"like": 1}', "when.filter.$.a"),
        ("$.a", b'{"in": 1}', "when.filter.$.a.in"),
        ("$.a", b'{"in": []}', "when.filter.$.a.in"),
        ("$.a", b'{"prefix": 1}', "when.filter.$.a.prefix"),
        ("$.a", b'{"exists": 1}', "when.filter.$.a.exists"),
        ("$.a", b'{"gt": true}', "when.filter.$.a.gt"),
        ("$.a", b'{"le": null}', "when.filter.$.a.le"),
    ],
)
def test_a_filter_that_cannot_be_meant_is_refused_by_place(place: str, wanted: bytes, field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        read_filter({place: msgspec.Raw(wanted)})

    assert refused.value.field == field


def test_the_first_place_that_does_not_hold_can_be_named() -> None:
    raw = {"$.country": msgspec.Raw(b'"de"'), "$.total": msgspec.Raw(b"7"), "$.paid": msgspec.Raw(b"false")}

    assert unmet(read_filter(raw), ORDER) == "$.total"


@settings(max_examples=100)
@given(VALUES, VALUES)
def test_equality_is_that_of_json(one: Any, other: Any) -> None:
    assert same(one, other) == (canonical(one) == canonical(other))
    assert let_through({"$.v": {"eq": one}}, msgspec.json.encode({"v": other})) == same(one, other)
    assert let_through({"$.v": {"in": [one, "zz"]}}, msgspec.json.encode({"v": other})) == same(one, other)


@settings(max_examples=100)
@given(st.sampled_from(["gt", "ge", "lt", "le"]), st.integers(-3, 3) | st.sampled_from("abc"), VALUES)
def test_order_is_of_numbers_and_of_texts_and_never_across(name: str, wanted: Any, found: Any) -> None:
    alike = not isinstance(found, bool) and (
        isinstance(found, str) if isinstance(wanted, str) else isinstance(found, int | float)
    )
    expected = alike and getattr(operator, name)(found, wanted)

    assert let_through({"$.v": {name: wanted}}, msgspec.json.encode({"v": found})) == expected


def canonical(value: Any) -> Any:
    """The same for two values exactly if they are the same to JSON."""
    if isinstance(value, bool) or value is None:
        return ("word", str(value))
    if isinstance(value, int | float):
        return ("number", float(value))
    if isinstance(value, list):
        return ("list", [canonical(each) for each in value])
    if isinstance(value, dict):
        return ("object", sorted((key, canonical(each)) for key, each in value.items()))
    return ("text", value)
