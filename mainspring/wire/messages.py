"""Messages between server and executor.

A frame is a MessagePack array of messages; a message is an array that starts with its tag. Fields are only ever added at
the end, so either side may be one version ahead. `docs/protocol.md` is the description for other languages.
"""

from typing import Annotated

import msgspec

from mainspring.domain.cluster.server import TOLD_MAX, ServerAddress
from mainspring.domain.cluster.session import Abilities, Blocked, Stuck
from mainspring.domain.ids import RunIdField, SecretField, SessionIdField, TokenField
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.attempt import Ended
from mainspring.domain.runs.checkpoints import Memory, MemoryKind
from mainspring.domain.runs.log import LogEntry, Progress
from mainspring.wire.base import Count, Message, Seconds, refuse_uneven
from mainspring.wire.breakers import AnnounceBreakers, AskPermits, Permitted, ReportCalls
from mainspring.wire.pools import Resize, Resized

PROTOCOL = 1
SUBPROTOCOL = "mainspring.v1.msgpack"
FRAME_MAX = 16 * 1024 * 1024
FRAME_SOFT_MAX = 4 * 1024 * 1024
"""The server cuts a batch before its frame grows past this."""
HELLO_MAX = 4 * 1024 * 1024
"""Bytes of the first frame of a connection."""

ATTEMPTS_MAX, ENTRIES_MAX = 4_000, 20_000
"""In one batch of outcomes; lines, reports or checkpoints in one message."""
BATCH, ENTRIES = msgspec.Meta(max_length=ATTEMPTS_MAX), msgspec.Meta(max_length=ENTRIES_MAX)

Servers = Annotated[list[ServerAddress], msgspec.Meta(max_length=TOLD_MAX)]


class Holding(msgspec.Struct, frozen=True, array_like=True):
    """Attempts under one token that an executor has: unstarted, running, or ended and not acknowledged."""

    token: TokenField
    runs: list[RunIdField]


class Load(msgspec.Struct, frozen=True, array_like=True):
    """How busy an executor is."""

    running: Count
    waiting: Count
    cpu: Annotated[float, msgspec.Meta(ge=0, le=1e6)]
    """Share of one core, averaged over the last beat."""
    memory: Annotated[int, msgspec.Meta(ge=0, le=2**62)]
    """Resident bytes."""
    strays: Count = 0
    """Threads that go on with attempts which were given up."""
    blocked: Annotated[list[Blocked], msgspec.Meta(max_length=100)] = []
    """Handlers that lately blocked the event loop, the newest last."""
    stuck: Annotated[list[Stuck], msgspec.Meta(max_length=10)] = []
    """Pools without a usable slot."""


# From the executor


class Hello(Message, frozen=True, tag="hello"):
    """The first frame of a connection; nothing else may come before it."""

    protocol: int
    session: SessionIdField
    secret: SecretField
    """Random bytes per start of the executor, sent to servers only; they prove that a later hello belongs to the session."""
    executor: str
    namespace: str
    abilities: Abilities
    jobs: list[JobSpec]
    holding: list[Holding]
    triggers: dict[str, str] = msgspec.field(default_factory=dict)
    """Triggers declared in the executor's code: digests of their definitions by name."""
    traces: bool = False
    """Whether it exports spans, which name the queues of its runs."""


class Beat(Message, frozen=True, tag="beat"):
    """A sign of life; answered by `Leased` once the store has renewed the lease."""

    seq: int
    load: Load


class Room(Message, frozen=True, tag="room"):
    """New credit: how many attempts each pool may hold in all, from now on. Draining is a room of zero."""

    pools: Annotated[dict[str, Count], msgspec.Meta(max_length=100)]


class Outcomes(Message, frozen=True, tag="outcomes"):
    """Attempts that ended: successes by column, the others one by one. Acknowledged whole by `Settled`."""

    seq: int
    runs: Annotated[list[RunIdField], BATCH]
    tokens: list[TokenField]
    results: list[bytes]
    waits: list[int]
    durations: list[int]
    ended: Annotated[list[Ended], BATCH]

    def __post_init__(self) -> None:
        refuse_uneven(self.runs, self.tokens, self.results, self.waits, self.durations)


class Inventory(Message, frozen=True, tag="inventory"):
    """All attempts that the executor has, sent periodically so that both sides can reconcile."""

    holding: list[Holding]


class Logs(Message, frozen=True, tag="logs"):
    entries: Annotated[list[LogEntry], ENTRIES]


class Reports(Message, frozen=True, tag="progress"):
    entries: Annotated[list[Progress], ENTRIES]


class SaveCheckpoints(Message, frozen=True, tag="save_checkpoints"):
    """Checkpoints, step results and effects of attempts; answered whole by `CheckpointsSaved`."""

    seq: int
    entries: Annotated[list[Memory], ENTRIES]


class LoadCheckpoints(Message, frozen=True, tag="load_checkpoints"):
    """Asks for the checkpoints of these attempts' runs; answered by a `CheckpointsLoaded` for each."""

    holding: list[Holding]


