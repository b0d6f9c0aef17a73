"""A handler's signature is its schema, and a run's input is checked against it by one decode."""

import enum
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypedDict

import msgspec
import pytest

from mainspring.errors import ConfigError
from mainspring.executor.arguments import read_arguments
from mainspring.executor.context import Context


class Colour(enum.Enum):
    RED = "red"


@dataclass
class Point:
    x: int
    y: int = 0


class Size(TypedDict):
    width: int


class Box(msgspec.Struct):
    name: str


def test_values_come_in_the_order_of_the_signature() -> None:
    def handler(user: int, name: str = "x", *, tags: list[str] = ["a"]) -> Any:  # noqa: B006
        return user, name, tags

    arguments = read_arguments(handler)

    assert arguments.decode(b'{"name":"n","user":1}') == (1, "n", ["a"])
    assert arguments.call(*arguments.decode(b'{"user":2,"tags":[]}')) == (2, "x", [])


def test_rich_types_are_decoded() -> None:
    def handler(
        at: datetime, colour: Colour, point: Point, size: Size, box: Box, note: str | None = None, anything: Any = None
    ) -> None: ...

    raw = (
        b'{"at":"2030-01-01T00:00:00Z","colour":"red","point":{"x":1},"size":{"width":2},"box":{"name":"b"},'
        b'"anything":[1,{}]}'
    )

    assert read_arguments(handler).decode(raw) == (
        datetime(2030, 1, 1, tzinfo=UTC),
        Colour.RED,
        Point(1, 0),
        {"width": 2},
        Box("b"),
        None,
        [1, {}],
    )


@pytest.mark.parametrize(
    "raw", [b'{"user":"1"}', b"{}", b'{"user":1,"other":2}', b"[]", b"null", b"", b"{", b'{"user":1.5}', b"\xff"]
)
def test_input_that_does_not_fit_is_refused(raw: bytes) -> None:
    def handler(user: int) -> None: ...

    with pytest.raises((msgspec.DecodeError, ValueError)):
        read_arguments(handler).decode(raw)


def test_a_handler_without_parameters_takes_an_empty_object_only() -> None:
    def handler() -> None: ...

    decode = read_arguments(handler).decode

    assert decode(b"{}") == decode(b" { } ") == ()
    with pytest.raises(msgspec.ValidationError):
        decode(b'{"a":1}')


def test_the_context_is_not_an_argument() -> None:
    def handler(user: int, context: Context, name: str = "x") -> None: ...

    arguments = read_arguments(handler)

    assert arguments.context == 1
    assert arguments.decode(b'{"user":1}') == (1, "x")
    assert b"context" not in arguments.schema


def test_keywords_take_whatever_has_no_name() -> None:
    def handler(user: int, **rest: Any) -> Any:
        return user, rest

    arguments = read_arguments(handler)

    assert arguments.call(*arguments.decode(b'{"user":1,"a":2,"b":[]}')) == (1, {"a": 2, "b": []})


def test_the_schema_is_an_object_with_its_parts_beside_it() -> None:
    def handler(point: Point, mode: Literal["fast", "slow"] = "fast") -> None: ...

    schema = msgspec.json.decode(read_arguments(handler).schema)

    assert schema["type"] == "object"
    assert schema["required"] == ["point"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["mode"] == {"enum": ["fast", "slow"], "default": "fast"}
    assert schema["$defs"]["Point"]["required"] == ["x"]


def test_signatures_that_cannot_be_filled_by_name_are_refused() -> None:
    def many(*values: int) -> None: ...

    def unnamed(value: int, /) -> None: ...

    def strange(value: object, other: type) -> None: ...

    def unknown(value: "Nowhere") -> None: ...  # type: ignore[name-defined] # noqa: F821

    def twice(one: Context, two: Context) -> None: ...

    for function in (many, unnamed, strange, unknown, twice):
        with pytest.raises(ConfigError, match=function.__name__):
            read_arguments(function)


def test_a_bound_method_is_read_without_its_self() -> None:
    class Mailer:
        def run(self, to: str) -> str:
            return to

    arguments = read_arguments(Mailer().run)

    assert arguments.call(*arguments.decode(b'{"to":"a"}')) == "a"


def test_a_parameter_without_a_type_takes_anything() -> None:
    def handler(value):  # type: ignore[no-untyped-def]
        return value

    assert read_arguments(handler).decode(b'{"value":[1,"a"]}') == ([1, "a"],)
