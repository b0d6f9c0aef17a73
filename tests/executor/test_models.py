"""Pydantic's types as arguments and results: read, written and described by pydantic, errors in our own words."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
import pydantic
import pytest
from pydantic import BaseModel, Field, HttpUrl, PositiveInt

from mainspring.errors import ConfigError, InvalidInputError
from mainspring.executor.handlers.arguments import ArgumentCodec, read_arguments
from mainspring.executor.handlers.models import is_model
from mainspring.executor.handlers.results import result_reader
from mainspring.executor.handlers.signature import read_signature
from mainspring.wire.arguments import checker, refusal
from tests.architecture.source import ROOT


class Line(BaseModel):
    sku: str
    quantity: PositiveInt


class Order(BaseModel):
    lines: list[Line]
    at: datetime | None = None
    price: Decimal = Decimal(0)
    home: HttpUrl | None = None
    kind: str = Field(default="usual", alias="order-kind")


@pydantic.dataclasses.dataclass
class Parcel:
    weight: int = Field(gt=0)


@dataclass
class Shipment:
    """Plain, but with a model inside."""

    order: Order
    parcels: list[Parcel]


class Mixed(msgspec.Struct):
    order: Order


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


ORDER = Order(lines=[Line(sku="a", quantity=2)], at=datetime(2030, 1, 1, tzinfo=UTC), price=Decimal("9.90"))


def arguments_of(function: Callable[..., Any]) -> ArgumentCodec:
    return read_arguments(function, read_signature(function))


def handler(
    number: int,
    order: Order,
    shipment: Shipment | None = None,
    size: PositiveInt = 3,
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None,
) -> None: ...


@pytest.mark.parametrize(
    "named",
    [
        {"number": 1, "order": ORDER},
        {"number": 1, "order": ORDER.model_dump(by_alias=True)},
        {"number": 1, "order": ORDER, "shipment": Shipment(ORDER, [Parcel(1)]), "size": 7},
        {"number": 1, "order": ORDER, "pet": Dog(kind="dog", tricks=["sit"])},
    ],
)
def test_what_is_written_is_read_back_and_passes_the_server_s_check(named: dict[str, Any]) -> None:
    arguments = arguments_of(handler)
    raw = arguments.encode(named)
    checker(arguments.schema)(raw)
    number, order, shipment, size, pet = arguments.decode(raw)

    assert (number, order) == (1, ORDER)
    assert shipment == named.get("shipment")
    assert size == named.get("size", 3)
    assert pet == named.get("pet")


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (
            b'{"number":1,"order":{"lines":[{"sku":"a","quantity":1},{"sku":"b","quantity":0}]}}',
            "order.lines[1].quantity",
        ),
        (b'{"number":1,"order":{"lines":[{"quantity":1}]}}', "order.lines[0].sku"),
        (b'{"number":1,"order":7}', "order"),
        (b'{"number":1,"order":{"lines":[]},"size":-1}', "size"),
        (b'{"number":1,"order":{"lines":[]},"shipment":{"order":{"lines":[]},"parcels":[{"weight":0}]}}', "shipment"),
        (b'{"number":"1","order":{"lines":[]}}', "number"),
    ],
)
def test_the_path_leads_to_what_is_wrong(raw: bytes, field: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        arguments_of(handler).decode(raw)

    assert refusal(refused.value).field.startswith(f"input.{field}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (
            b'{"number":1,"order":{"lines":[{"sku":"a","quantity":1},{"sku":"b","quantity":0}]}}',
            "order.lines[1].quantity",
        ),
        (b'{"number":1,"order":{"lines":[],"at":"soon"}}', "order.at"),
        (b'{"number":1,"order":{"lines":[],"order-kind":1}}', "order.order-kind"),
        (b'{"number":1,"order":{"lines":[]},"pet":{"kind":"cat","lives":"nine"}}', "pet.lives"),
        (b'{"number":1,"order":{"lines":[]},"pet":{"kind":"cow"}}', "pet.kind"),
        (b'{"number":1,"order":{"lines":[]},"size":0}', "size"),
    ],
)
def test_the_server_finds_the_same_by_the_schema(raw: bytes, field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        checker(arguments_of(handler).schema)(raw)

    assert refused.value.field == f"input.{field}"


def test_what_makes_no_model_is_refused_before_it_is_written() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\(and 1 more\) - at `\$.order.lines\[0\].sku`"):
        arguments_of(handler).encode({"number": 1, "order": {"lines": [{}]}})


def test_two_types_of_one_name_are_told_apart() -> None:
    @dataclass
    class Line:
        text: str

    def both(line: Line, order: Order) -> None: ...

    schema = msgspec.json.decode(arguments_of(both).schema)

    assert set(schema["$defs"]) == {"Line", "pydantic_Line", "pydantic_Order"}
    assert schema["properties"]["order"]["$ref"] == "#/$defs/pydantic_Order"
    assert schema["$defs"]["pydantic_Order"]["properties"]["lines"]["items"]["$ref"] == "#/$defs/pydantic_Line"


@pytest.mark.parametrize("annotation", [Order, list[Order], Order | None, Parcel, Shipment, dict[str, Parcel], HttpUrl])
def test_a_type_of_pydantic_is_found_wherever_it_stands(annotation: Any) -> None:
    assert is_model(annotation)


@pytest.mark.parametrize("annotation", [int, list[int], Literal["a"], Any, dict[str, list[int]], Mixed, "Order"])
def test_other_types_are_msgspec_s(annotation: Any) -> None:
    assert not is_model(annotation)


def test_models_inside_of_structs_are_refused_by_name() -> None:
    def mixed(value: Mixed) -> None: ...

    def nested(values: dict[str, list[Order | Mixed]]) -> None: ...

    with pytest.raises(ConfigError, match="mixed: 'value' is a Mixed, which is not fit for JSON"):
        arguments_of(mixed)
    with pytest.raises(ConfigError, match=r"nested: 'values' is a dict\[str, list\[.*Mixed\]\], which is not fit"):
        arguments_of(nested)


def test_models_in_places_without_a_type_are_written_too() -> None:
    def anything(value: Any) -> None: ...

    raw = arguments_of(anything).encode({"value": [ORDER, Parcel(3), HttpUrl("http://a.b")]})
    order, parcel, url = msgspec.json.decode(raw)["value"]

    assert order["lines"] == [{"sku": "a", "quantity": 2}]
    assert (parcel, url) == ({"weight": 3}, "http://a.b/")


def test_a_result_is_read_into_the_model_that_was_promised() -> None:
    def returning() -> list[Order]:
        return [ORDER]

    read = result_reader(read_signature(returning))

    assert read(msgspec.json.decode(ORDER.model_dump_json(by_alias=True).join("[]"))) == [ORDER]
    with pytest.raises(
        InvalidInputError, match=r"result: is not what .*returning promises: Input should be a valid array"
    ):
        read({})


def test_pydantic_is_not_loaded_for_those_who_do_not_use_it() -> None:
    code = "import sys, mainspring.examples.shop; sys.exit('pydantic' in sys.modules or 'pydantic_core' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
