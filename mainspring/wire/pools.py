"""Messages about the sizes of pools."""

from typing import Annotated

import msgspec

from mainspring.domain.cluster.session import PoolSize
from mainspring.wire.base import Message

PoolSizes = Annotated[list[PoolSize], msgspec.Meta(max_length=100)]


class Resized(Message, frozen=True, tag="resized"):
    """The sizes of the executor's pools from now on, and the wishes of a `Resize` that it follows."""

    pools: PoolSizes
    wanted: PoolSizes


class Resize(Message, frozen=True, tag="resize"):
    """The pools to have other sizes than they were started with; pools not named have their own. Answered by `Resized`."""

    pools: PoolSizes
