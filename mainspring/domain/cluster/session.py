"""Executor sessions and servers, as the cluster knows them."""

from datetime import datetime
from enum import IntEnum
from typing import Annotated

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.ids import RunId, ServerId, SessionId
from mainspring.domain.jobs.job import Pool
from mainspring.domain.years import END, FIRST

GRACE_MAX = 86_400.0
"""Seconds that a drain may leave to running attempts."""
BLOCKED_MAX = 10
"""Handlers that blocked an executor's loop, as many as are kept of what it says."""


class SessionState(IntEnum):
    LIVE = 0
    DRAINING = 1
    """At its own wish: it is about to leave."""
    DEAD = 2
    CORDONED = 3
    """At an operator's: it stays, and takes nothing new until that is taken back."""


class PoolSize(msgspec.Struct, frozen=True):
    """Kept alive, at most, and how many attempts may wait for a slot on the executor itself."""

    pool: Pool
    core: int
    max: int
    queue: int

    @property
    def room(self) -> int:
        return self.max + self.queue


class Abilities(msgspec.Struct, frozen=True, kw_only=True):
    """An executor's capabilities, as it reports them."""

    queues: list[str]
    handlers: dict[str, Pool]
    pools: list[PoolSize]
    labels: dict[str, str] = {}
    code_version: str = ""
    host: str = ""
    zone: str = ""
    """Servers of the same zone are preferred."""
    resources: dict[str, float] = {}
    """Numbers that attempts book, such as `gpu` or `memory`."""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One start of an executor, as the store keeps it."""

    id: SessionId
    namespace: str
    executor: str
    server: ServerId
    state: SessionState
    lease_until: datetime
    abilities: Abilities
    seal: bytes = b""
    """By which it is known again when its executor connects again; no view shows it, and no read returns it."""
    stuck: tuple[Pool, ...] = ()
    """Its pools without a usable slot, as far as it last said."""


class Opened(msgspec.Struct, frozen=True):
    """A session as it stands once it was opened; it may have been open before."""

    state: SessionState
    since: datetime


class PoolUse(msgspec.Struct, frozen=True, array_like=True):
    """How many attempts a pool may hold in all, and how many it holds."""

    pool: Pool
    room: int
    taken: int


Short = Annotated[str, msgspec.Meta(max_length=1_000)]


class Blocked(msgspec.Struct, frozen=True, array_like=True):
    """A handler that blocked an executor's event loop."""

    handler: Short
    """Empty if it could not be told which."""
    run: Short
    seconds: Annotated[float, msgspec.Meta(ge=0, le=1e9)]
    at: Annotated[datetime, msgspec.Meta(tz=True)]
    place: Short
    """Where in its code it was."""

    def __post_init__(self) -> None:
        # Raised while decoding, this is a frame error.
        if not FIRST <= self.at < END:
            raise ValueError("an instant lies outside the years of all calendars")


class Stuck(msgspec.Struct, frozen=True, array_like=True):
    """A pool without a usable slot: the attempts that hold its slots neither end nor can go on."""

    pool: Pool
    strays: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    """Slots of attempts that were given up and go on."""
    waits: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    """Slots of handlers that wait for runs which need a slot of the same pool."""

    @property
    def reason(self) -> str:
        held = {"go on although they were given up": self.strays, "wait for runs that need the same pool": self.waits}
        return " and ".join(f"{count} {words}" for words, count in held.items() if count)


class SessionLoad(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """How busy an executor was when it last said so."""

    at: datetime
    running: int
    waiting: int
    cpu: float
    """Share of one core."""
    memory: int
    """Resident bytes."""
    pools: list[PoolUse]
    strays: int = 0
    """Threads that go on with attempts which were given up."""
    blocked: list[Blocked] = []
    stuck: list[Stuck] = []
    """Pools without a usable slot."""


class Cordon(msgspec.Struct, frozen=True, kw_only=True):
    """Why executors of a name are to take nothing new, by whose wish and since when."""

    namespace: str
    executor: str
    at: datetime
    actor: str
    reason: str
    drain_at: datetime | None = None
    """Since when they are to finish or hand back what they have, too."""
    grace: float = 0.0
    """Seconds that attempts under way have for that."""


class Presence(msgspec.Struct, frozen=True, kw_only=True):
    """A living session as operators see it."""

    session: Session
    server: str
    """The name of the server it is attached to; empty if that has just left."""
    since: datetime
    load: SessionLoad | None
    cordon: Cordon | None


class RunOnExecutor(msgspec.Struct, frozen=True, kw_only=True):
    """A run that an executor has, unstarted or under way."""

    id: RunId
    job: str
    attempt: int
    claimed_at: datetime
    session: SessionId


def resized(session: Session, pools: list[PoolSize]) -> Session:
    """The session with pools of these sizes."""
    abilities = msgspec.structs.replace(session.abilities, pools=pools)
    return msgspec.structs.replace(session, abilities=abilities)


def tightened(held: Cordon | None, wanted: Cordon) -> Cordon | None:
    """The cordon to hold from now on, or None if the present one will do. Nothing but its end takes a drain back."""
    if held is None or wanted.drain_at is not None:
        return wanted
    if held.reason == wanted.reason:
        return None
    return msgspec.structs.replace(wanted, drain_at=held.drain_at, grace=held.grace)


def cordon_entry(cordon: Cordon, actor: Actor, *, act: str | None = None) -> AuditEntry:
    """The audit log's entry for a cordon that was set, or taken back."""
    details: dict[str, object] = {"reason": cordon.reason}
    if cordon.drain_at is not None:
        details["grace"] = cordon.grace
    return audit_entry(
        act or ("executor.cordon" if cordon.drain_at is None else "executor.drain"),
        "executor",
        cordon.executor,
        details,
        namespace=cordon.namespace,
        actor=actor,
        at=cordon.at,
    )
