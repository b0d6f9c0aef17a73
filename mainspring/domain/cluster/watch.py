"""The condition of a database: its size, its dead rows, and the session that keeps vacuum from removing them."""

from collections.abc import Mapping
from datetime import timedelta

import msgspec

from mainspring.domain.cluster.durability import Durability

HELD_TOO_LONG = timedelta(minutes=10)
"""From when on a session that holds back vacuum is named to operators."""


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """A session or a prepared transaction before whose snapshot vacuum removes nothing."""

    kind: str
    """`session` or `prepared`."""
    name: str
    """Of the application or the transaction."""
    pid: int | None = None
    user: str = ""
    state: str = ""
    """Of a session, in the words of PostgreSQL: `idle in transaction`, `active`."""
    seconds: float

    @property
    def words(self) -> str:
        """Such as `session 4711 of metabase (report, idle in transaction) has held back vacuum for 41 min`."""
        who = (
            f"session {self.pid} of {self.name or 'a nameless application'}" if self.pid else f"{self.kind} {self.name}"
        )
        about = ", ".join(part for part in (self.user, self.state) if part)
        return f"{who}{f' ({about})' if about else ''} has held back vacuum for {self.seconds / 60:.0f} min"

    @property
    def remedy(self) -> str:
        if self.pid:
            return f"end its transaction, or SELECT pg_terminate_backend({self.pid})"
        return f"COMMIT PREPARED '{self.name}', or ROLLBACK PREPARED"


class DatabaseWatch(msgspec.Struct, frozen=True, kw_only=True):
    """A database as one look at it found it; a look takes no lock and ends nothing."""

    size: int
    """Bytes."""
    dead_rows: Mapping[str, int] = {}
    """By table, of those through which every run passes."""
    holder: Holder | None = None
    """Who has held back vacuum for longest; None: nobody does."""
    notify_queue: float = 0.0
    """The used share of the queue in which hints wait for slow listeners."""
    replication_lag: float | None = None
    """Seconds by which the slowest standby is late; None: there is none, or it may not be seen."""

    durability: Durability = Durability.SINGLE
    """What a commit survives."""

    @property
    def trouble(self) -> str:
        """The session that holds back vacuum for too long, in words; empty if there is none."""
        held = self.holder is not None and self.holder.seconds > HELD_TOO_LONG.total_seconds()
        return self.holder.words if held and self.holder is not None else ""
