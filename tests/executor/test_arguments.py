"""A handler's signature is its schema, and a run's input is checked against it by one decode."""

import enum
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, TypedDict
from uuid import UUID

import msgspec
import pytest

from mainspring.errors import ConfigError, InvalidInputError
from mainspring.executor.attempts.context import Context
from mainspring.executor.handlers.arguments import ArgumentCodec, read_arguments
from mainspring.executor.handlers.results import result_reader
from mainspring.executor.handlers.signature import read_signature
from mainspring.wire.arguments import checker


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


def arguments_of(function: Callable[..., Any]) -> ArgumentCodec:
    return read_arguments(function, read_signature(function))


def test_values_come_in_the_order_of_the_signature() -> None:
    def handler(user: int, name: str = "x", *, tags: list[str] = ["a"]) -> Any:  # noqa: B006
        return user, name, tags

    arguments = arguments_of(handler)

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

    assert arguments_of(handler).decode(raw) == (
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
        arguments_of(handler).decode(raw)


class Forbidding(msgspec.Struct, forbid_unknown_fields=True):
    point: Point


class Corner(NamedTuple):
    label: str
    at: Point


@pytest.mark.parametrize(
    ("annotation", "value", "path"),
    [
        (Point, {"x": 1, "why": 99}, ""),
        (Size, {"width": 1, "hight": 2}, ""),
        (Forbidding, {"point": {"x": 1}, "name": "b"}, ""),
        (Forbidding, {"point": {"x": 1, "why": 99}}, ".point"),
        (Corner, ["a", {"x": 1, "why": 99}], "[1]"),
        (list[Point], [{"x": 1}, {"x": 1, "why": 99}], "[1]"),
        (dict[str, Size] | None, {"a": {"width": 1, "hight": 2}}, "[...]"),
    ],
)
def test_a_name_that_a_class_does_not_have_is_refused_on_both_sides(annotation: Any, value: Any, path: str) -> None:
    def handler(value: Any) -> None: ...

    handler.__annotations__["value"] = annotation
    arguments = arguments_of(handler)
    raw = msgspec.json.encode({"value": value})

    with pytest.raises(msgspec.ValidationError, match="unknown field") as refused:
        arguments.decode(raw)
    with pytest.raises(InvalidInputError, match="unknown field") as refused_by_server:
        checker(arguments.schema)(raw)
    assert str(refused.value).endswith(f" - at `$.value{path}`")
    assert refused_by_server.value.field == f"input.value{path}"


def test_a_struct_that_forbids_nothing_stays_open() -> None:
    def handler(box: Box, point: Point) -> None: ...

    arguments = arguments_of(handler)
    raw = b'{"box":{"name":"b","colour":"red"},"point":{"x":1}}'

    assert arguments.decode(raw) == (Box("b"), Point(1, 0))
    checker(arguments.schema)(raw)


def test_a_handler_without_parameters_takes_an_empty_object_only() -> None:
    def handler() -> None: ...

    decode = arguments_of(handler).decode

    assert decode(b"{}") == decode(b" { } ") == ()
    with pytest.raises(msgspec.ValidationError):
        decode(b'{"a":1}')


def test_the_context_is_not_an_argument() -> None:
    def handler(user: int, context: Context, name: str = "x") -> None: ...

    arguments = arguments_of(handler)

    assert read_signature(handler).context == 1
    assert arguments.decode(b'{"user":1}') == (1, "x")
    assert b"context" not in arguments.schema


def test_keywords_take_whatever_has_no_name() -> None:
    def handler(user: int, **rest: Any) -> Any:
        return user, rest

    arguments = arguments_of(handler)

    assert arguments.call(*arguments.decode(b'{"user":1,"a":2,"b":[]}')) == (1, {"a": 2, "b": []})


def test_the_schema_is_an_object_with_its_parts_beside_it() -> None:
    def handler(point: Point, mode: Literal["fast", "slow"] = "fast") -> None: ...

    schema = msgspec.json.decode(arguments_of(handler).schema)

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
            arguments_of(function)


def test_a_bound_method_is_read_without_its_self() -> None:
    class Mailer:
        def run(self, to: str) -> str:
            return to

    arguments = arguments_of(Mailer().run)

    assert arguments.call(*arguments.decode(b'{"to":"a"}')) == "a"


def test_a_parameter_without_a_type_takes_anything() -> None:
    def handler(value):  # type: ignore[no-untyped-def]
        return value

    assert arguments_of(handler).decode(b'{"value":[1,"a"]}') == ([1, "a"],)


class Kind(enum.IntEnum):
    SMALL = 1


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Circle(msgspec.Struct, tag=True):
    radius: float


class Square(msgspec.Struct, tag=True):
    side: float


VALUES: list[tuple[Any, Any]] = [
    (bool, True),
    (bytes, b"raw"),
    (datetime, datetime(2030, 1, 1, 12, tzinfo=UTC)),
    (date, date(2030, 1, 1)),
    (time, time(12, 30)),
    (timedelta, timedelta(hours=1.5)),
    (UUID, UUID(int=7)),
    (Decimal, Decimal("9.90")),
    (Colour, Colour.RED),
    (Kind, Kind.SMALL),
    (Literal["fast", 3], 3),
    (int | None, None),
    (int | str, "x"),
    (datetime | None, datetime(2030, 1, 1, tzinfo=UTC)),
    (list[date], [date(2030, 1, 1)]),
    (dict[str, Point], {"a": Point(1, 2)}),
    (tuple[int, str], (1, "a")),
    (set[int], {1, 2}),
    (Size, {"width": 2}),
    (Pair, Pair(1)),
    (Box, Box("b")),
    (Circle | Square, Square(1.0)),
    (Annotated[int, msgspec.Meta(gt=0)], 1),
]


@pytest.mark.parametrize(("annotation", "value"), VALUES, ids=lambda value: str(value)[:40])
def test_what_is_written_is_read_back_and_passes_the_server_s_check(annotation: Any, value: Any) -> None:
    def handler(value: Any) -> None: ...

    handler.__annotations__["value"] = annotation
    arguments = arguments_of(handler)
    raw = arguments.encode({"value": value})
    checker(arguments.schema)(raw)

    assert arguments.decode(raw) == (value,)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (datetime, "soon"),
        (list[datetime], ["soon"]),
        (time | None, "noon"),
        (date, "2030-02-30"),
        (timedelta, "an hour"),
        (UUID, "x"),
        (Decimal, "cheap"),
        (bytes, "not base64!"),
        (Colour, "blue"),
        (tuple[int, str], [1]),
        (Circle | Square, {"type": "Line"}),
        (Circle | Square, {"type": "Circle", "radius": "wide"}),
        (Annotated[int, msgspec.Meta(gt=0)], 0),
        (Annotated[str, msgspec.Meta(max_length=2)], "abc"),
        (Annotated[list[int], msgspec.Meta(min_length=1)], []),
    ],
    ids=lambda value: str(value)[:40],
)
def test_the_server_refuses_by_the_schema_what_the_handler_would(annotation: Any, value: Any) -> None:
    def handler(value: Any) -> None: ...

    handler.__annotations__["value"] = annotation
    arguments = arguments_of(handler)
    raw = msgspec.json.encode({"value": value})

    with pytest.raises(msgspec.ValidationError):
        arguments.decode(raw)
    with pytest.raises(InvalidInputError) as refused:
        checker(arguments.schema)(raw)
    assert refused.value.field.startswith("input.value")


