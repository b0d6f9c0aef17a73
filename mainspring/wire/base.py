"""The base of all messages, and numbers within bounds."""

from typing import Annotated

import msgspec

Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=1e9)]


class Message(msgspec.Struct, frozen=True, array_like=True, tag_field="t"):
    """Base of all messages."""
