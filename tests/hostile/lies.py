"""Lies of an executor, generated from the definitions of its messages: each place of each, with all that is hostile there.

A new message, field or type is covered as soon as it is there; a type for which nothing hostile is known is an error.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import inspect

from mainspring.wire.base import Message
from mainspring.wire.messages import PROTOCOL, FromExecutor

MESSAGES: dict[str, type[Message]] = {str(kind.__struct_config__.tag): kind for kind in get_args(FromExecutor)}
Path = tuple[int | str, ...]
KEY = "loop"
"""Of every map: it will do as the name of a pool, too."""
MARK = b"--broken--"
BROKEN = b"\xed\xa0\x80\xff\xfe\xc3\x28\xf8\x88\x80"
"""A lone surrogate and other bytes that are no UTF-8, in place of the mark."""
LARGE = 5_000_000
MANY = 25_000
RULED = {"policy", "workflow"}
"""Parts of a job whose fields may contradict each other: an honest job leaves them out."""


class Own(NamedTuple):
    """What an honest message says of the executor and its attempt."""

    run: bytes
    token: bytes
    session: bytes
    secret: bytes
    namespace: str


class Place(NamedTuple):
    """Somewhere in a message."""

    path: Path
    kind: inspect.Type

    @property
    def label(self) -> str:
        return ".".join(map(str, self.path))


def places_of(message: type[Message]) -> list[Place]:
    """All places of a message, its parts and theirs."""
    return list(places_in(inspect.type_info(message), ()))[1:]


def places_in(kind: inspect.Type, path: Path) -> Iterator[Place]:
    yield Place(path, kind)
    match kind:
        case inspect.StructType():
            for at, field in enumerate(kind.fields):
                step = at + (kind.tag is not None) if kind.array_like else field.encode_name
                yield from places_in(field.type, (*path, step))
        case inspect.ListType() | inspect.VarTupleType():
            yield from places_in(kind.item_type, (*path, 0))
        case inspect.DictType():
            yield from places_in(kind.value_type, (*path, KEY))
        case inspect.UnionType():
            for each in kind.types:
                yield from list(places_in(each, path))


def honest(message: type[Message], own: Own, path: Path = ()) -> list[Any]:
    """A message without a lie, as plain values; `path` leads through the ruled parts that it has all the same."""
    said = sincere(inspect.type_info(message), "", own, frozenset(map(str, path)) & RULED)
    assert isinstance(said, list)
    return said


def sincere(kind: inspect.Type, name: str, own: Own, ruled: frozenset[str]) -> Any:
    match kind:
        case inspect.StructType():
            fields = {field.encode_name: part_of(field, own, ruled) for field in kind.fields}
            if not kind.array_like:
                return fields
            return [*([kind.tag] if kind.tag is not None else []), *fields.values()]
        case inspect.ListType() | inspect.VarTupleType():
            return [sincere(kind.item_type, name.removesuffix("s"), own, ruled)]
        case inspect.DictType():
            return {KEY: sincere(kind.value_type, name, own, ruled)}
        case inspect.UnionType():
            return sincere(kind.types[0], name, own, ruled)
        case inspect.EnumType():
            return list(kind.cls)[1 if name in ("outcome", "kind") else 0].value
    return simple(kind, name, own)


def part_of(field: inspect.Field, own: Own, ruled: frozenset[str]) -> Any:
    if field.name in RULED - ruled:
        return msgspec.msgpack.decode(msgspec.msgpack.encode(field.default))
    return sincere(field.type, field.name, own, ruled)


def simple(kind: inspect.Type, name: str, own: Own) -> Any:
    """A value that has no parts."""
    match kind:
        case inspect.BytesType():
            return getattr(own, name, b"{}")
        case inspect.StrType():
            return own.namespace if name == "namespace" else "default"
        case inspect.IntType():
            return PROTOCOL
        case inspect.FloatType():
            return 1.0
        case inspect.DateTimeType():
            return datetime(2030, 1, 1, tzinfo=UTC)
        case inspect.BoolType():
            return False
    raise LookupError(f"nothing honest is known of {type(kind).__name__}, see {__name__}")


def lies_about(place: Place, own: Own, message: type[Message]) -> list[Any]:
    """What is hostile there, of the right type and of others."""
    make = LIES.get(type(place.kind))
    if make is None:
        raise LookupError(f"nothing hostile is known of {type(place.kind).__name__}, see {__name__}")
    return make(value_at(honest(message, own, place.path), place.path))


def value_at(said: Any, path: Path) -> Any:
    for step in path:
        said = said[step]
    return said


def lying(message: type[Message], own: Own, path: Path, lie: Any) -> bytes:
    """The frame of a message that lies in one place."""
    said = honest(message, own, path)
    inside = value_at(said, path[:-1])
    inside[path[-1]] = lie
    return msgspec.msgpack.encode([said]).replace(MARK, BROKEN)


OTHERS: list[Any] = [None, True, "1", 1.5, [], {}, b"\x00" * 16, [[]]]
NUMBERS: list[Any] = [-1, 0, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**64 - 1, -(2**63)]
FLOATS: list[Any] = [float("nan"), float("inf"), -float("inf"), -1.0, 1e308, 5e-324, *NUMBERS]
TEXTS: list[Any] = ["", "\x00", "a\x00b", "\x1b[31m\n", "\u202e\ufeff", MARK.decode(), "é" * 4096, "x" * LARGE, ".."]
BLOBS: list[Any] = [
    b"",
    b"x" * 15,
    b"x" * 17,
    bytes(16),
    b"{not json",
    b'1,"state":"failed"',
    b'"\xff"',
    b'"\\ud800"',
    b'"\\u0000"',
    b"NaN",
    b"[" * 5_000 + b"]" * 5_000,
    b'"' + b"x" * LARGE + b'"',
]
DATES: list[Any] = [
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(1899, 12, 31, tzinfo=UTC),
    datetime(3000, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "2030-01-01T00:00:00",
    msgspec.msgpack.Ext(-1, b"\xff" * 12),
]

LIES: dict[type[inspect.Type], Callable[[Any], list[Any]]] = {
    inspect.NoneType: lambda _: [None],
    inspect.BoolType: lambda _: [True, *OTHERS],
    inspect.IntType: lambda _: [*NUMBERS, *OTHERS],
    inspect.FloatType: lambda _: [*FLOATS, *OTHERS],
    inspect.StrType: lambda _: [*TEXTS, *OTHERS],
    inspect.BytesType: lambda _: [*BLOBS, *OTHERS],
    inspect.DateTimeType: lambda _: [*DATES, *OTHERS],
    inspect.EnumType: lambda _: [*NUMBERS, "unheard_of", *OTHERS],
    inspect.UnionType: lambda _: OTHERS,
    inspect.ListType: lambda said: [said * 2, said * MANY, said[0], *OTHERS],
    inspect.VarTupleType: lambda said: [said * 2, said * MANY, said[0], *OTHERS],
    inspect.DictType: lambda said: [
        dict.fromkeys(TEXTS[:-2], said[KEY]),
        dict.fromkeys(map(str, range(MANY)), said[KEY]),
        {1: said[KEY]},
        *OTHERS,
    ],
    inspect.StructType: lambda said: [
        said[:-1] if isinstance(said, list) else dict(list(said.items())[:1]),
        [*said, "more"] if isinstance(said, list) else said | {"more": 1},
        *OTHERS,
    ],
}
