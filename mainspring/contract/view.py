"""The base of every answer."""

from collections.abc import Iterable
from typing import Any, ClassVar

import msgspec

REF = "#/components/schemas/{name}"
OMITTED: Any = msgspec.UNSET
"""The value of a sparse field that an answer leaves out."""


class View(msgspec.Struct, frozen=True):
    """A part of an answer.

    The server sends every field that is not sparse. A default is what a client reads where an older server sends nothing.
    """

    sparse: ClassVar[tuple[str, ...]] = ()
    """Fields that some answers leave out."""


def one_of(members: Iterable[str]) -> msgspec.Meta:
    """A text that servers take from this list; clients read any other, which a newer server may send."""
    return msgspec.Meta(extra_json_schema={"enum": [str(member) for member in members]})


def schema_of(kind: type[msgspec.Struct]) -> msgspec.Meta:
    """JSON with the schema of that struct; clients read it as plain objects, lists and texts."""
    return msgspec.Meta(extra_json_schema={"$ref": REF.format(name=kind.__name__)})
