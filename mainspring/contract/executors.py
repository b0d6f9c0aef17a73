"""Bodies and views of executors."""

from datetime import datetime

from mainspring.contract.base.view import View


class PoolInfo(View, frozen=True):
    """A pool's size; `room` is how many attempts it may hold in all, and `taken` how many it holds."""

    pool: str
    core: int
    max: int
    queue: int
    room: int
    taken: int | None = None


class PoolWishInfo(View, frozen=True):
    """The size that operators want a pool to have; it holds once the executor's own `pools` say the same."""

    pool: str
    core: int
    max: int
    queue: int
    at: datetime
    actor: str
    reason: str


class LoadInfo(View, frozen=True):
    """As the executor's last beat said."""

    cpu: float
    """Share of one core."""
    memory: int
    """Resident bytes."""
    running: int
    waiting: int
    at: datetime
    strays: int = 0
    """Threads that go on with attempts which were given up."""


class BlockedInfo(View, frozen=True):
    """A handler that kept the executor's event loop from all others."""

    handler: str
    """Empty if it could not be told which."""
    run: str
    seconds: float
    at: datetime
    place: str
    """Where in its code it was."""


class StuckInfo(View, frozen=True):
    """A pool whose slots are held by `strays`, given up and going on, and `waits`, for runs that need the same pool."""

    pool: str
    strays: int = 0
    waits: int = 0


class CordonInfo(View, frozen=True):
    at: datetime
    actor: str
    reason: str
    drain_at: datetime | None = None
    grace: float = 0.0


class ExecutorInfo(View, frozen=True, kw_only=True):
    """A living session of an executor: one start of it."""

    name: str
    namespace: str
    session: str
    state: str
    """`live`, `draining` or `cordoned`."""
    server: str
    host: str
    code_version: str
    labels: dict[str, str] = {}
    resources: dict[str, float] = {}
    """Numbers that attempts book."""
    queues: list[str] = []
    handlers: int
    pools: list[PoolInfo] = []
    load: LoadInfo | None = None
    opened_at: datetime
    lease_until: datetime
    lease_age: float
    """Seconds since the lease was renewed last."""
    blocked: list[BlockedInfo] = []
    """Handlers that lately blocked its event loop, the newest last."""
    stuck: list[StuckInfo] = []
    """Pools without a usable slot: runs wait for one with the reason `stuck`."""
    cordon: CordonInfo | None = None


class ExecutorPage(View, frozen=True):
    """A page; `next` is the cursor of the next one."""

    executors: list[ExecutorInfo]
    next: str | None


class HeldRun(View, frozen=True):
    id: str
    job: str
    attempt: int
    claimed_at: datetime
    session: str


class ExecutorSessions(View, frozen=True, kw_only=True):
    """The executors of one name: usually one, none while it is away, two for a moment while it restarts."""

    name: str
    namespace: str
    cordon: CordonInfo | None = None
    sessions: list[ExecutorInfo] = []
    handlers: dict[str, str] = {}
    """With the pool that runs each."""
    runs: list[HeldRun] = []
    """Some of what they have."""
    more: bool = False
    """Whether they have more."""
    wanted: list[PoolWishInfo] = []
    """Sizes that operators want their pools to have, instead of those that they were started with."""
