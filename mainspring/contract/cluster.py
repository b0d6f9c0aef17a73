"""The state of a server, and the invariants of its store."""

from datetime import date, datetime

from mainspring.contract.base.view import View


class LivenessInfo(View, frozen=True):
    alive: bool


class ReadinessInfo(View, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the server takes work."""

    ready: bool
    reason: str
    """Why not; for callers with a token with what the database said."""
    executors: int | None = None
    """Connected to this server; for callers whose token is for all namespaces."""
    durability: str | None = None
    """What a commit of the database survives: sync, async, single or unsafe; for the same callers, once it is measured."""


class VersionInfo(View, frozen=True, kw_only=True, omit_defaults=True):
    """The product; for callers with a token also its version."""

    product: str
    version: str | None = None
    protocol: int | None = None
    python: str | None = None


class InvariantInfo(View, frozen=True, kw_only=True):
    name: str
    says: str
    holds: bool
    examples: list[str]
    """Some of what breaks it."""


class InvariantsInfo(View, frozen=True):
    invariants: list[InvariantInfo]


class ServerInfo(View, frozen=True, kw_only=True):
    """A server that is alive."""

    name: str
    url: str
    """Where executors and clients reach it; empty: it is not told to them."""
    zone: str
    version: str
    protocol: int
    executors: int
    """Connected to it."""
    joined_at: datetime | None
    """When it was started; null: it is of a version that does not say."""
    lease_until: datetime
    state: str
    """live or draining."""
    commit_p99: float | None = None
    """Seconds within which 99 of 100 of its writes to the database were done in the last minute, estimated from a histogram;
    null: it made none, or is of a version that does not say."""
    loop_delay: float | None = None
    """Seconds by which its event loop was late at worst in the last minute; null: it does not say yet."""


class ServerList(View, frozen=True):
    servers: list[ServerInfo]


class AddressBookInfo(View, frozen=True, kw_only=True):
    """An address book in which the server that answers makes itself known."""

    source: str
    entries: int
    """That the server keeps there: itself while it takes work, and its executors if it lists these."""
    answered_at: datetime | None
    """When it last took them; null: not yet."""
    trouble: str
    """Why it does not take them now; empty if it does."""


class AddressBookList(View, frozen=True):
    server: str
    """The name of the server that answers; each knows its own address books only."""
    books: list[AddressBookInfo]


class HolderInfo(View, frozen=True, kw_only=True):
    """A session or a prepared transaction before whose snapshot vacuum removes nothing."""

    kind: str
    """session or prepared."""
    name: str
    """Of the application or the transaction."""
    pid: int | None
    user: str
    state: str
    """Of a session, in the words of PostgreSQL."""
    seconds: float
    """For which it has held back vacuum."""
    remedy: str
    is_trouble: bool
    """Whether that is too long."""


class SlotInfo(View, frozen=True, kw_only=True):
    """A replication slot without a reader."""

    name: str
    kept: int
    """Bytes of the log that the database keeps for it."""
    lost: bool
    """Whether parts that it needs are gone."""


class PoolLoans(View, frozen=True):
    """Connections of the server that answers."""

    busy: int
    idle: int


class HistoryDayInfo(View, frozen=True, kw_only=True):
    """A day of history with tables of its own."""

    day: date
    size: int | None
    """Bytes, with indexes; null on SQLite, which would have to read the whole file."""
    rows: int | None
    """Runs, as the database estimated when it last looked at the table; null: it has not, or it is SQLite."""
    drops_on: date
    """The first day on which all of it is older than what is kept."""


class HeldDutyInfo(View, frozen=True, kw_only=True):
    """A duty that one server does for all."""

    duty: str
    server: str
    """Empty: it is gone, and another one takes over when the lease ends."""
    until: datetime
    """When its lease ends unless it is renewed."""


class LeaseAgesInfo(View, frozen=True, kw_only=True):
    """How long ago the sessions of executors were renewed."""

    lasts: float
    """Seconds of a whole lease."""
    ages: list[int]
    """Sessions by tenths of a lease since they were renewed, and as the last those whose lease has ended."""
    oldest: float | None
    """Seconds since the renewal that is the longest ago; null: there are no sessions."""


class DatabaseInfo(View, frozen=True, kw_only=True):
    """The database as a look at it found it."""

    product: str
    version: str
    looked_at: datetime
    size: int
    """Bytes."""
    room: int | None
    """Bytes left on its disk, where that can be seen from the server."""
    connections: int | None
    """Of all that are connected to it; null: nobody but the server is, ever."""
    connections_max: int | None
    pool: PoolLoans | None
    """Null where a server needs none."""
    settings: dict[str, str]
    """What matters of its configuration, by its own names."""
    durability: str
    """What a commit survives: sync, async, single or unsafe."""
    replication_lag: float | None
    """Seconds by which the slowest standby is late; null: there is none, or it may not be seen."""
    notify_queue: float
    """The used share of the queue in which hints wait for slow listeners."""
    dead_rows: dict[str, int]
    """By table, of those through which every run passes."""
    holder: HolderInfo | None
    """Who has held back vacuum for longest; null: nobody does."""
    slots: list[SlotInfo]
    oldest_day: date | None
    newest_day: date | None
    """Of history that has tables of its own."""
    retention_days: int
    days: list[HistoryDayInfo]
    duties: list[HeldDutyInfo]
    leases: LeaseAgesInfo


class DoctorFinding(View, frozen=True, kw_only=True):
    """One check and what it found."""

    check: str
    grade: str
    """ok, warn or fail."""
    found: str
    advice: str
    """What to do; empty if nothing."""
    code: str
    """Names the sentence, for callers that say it in another language; empty: it is said in English only."""
    values: dict[str, str | float]
    """What the sentence names."""


class DoctorReport(View, frozen=True):
    """What the doctor finds from the server that answers."""

    server: str
    looked_at: datetime
    findings: list[DoctorFinding]
