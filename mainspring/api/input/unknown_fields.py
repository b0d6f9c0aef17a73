"""Unknown fields in parts of a body that the domain reads leniently.

A job's policy also comes from databases and executors of a newer version, with fields that this one may not know. A caller that
sends such a field has misspelt it, and is told so.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import inspect

from mainspring.api.input.explain import explain

Check = Callable[[bytes | bytearray], None]
"""Raises InvalidInputError for a field of a body that is not known."""


def unknown_fields(kind: Any) -> Check | None:
    """A check for bodies of this type; None if their decoder finds every such field itself."""
    if not isinstance(kind, type) or not issubclass(kind, msgspec.Struct):
        return None
    shape = inspect.type_info(kind)
    if all(part.forbid_unknown_fields for part in structs(shape, ())):
        return None

    def check(body: bytes | bytearray) -> None:
        for path, name in unknown(shape, msgspec.json.decode(body), "$"):
            raise explain(f"Object contains unknown field `{name}` - at `{path}`", kind)

    return check


def structs(shape: inspect.Type, above: tuple[type, ...]) -> Iterator[inspect.StructType]:
    """Every struct in a type."""
    if isinstance(shape, inspect.StructType):
        yield shape
        if shape.cls in above:
            return
        above = (*above, shape.cls)
    for part in parts(shape):
        yield from structs(part, above)


def parts(shape: inspect.Type) -> list[inspect.Type]:
    match shape:
        case inspect.StructType():
            return [field.type for field in shape.fields]
        case inspect.UnionType():
            return list(shape.types)
        case inspect.ListType() | inspect.VarTupleType():
            return [shape.item_type]
        case inspect.DictType():
            return [shape.value_type]
        case inspect.Metadata():
            return [shape.type]
    return []


def unknown(shape: inspect.Type, value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Where in a value that fits the type a field stands that the type does not have, and its name."""
    match shape:
        case inspect.StructType() if isinstance(value, dict):
            fields = {field.encode_name: field.type for field in shape.fields}
            for name, part in value.items():
                if name not in fields:
                    yield path, name
                else:
                    yield from unknown(fields[name], part, f"{path}.{name}")
        case inspect.ListType() | inspect.VarTupleType() if isinstance(value, list):
            for position, part in enumerate(value):
                yield from unknown(shape.item_type, part, f"{path}[{position}]")
        case inspect.UnionType() | inspect.Metadata():
            inside = [part for part in parts(shape) if not isinstance(part, inspect.NoneType)]
            # Of several the decoder has chosen one by its tag, and those are strict.
            if len(inside) == 1:
                yield from unknown(inside[0], value, path)
