"""The settings of each process, with their defaults and limits."""

import ipaddress
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec

from mainspring.domain.job import Pool
from mainspring.domain.session import PoolSize
from mainspring.errors import ConfigError

Seconds = Annotated[float, msgspec.Meta(gt=0)]
Count = Annotated[int, msgspec.Meta(ge=1)]

HOME_DEFAULT = ".mainspring"
URL_DEFAULT = "http://127.0.0.1:8484"
POOLS_DEFAULT = (
    PoolSize(Pool.LOOP, 0, 200, 200),
    PoolSize(Pool.THREADS, 4, 32, 64),
    PoolSize(Pool.PROCESSES, 0, 2, 0),
)


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the configuration file; its fields are also `<prefix><FIELD>` in the environment."""

    table: ClassVar[str]
    prefix: ClassVar[str]
    secrets: ClassVar[frozenset[str]] = frozenset()
    """May come from a file named by `<prefix><FIELD>_FILE`, and are never shown."""


class SchedulerSettings(Section, frozen=True):
    """How the duties of a server work; durations in seconds."""

    table = "scheduler"
    prefix = "MAINSPRING_SCHEDULER_"

    name: str = ""
    """What people call this server; empty: host and process id."""
    lease: Seconds = 10.0
    """How long an executor may stay silent before its attempts are taken for lost."""
    beat: Seconds = 2.5
    grace: Seconds = 2.0
    """Time beyond a lease for clocks and networks, before it is reclaimed."""
    poll: Seconds = 1.0
    """The longest that due work waits for a wake that was lost."""
    claim_batch: Count = 2000
    settle_batch: Count = 4000
    accept_batch: Count = 5000
    lines_max: Count = 100
    """How many lines (a queue's handlers) one claim looks into."""
    retention_days: Count = 30
    hints: bool = True
    """Whether servers wake each other through the database."""

    def __post_init__(self) -> None:
        if self.beat * 2 > self.lease:
            raise ConfigError(f"beat ({self.beat} s) must be at most half of lease ({self.lease} s)")


class ServerSettings(Section, frozen=True):
    """One server: where it listens, what it stores in, whom it lets in."""

    table = "server"
    prefix = "MAINSPRING_"
    secrets = frozenset({"database_url", "listen_url", "api_token", "executor_token"})

    home: str = HOME_DEFAULT
    database_url: str = ""
    """`sqlite:///path/file.db` or `postgresql://…`; empty: a SQLite file in home."""
    listen_url: str = ""
    """A direct way to PostgreSQL for wakes when database_url leads through PgBouncer, or `off`."""
    pool_size: Count = 10
    migrate: bool = False
    """Apply missing migrations at start (SQLite always does)."""
    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8484
    api_token: str = ""
    executor_token: str = ""
    scheduler: SchedulerSettings = SchedulerSettings()

    @property
    def store_url(self) -> str:
        return self.database_url or f"sqlite:///{Path(self.home).absolute() / 'mainspring.db'}"

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def exposed(self) -> bool:
        """Whether others than this machine can reach it."""
        return not is_loopback(self.host)


class ExecutorSettings(Section, frozen=True):
    """One executor: which servers it dials, what it takes, and with how much room."""

    table = "executor"
    prefix = "MAINSPRING_EXECUTOR_"
    secrets = frozenset({"token"})

    servers: tuple[str, ...] = (URL_DEFAULT,)
    token: str = ""
    name: str = ""
    """Stable over restarts; empty: the host's name."""
    namespace: str = "default"
    queues: tuple[str, ...] = ()
    """Empty: those that its jobs name."""
    labels: dict[str, str] = {}
    pools: tuple[PoolSize, ...] = POOLS_DEFAULT
    grace: Seconds = 30.0
    """How long a drain waits for attempts under way."""
    code_version: str = ""


class ClientSettings(Section, frozen=True):
    """How programs and the command line reach a server."""

    table = "client"
    prefix = "MAINSPRING_"
    secrets = frozenset({"token"})

    home: str = HOME_DEFAULT
    url: str = URL_DEFAULT
    token: str = ""
    namespace: str = "default"


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
