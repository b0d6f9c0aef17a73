"""Builds views from the domain's values."""

from typing import Any, TypeVar

import msgspec

V = TypeVar("V", bound=msgspec.Struct)


def view_of(kind: type[V], source: object, /, **others: Any) -> V:
    """A view of the source: fields not given are its attributes of the same names."""
    same = {name: getattr(source, name) for name in kind.__struct_fields__ if name not in others}
    return kind(**same, **others)
