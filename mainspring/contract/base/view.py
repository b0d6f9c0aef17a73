"""The base of every answer."""

from collections.abc import Iterable
from typing import Any, ClassVar

import msgspec

REF = "#/components/schemas/{name}"
REFERENCED: list[type[msgspec.Struct]] = []
"""Types that views name in their schemas without having them as fields."""
OMITTED: Any = msgspec.UNSET
"""The value of a sparse field that an answer leaves out."""


class View(msgspec.Struct, frozen=True):
    """A part of an answer.

    The server sends every field that is not sparse. Clients use a default where an older server sends nothing.
    """

    sparse: ClassVar[tuple[str, ...]] = ()
    """Fields that some answers leave out."""


def one_of(members: Iterable[str]) -> msgspec.Meta:
    """A text that servers take from this list; clients read any other, which a newer server may send."""
    return msgspec.Meta(extra_json_schema={"enum": [str(member) for member in members]})


def schema_of(kind: type[msgspec.Struct]) -> msgspec.Meta:
    """JSON with the schema of that struct; clients read it as plain objects, lists and texts."""
    REFERENCED.append(kind)
    return msgspec.Meta(extra_json_schema={"$ref": REF.format(name=kind.__name__)})
