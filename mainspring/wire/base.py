"""The base of all messages, numbers within bounds, and columns of one length."""

from collections.abc import Sized
from typing import Annotated

import msgspec

Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=1e9)]


class Message(msgspec.Struct, frozen=True, array_like=True, tag_field="t"):
    """Base of all messages."""


def refuse_uneven(*columns: Sized) -> None:
    """Columns of one batch have one length; raised while decoding, this is a frame error."""
    if len({len(column) for column in columns}) > 1:
        raise ValueError("columns of unequal length")