class Goodbye(Message, frozen=True, tag="goodbye"):
    """The session ends: everything was handed back, finished and acknowledged."""


# From the server


class Welcome(Message, frozen=True, tag="welcome"):
    """Accepts a Hello."""

    protocol: int
    server: str
    lease: Seconds
    """Seconds that a renewal is worth, counted from when its beat was sent."""
    beat: Seconds
    """Seconds between beats."""
    stale: list[Holding]
    """Held attempts that the executor no longer owns: stop them and forget them."""
    unapplied: list[str] = msgspec.field(default_factory=list)
    """Triggers of the executor's code that are not applied on this server, or differ."""
    servers: Servers = msgspec.field(default_factory=list)
    """The servers of the cluster, this one among them; empty if it is alone."""


class Refused(Message, frozen=True, tag="refused"):
    """The connection cannot be used; closed right after."""

    code: str
    reason: str
    servers: Servers = msgspec.field(default_factory=list)
    """Others to ask."""


class Start(Message, frozen=True, tag="start"):
    """A batch of attempts under one token, column by column, most urgent first.

    `handlers` are positions in `names`. A part of a token that was seen before is a repeat and is ignored. `extras` are the
    JSON metadata of each run (`domain/metadata.py`); the column is empty if no run has any.
    """

    token: TokenField
    part: int
    names: list[str]
    runs: list[RunIdField]
    handlers: list[int]
    attempts: list[int]
    inputs: list[bytes]
    extras: list[bytes | None] = msgspec.field(default_factory=list)
    timeouts: list[Annotated[float, msgspec.Meta(ge=0)]] = msgspec.field(default_factory=list)
    """Seconds that each handler may take from its beginning; 0: unlimited. Empty if all are."""
    queues: list[str] = msgspec.field(default_factory=list)
    """The queue that each of `names` is of: a name may stand there twice. Only for executors that export spans."""
    jobs: list[str] = msgspec.field(default_factory=list)
    """The job that each of `names` is of, as far as it has a breaker; empty if none has one."""

    def __post_init__(self) -> None:
        both = (self.extras or self.runs, self.timeouts or self.runs)
        refuse_uneven(self.runs, self.handlers, self.attempts, self.inputs, *both)
        refuse_uneven(self.names, self.queues or self.names, self.jobs or self.names)


class Settled(Message, frozen=True, tag="settled"):
    """The outcomes of that frame are durable; those named were stale and changed nothing."""

    seq: int
    stale: list[RunIdField]


class Leased(Message, frozen=True, tag="leased"):
    """The beat with that number renewed the lease."""

    seq: int
    servers: Servers = msgspec.field(default_factory=list)
    """The servers of the cluster, if they have changed since this executor was told of them."""


class Stale(Message, frozen=True, tag="stale"):
    """The executor no longer owns these attempts: it stops and forgets them."""

    holding: list[Holding]


class Cancel(Message, frozen=True, tag="cancel"):
    """Stop these attempts, and report each as cancelled unless it succeeded before."""

    holding: list[Holding]


class Suspend(Message, frozen=True, tag="suspend"):
    """Have each of these attempts yield at its next checkpoint or step, and report it as suspended."""

    holding: list[Holding]


class CheckpointsSaved(Message, frozen=True, tag="checkpoints_saved"):
    """The entries of that frame are durable, except those of the attempts named, which no longer own their runs."""

    seq: int
    stale: list[Holding]


class CheckpointsLoaded(Message, frozen=True, tag="checkpoints_loaded"):
    """The checkpoints of an attempt's run, column by column; none if the attempt no longer owns it."""

    run: RunIdField
    token: TokenField
    kinds: list[MemoryKind]
    names: list[str]
    values: list[bytes | None]
    more: bool = False
    """The rest follows: it does not fit into one frame."""
    stale: bool = False

    def __post_init__(self) -> None:
        refuse_uneven(self.kinds, self.names, self.values)


class Drain(Message, frozen=True, tag="drain"):
    """Bring all attempts to an end and stay connected: hand back those not begun, interrupt the others after the grace."""

    grace: Annotated[float, msgspec.Meta(ge=0, le=1e9)]
    """Seconds that attempts under way have to end by themselves."""


class Leave(Message, frozen=True, tag="leave"):
    """The server is about to end, or has more than its share: the executor connects to another one; lease and attempts stay."""

    servers: Servers = msgspec.field(default_factory=list)
    """Others to ask, the best first."""


FromExecutor = (
    Hello
    | Beat
    | Room
    | Resized
    | Outcomes
    | Inventory
    | Logs
    | Reports
    | SaveCheckpoints
    | LoadCheckpoints
    | ReportCalls
    | AskPermits
    | Goodbye
)
FromServer = (
    Welcome
    | Refused
    | Start
    | Settled
    | Leased
    | Stale
    | Cancel
    | Suspend
    | CheckpointsSaved
    | CheckpointsLoaded
    | Drain
    | AnnounceBreakers
    | Permitted
    | Resize
    | Leave
)
