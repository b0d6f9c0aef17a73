"""Facts about a database for an operator who is to trust it."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from mainspring.domain.cluster.watch import DatabaseWatch


class StoreFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A database as it was found; looking changes nothing and takes no lock."""

    product: str
    """Such as `PostgreSQL`."""
    version: tuple[int, ...]
    schema: str = ""
    """Why the schema does not fit this version; empty if it does."""
    size: int
    """Bytes."""
    settings: Mapping[str, str] = {}
    """What matters of its configuration, by its own names."""
    seals: tuple[bytes, ...] = ()
    """How the secrets in it begin, which names the keys that they were sealed with."""
    room: int | None = None
    """Bytes left on its disk, where that can be seen from here."""
    connections: int = 0
    now: datetime | None = None
    """What time it is there, if that is another machine."""
    watch: DatabaseWatch | None = None
    """Its condition, and who holds back vacuum; None: the schema does not fit, or it is a SQLite file beside its server."""
