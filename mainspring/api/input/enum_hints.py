"""Lists the valid words and fields at a place in a body, for messages about an invalid one."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec.inspect as types

from mainspring.domain.suggest import did_you_mean

STEP = re.compile(r"\[[^\]]*\]|[^.\[\]]+")
OTHER_WORD = re.compile(r"Invalid (enum )?value '(?P<word>.*)'", re.DOTALL)


def with_valid_values(reason: str, kind: Any, path: str) -> str:
    """The decoder's reason, with the valid words added."""
    wrong = OTHER_WORD.fullmatch(reason)
    known = choices(kind, path) if wrong else []
    if wrong is None or not known:
        return reason
    return f"{wrong['word']!r} is not one of {', '.join(known)}{did_you_mean(wrong['word'], known)}"


def choices(kind: Any, path: str) -> list[str]:
    """The words of the enumeration at a place, or those that tell kinds of objects apart there."""
    return list(dict.fromkeys(word for node in shapes_at(kind, path) for word in words(node)))


def fields_at(kind: Any, path: str) -> list[str]:
    """The fields of the objects at a place."""
    found = (node for node in shapes_at(kind, path) if isinstance(node, types.StructType))
    return [field.encode_name for node in found for field in node.fields]


def shapes_at(kind: Any, path: str) -> list[types.Type]:
    found = [types.type_info(kind)]
    for step in STEP.findall(path):
        found = [inner for node in found for inner in inside(node, step)]
    return found


def inside(node: types.Type, step: str) -> Iterator[types.Type]:
    match node:
        case types.Metadata(type=plain):
            yield from inside(plain, step)
        case types.UnionType(types=parts):
            for part in parts:
                yield from inside(part, step)
        case types.StructType(tag_field=field, tag=tag) if field == step:
            yield types.LiteralType((tag,))
        case types.StructType(fields=fields):
            yield from (field.type for field in fields if field.encode_name == step)
        case types.DictType(value_type=value):
            yield value
        case types.CollectionType(item_type=item):
            yield item


def words(node: types.Type) -> Iterator[str]:
    match node:
        case types.Metadata(type=plain):
            yield from words(plain)
        case types.UnionType(types=parts):
            for part in parts:
                yield from words(part)
        case types.EnumType(cls=kind):
            yield from (str(member.value) for member in kind)
        case types.LiteralType(values=values):
            yield from map(str, values)
