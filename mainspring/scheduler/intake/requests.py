"""What callers get back for the runs that they ask for."""

import msgspec

from mainspring.domain.ids import RunId


class Accepted(msgspec.Struct, frozen=True):
    """The run is durable. `existing`: it was there before, under the same key."""

    id: RunId
    existing: bool = False
