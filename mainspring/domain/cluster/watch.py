"""The condition of a database: its size, its dead rows, who keeps vacuum from removing them, slots and days of history."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

import msgspec

from mainspring.domain.cluster.durability import Durability

HELD_TOO_LONG = timedelta(minutes=10)
"""From when on a session that holds back vacuum is named to operators."""
# It keeps them until the disk is full.
SLOT_KEEPS = 1024**3
"""Bytes of the log from which on a slot without a reader is named."""
SPARE_DAYS = 2
"""Days by which history may be dropped late before that is told; every server tries once an hour."""
REMEDY = (
    "see what the servers' logs say of prune_history: mostly the role of the database may not create or drop tables"
)


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


class ReplicationSlot(msgspec.Struct, frozen=True, kw_only=True):
    """A replication slot that no standby reads."""

    name: str
    kept: int
    """Bytes of the log that the database keeps for it."""
    lost: bool = False
    """Whether parts that it needs are gone, so that its standby has to be made anew."""

    @property
    def is_trouble(self) -> bool:
        return self.lost or self.kept > SLOT_KEEPS

    @property
    def words(self) -> str:
        if self.lost:
            return f"replication slot {self.name} has lost its place in the log"
        return f"replication slot {self.name}, which has no reader, keeps {self.kept / 1024**3:.1f} GiB of the log"

    @property
    def remedy(self) -> str:
        begun = "make its standby anew" if self.lost else "start its standby before the disk is full"
        return f"{begun}, or SELECT pg_drop_replication_slot('{self.name}')"


class WatchFault(msgspec.Struct, frozen=True):
    """Something that an operator has to mend."""

    subject: str
    words: str
    remedy: str
    value: float = 0.0
    code: str = ""
    """Names the words, for callers that say them in another language."""
    values: Mapping[str, str | float] = {}
    """What the words name."""


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
    slots: tuple[ReplicationSlot, ...] = ()
    """Replication slots that nobody reads."""
    oldest_day: date | None = None
    newest_day: date | None = None
    """Of history that has tables of its own; None on SQLite, which makes and drops them as it needs them."""

    def faults(self, today: date, retention_days: int) -> Iterator[WatchFault]:
        """All that is wrong, the worst first."""
        for slot in self.slots:
            if slot.is_trouble:
                code = "slot_lost" if slot.lost else "slot_keeps"
                names: dict[str, str | float] = {"slot": slot.name, "kept": slot.kept}
                yield WatchFault(f"slot {slot.name}", slot.words, slot.remedy, float(slot.kept), code, names)
        if self.newest_day is not None and self.newest_day <= today:
            words = f"history has no table for the days after {self.newest_day}"
            yield WatchFault("history", words, REMEDY, 0.0, "history_ends", {"newest": str(self.newest_day)})
        if self.oldest_day is not None and (today - self.oldest_day).days > retention_days + SPARE_DAYS:
            late = (today - self.oldest_day).days - retention_days
            words = f"history of {self.oldest_day} is still there, {late} days after its time"
            values: dict[str, str | float] = {"oldest": str(self.oldest_day), "late": late}
            yield WatchFault("history", words, REMEDY, float(late), "history_late", values)
        if self.holder is not None and self.trouble:
            yield WatchFault("database", self.holder.words, self.holder.remedy, self.holder.seconds)

    @property
    def trouble(self) -> str:
        """The session that holds back vacuum for too long, in words; empty if there is none."""
        held = self.holder is not None and self.holder.seconds > HELD_TOO_LONG.total_seconds()
        return self.holder.words if held and self.holder is not None else ""
