"""Checking inputs by a JSON schema: what is found, what is left to the executor, and schemas that are none."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.errors import InvalidInputError
from mainspring.wire.arguments import checker


def accepts(schema: dict[str, Any], value: Any) -> bool:
    document = {"type": "object", "properties": {"x": schema}, "required": ["x"], "$defs": schema.pop("$defs", {})}
    try:
        checker(msgspec.json.encode(document))(msgspec.json.encode({"x": value}))
    except InvalidInputError as error:
        return not error.field.startswith("input.x")
    return True


NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "value": {"type": "integer"}}}
CAT = {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["lives"]}
DOG = {"type": "object", "properties": {"kind": {"const": "dog"}}}
PETS = {
    "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
    "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"}},
}


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 3}, 3, 4),
        ({"type": "number", "exclusiveMinimum": 0}, 0.5, 0),
        ({"type": "string", "minLength": 2}, "ab", "a"),
        ({"type": "string", "format": "uuid"}, "00000000-0000-0000-0000-000000000007", "seven"),
        ({"type": "string", "format": "date-time"}, "2030-01-01T00:00:00Z", "soon"),
        ({"type": "string", "contentEncoding": "base64"}, "YWI=", "?"),
        ({"type": ["integer", "null"]}, None, "x"),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, [1, 2], [1, 2, 3]),
        ({"type": "array", "prefixItems": [{"type": "integer"}], "minItems": 1, "maxItems": 1}, [1], ["a"]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"a": 1}, {"a": "x"}),
        ({"type": "object", "properties": {"a-b": {"type": "integer"}}, "required": ["a-b"]}, {"a-b": 1}, {}),
        ({"type": "object", "properties": {"__init__": {"type": "integer"}}}, {"__init__": 1}, {"__init__": "x"}),
        ({"enum": ["a", 1, None]}, 1, 2),
        ({"const": "a"}, "a", "b"),
        ({"allOf": [{"type": "integer"}]}, 1, "x"),
        ({"anyOf": [{"type": "string", "format": "date"}, {"type": "string"}]}, "any text", 7),
        ({"$ref": "#/$defs/Node", "$defs": {"Node": NODE}}, {"next": {"value": 1}}, {"value": "x"}),
        ({**PETS, "$defs": {"Cat": CAT, "Dog": DOG}}, {"kind": "cat", "lives": 9}, {"kind": "cat", "lives": "9"}),
        ({**PETS, "$defs": {"Cat": CAT, "Dog": DOG}}, {"kind": "dog"}, {"kind": "cow"}),
    ],
)
def test_what_a_schema_says_is_checked(schema: dict[str, Any], good: Any, bad: Any) -> None:
    assert accepts(dict(schema), good)
    assert not accepts(dict(schema), bad)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "pattern": "^(a+)+$"}, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"),
        ({"type": "integer", "minimum": 10**30}, 1),
        ({"anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": "object", "properties": {"b": {}}}]}, 1),
        ({"not": {"type": "integer"}}, 1),
        ({"$ref": "#/$defs/Nowhere"}, 1),
        ({"enum": [1.5, {}]}, 7),
        ({"type": "nonsense"}, 1),
    ],
)
def test_what_cannot_be_checked_here_is_left_to_the_executor(schema: dict[str, Any], value: Any) -> None:
    assert accepts(dict(schema), value)


WORDS = st.sampled_from(
    ["type", "properties", "required", "items", "anyOf", "oneOf", "$ref", "$defs", "enum", "const", "title", "minItems",
     "prefixItems", "discriminator", "minimum", "maxLength", "format", "additionalProperties", "allOf"]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(), inner, max_size=4),
    max_leaves=20,
)
KINDS = st.sampled_from(["object", "array", "string", "integer", "number", "null", "#/$defs/A"])


@given(st.dictionaries(WORDS, JSON | KINDS | st.dictionaries(WORDS, JSON | KINDS, max_size=4), max_size=6))
def test_whatever_stands_in_for_a_schema_is_one_or_is_said_to_be_none(schema: dict[str, Any]) -> None:
    try:
        checker(msgspec.json.encode(schema))(b'{"a": 1}')
    except (ValueError, InvalidInputError):
        return


@pytest.mark.parametrize(
    "schema",
    [b"", b"[]", b"true", b"{", b"\xff", b'{"$ref": 7}', b'{"type": "object", "properties": 7}', b'{"a":' * 2_000],
)
def test_bytes_that_are_no_schema_are_refused(schema: bytes) -> None:
    with pytest.raises(ValueError):
        checker(schema)