def test_defaults_of_any_kind_stand_in_for_what_is_left_out() -> None:
    def handler(point: Point = Point(1, 2), box: Box = Box("b"), tags: set[str] = {"a"}) -> None: ...  # noqa: B006, B008

    assert arguments_of(handler).decode(b"{}") == (Point(1, 2), Box("b"), {"a"})


class Connection:
    """Nothing that JSON could carry."""


def test_an_argument_that_is_not_fit_for_json_is_named_with_what_would_be() -> None:
    def handler(number: int, connection: Connection) -> None: ...

    def two_texts(number: int, when: date | str) -> None: ...

    def returning() -> Connection:
        return Connection()

    with pytest.raises(ConfigError, match=r"'connection' is a Connection, which is not fit for JSON: .*dataclasses"):
        arguments_of(handler)
    with pytest.raises(ConfigError, match=r"'when' is a .*date.*, which is not fit for JSON"):
        arguments_of(two_texts)
    with pytest.raises(ConfigError, match="returning: returns a Connection, which is not fit for JSON"):
        result_reader(read_signature(returning))


def test_types_that_are_not_there_at_runtime_are_explained() -> None:
    def handler(value: "OnlyForTypeCheckers") -> None: ...  # type: ignore[name-defined] # noqa: F821

    with pytest.raises(ConfigError, match="not under TYPE_CHECKING"):
        read_signature(handler)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (Point, {"x": 1}, Point(1)),
        (list[Box], [{"name": "b"}], [Box("b")]),
        (datetime, "2030-01-01T00:00:00Z", datetime(2030, 1, 1, tzinfo=UTC)),
        (Decimal, "9.90", Decimal("9.90")),
        (None, None, None),
        (Any, {"a": 1}, {"a": 1}),
        (object, [1], [1]),
        (NoReturn, None, None),
    ],
)
def test_a_result_is_read_into_what_was_promised(annotation: Any, value: Any, expected: Any) -> None:
    def handler() -> None: ...

    handler.__annotations__["return"] = annotation

    assert result_reader(read_signature(handler))(value) == expected


def test_a_result_that_breaks_the_promise_is_said_to() -> None:
    def handler() -> int:
        return 1

    with pytest.raises(
        InvalidInputError, match=r"result: is not what .*handler promises: Expected `int`, got `str`"
    ) as bad:
        result_reader(read_signature(handler))("x")
    assert bad.value.code == "bad_result"
