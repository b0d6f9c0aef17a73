"""The settings of each process, with their defaults and limits."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import msgspec

from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.errors import ConfigError
from mainspring.settings.loopback import is_loopback

Seconds = Annotated[float, msgspec.Meta(gt=0)]
Count = Annotated[int, msgspec.Meta(ge=1)]

PORT_MAX = 65535
HOME_DEFAULT = ".mainspring"
URL_DEFAULT = "http://127.0.0.1:8484"
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 what is dialled instead
POOLS_DEFAULT = (
    PoolSize(Pool.LOOP, 0, 200, 600),
    PoolSize(Pool.THREADS, 4, 32, 128),
    PoolSize(Pool.PROCESSES, 0, 2, 32),
)

LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["", "text", "json"]


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
    """Display name of this server; empty: host and process id."""
    lease: Seconds = 10.0
    """How long an executor may stay silent before its attempts are taken for lost."""
    beat: Seconds = 2.5
    """Between an executor's signs of life; at most half of the lease."""
    grace: Seconds = 1.0
    """Time beyond a lease for clocks and networks, before it is reclaimed."""
    poll: Seconds = 1.0
    """The longest that due work waits for a wake that was lost."""
    claim_batch: Count = 2000
    """How many runs one claim takes at most."""
    bundle_from: Annotated[int, msgspec.Meta(ge=0)] = 200
    """Smallest room of a claim, and fewest steps that end together, for runs to be kept in bundles (PostgreSQL); 0: never."""
    settle_batch: Count = 4000
    """How many outcomes are settled in one transaction."""
    accept_batch: Count = 5000
    """How many runs are accepted in one transaction."""
    look_ahead: Seconds = 30.5
    """How long before their instants the runs of triggers are made; the fraction keeps that away from other instants."""
    claim_ahead: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.05
    """How long before a run falls due it may be claimed, so that it starts at its instant however slow the commit is."""
    fire_batch: Count = 500
    """How many triggers are moved in one transaction."""
    lines_max: Count = 100
    """How many lines (a queue's handlers) one claim looks into."""
    retention_days: Count = 30
    """How long finished runs are kept."""
    hints: bool = True
    """Whether servers wake each other through the database."""
    require_durability: Literal["", "single", "async", "sync"] = ""
    """The least that a commit has to survive for this server to be ready: see the guide on installing. Empty: anything."""
    metrics_jobs: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0
    """How many jobs have metrics of their own; beyond that they share those of `_other`. 0: none."""
    metrics_executors: bool = False
    """Whether each executor has metrics of its own: its processor time, memory, strays and blocked loop."""

    alert_networks: tuple[str, ...] = ()
    """Networks besides public ones, such as 10.0.0.0/8, that channels may reach, also by plain HTTP."""
    alert_secrets: tuple[str, ...] = ()
    """Names of environment variables, and folders, that channels may refer to by `env:NAME` and `file:/folder/name`."""
    console_url: str = ""
    """Where people reach the console, such as https://jobs.example.com/console; sent along with alerts."""

    def __post_init__(self) -> None:
        if self.beat * 2 > self.lease:
            raise ConfigError(f"beat ({self.beat} s) must be at most half of lease ({self.lease} s)")


class ServerSettings(Section, frozen=True):
    """One server: its address, its database, its access rules."""

    table = "server"
    prefix = "MAINSPRING_"
    secrets = frozenset({"database_url", "listen_url", "api_token", "executor_token", "secret_keys"})

    home: str = HOME_DEFAULT
    """Folder of the first tokens and, without `database_url`, of the database."""
    database_url: str = ""
    """`sqlite:///path/file.db` or `postgresql://…`; empty: a SQLite file in home."""
    listen_url: str = ""
    """A direct way to PostgreSQL for wakes when database_url leads through PgBouncer, or `off`."""
    pool_size: Count = 10
    """Connections to PostgreSQL, besides two for leases and one for wakes."""
    migrate: bool = False
    """Apply missing migrations at start (SQLite always does)."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Annotated[int, msgspec.Meta(ge=0, le=PORT_MAX)] = 8484
    """The port to listen on; 0: any that is free."""
    tls_certificate: str = ""
    """PEM file with the server's certificate and those between it and its authority; empty: plain HTTP."""
    tls_key: str = ""
    """PEM file with the certificate's private key."""
    insecure: bool = False
    """Whether to serve plain HTTP to other machines, for servers behind a TLS proxy."""
    head_timeout: Seconds = 10.0
    """How long the head of a request may take, and a new connection to begin one."""
    body_timeout: Seconds = 30.0
    """How long the body of a request may take; a larger one gets as long again for each 256 KiB."""
    strangers_max: Count = 256
    """Connections that one address (of IPv6: one /64) may have without having shown a good token; this machine any number."""
    trusted_proxies: tuple[str, ...] = ()
    """Networks of load balancers, such as 10.0.0.0/8, to which `strangers_max` does not apply."""
    public_details: bool = False
    """Whether callers without a token see versions, counts and the reasons of databases: `/version`, `/readyz` and a header."""
    trace_url: Annotated[str, msgspec.Meta(pattern=r"^(https?://.*\{trace\}.*)?$")] = ""
    """Where a trace is shown, with `{trace}` for its id: https://traces.example.com/trace/{trace}. Runs link to it."""
    log_level: LogLevel = "info"
    """Least severe level of the lines on stderr."""
    log_format: LogFormat = ""
    """`json`: one object per line, or `text`. Empty: text on a terminal, else json."""
    metrics: bool = True
    """Whether `/metrics` is served."""
    metrics_listen: str = ""
    """An address such as 127.0.0.1:9484 that serves `/metrics` without a token; only of this machine unless `insecure`."""
    api_token: str = ""
    """An admin token for all namespaces that comes from outside; at least 32 characters."""
    executor_token: str = ""
    """The same for executors."""
    secret_keys: tuple[str, ...] = ()
    """Keys for secrets in the database (32 bytes in base64), the same for all servers; the first seals. Empty: one in home."""
    oidc: tuple[str, ...] = ()
    """Files (TOML), each of which describes an identity provider where people sign in; needs the extra `oidc`."""
    oidc_networks: tuple[str, ...] = ()
    """Networks besides public ones, such as 10.0.0.0/8, in which identity providers may be."""
    advertise_url: str = ""
    """Where executors and clients reach this server; empty: the address that it listens on. Needed where that is every one."""
    zone: str = ""
    """Where this server runs, such as eu-1a: executors and clients prefer servers of their own zone."""
    balance: bool = True
    """Whether executors are sent to servers that have fewer; off where all servers have one address, of a load balancer."""
    discovery: tuple[str, ...] = ()
    """Address books in which this server makes itself known besides, such as consul://127.0.0.1:8500/mainspring."""
    discovery_executors: bool = False
    """Whether the executors connected to this server are listed there, too; nothing of Mainspring reads that."""
    drain_delay: Annotated[float, msgspec.Meta(ge=0, le=300)] = 0.0
    """Seconds for which a server that is to end says so on `/readyz` and goes on taking calls; in Kubernetes about 3."""
    scheduler: SchedulerSettings = SchedulerSettings()

    @property
    def store_url(self) -> str:
        return self.database_url or f"sqlite:///{Path(self.home).absolute() / 'mainspring.db'}"

    @property
    def alone(self) -> bool:
        """Whether no other server can share its database."""
        return self.store_url.startswith("sqlite:")

    @property
    def url(self) -> str:
        """As this machine reaches it: a server that listens everywhere listens here."""
        reached = EVERYWHERE.get(self.host, self.host)
        host = f"[{reached}]" if ":" in reached else reached
        return f"{'https' if self.secure else 'http'}://{host}:{self.port}"

    @property
    def advertised(self) -> str:
        """The address that others are told; empty if there is none that they could use."""
        return self.advertise_url.rstrip("/") or ("" if self.host in EVERYWHERE else self.url)

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Host and port of `metrics_listen`; raises ConfigError if it is neither empty nor an address."""
        if not self.metrics_listen:
            return None
        host, _, port = self.metrics_listen.rpartition(":")
        if not host or not port.isdecimal() or int(port) > PORT_MAX:
            raise ConfigError(f"metrics_listen: {self.metrics_listen!r} is not an address such as 127.0.0.1:9484")
        return host.strip("[]"), int(port)

    @property
    def secure(self) -> bool:
        return bool(self.tls_certificate)

    @property
    def exposed(self) -> bool:
        """Whether others than this machine can reach it."""
        return not is_loopback(self.host)


class ExecutorSettings(Section, frozen=True):
    """One executor: its servers, queues and pools."""

    table = "executor"
    prefix = "MAINSPRING_EXECUTOR_"
    secrets = frozenset({"token"})

    servers: tuple[str, ...] = (URL_DEFAULT,)
    """Addresses to begin with, tried in this order; servers name the others. Left out: those of MAINSPRING_URL."""
    zone: str = ""
    """Where this executor runs, such as eu-1a: servers of the same zone are preferred."""
    discovery_hosts: tuple[str, ...] = ()
    """Hosts that may be shown the token although no setting names them, such as *.fleet.example; empty: every host with TLS."""
    discovery_networks: tuple[str, ...] = ()
    """Networks, such as 10.0.0.0/8, in which a server that no setting names may be shown the token without TLS."""
    token: str = ""
    """An executor token; empty: the one in the server's home."""
    ca_file: str = ""
    """PEM file with the authorities to trust instead of the system's; empty: as for the client, MAINSPRING_CA_FILE."""
    name: str = ""
    """Stable over restarts; empty: the host's name."""
    namespace: str = "default"
    """The namespace whose runs it takes."""
    queues: tuple[str, ...] = ()
    """Empty: those that its jobs name."""
    labels: dict[str, str] = {}
    """Labels shown to operators, such as its zone."""
    resources: dict[str, str] = {}
    """Resources that attempts book, such as gpu=2 or memory=16GiB."""
    pools: tuple[PoolSize, ...] = POOLS_DEFAULT
    """Room for attempts: `pool=core:max:queue`; a pool that is not named keeps its default."""
    processes: str = "1"
    """Executor processes that run together, each with these pools; `auto`: one per core, `1:8`: as many as the queues want."""
    runs: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The executor drains and ends after so many runs, and takes no more at a time; 0: never."""
    idle: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """Seconds without anything to do after which the executor drains and ends; 0: never."""
    grace: Seconds = 30.0
    """How long a drain may take, from SIGTERM to the end of the process."""
    stop_grace: Seconds = 5.0
    """How long an attempt that is cancelled or whose time is up may clean up before it is killed or given up."""
    blocked_after: Seconds = 1.0
    """How long a handler may keep the event loop from all others before that is reported."""
    signs: str = ""
    """Folder for signs of life, which `mainspring probe --executor` reads; empty: none are written."""
    code_version: str = ""
    """The version of the jobs' code, for people to see."""
    allow: tuple[str, ...] = ()
    """Built-in handlers that may run here: shell, http."""
    shell_environment: tuple[str, ...] = ("PATH", "LANG", "LC_ALL", "TZ", "HOME", "TMPDIR")
    """Which of the executor's own variables a `shell` command sees."""
    http_networks: tuple[str, ...] = ()
    """Private networks that `http` may reach, such as 10.0.0.0/8; public ones it always may."""
    log_level: LogLevel = "info"
    """Least severe level of the lines on stderr."""
    log_format: LogFormat = ""
    """`json`: one object per line, or `text`. Empty: text on a terminal, else json."""
    trace_join: Literal["auto", "parent", "link"] = "auto"
    """How the span of an attempt belongs to that of its enqueue: as its child, by a link, or as a child within a minute."""


class ClientSettings(Section, frozen=True):
    """How programs and the command line reach a server."""

    table = "client"
    prefix = "MAINSPRING_"
    secrets = frozenset({"token"})

    home: str = HOME_DEFAULT
    """The home of a server on this machine: its token is used if no other is given."""
    url: tuple[str, ...] = (URL_DEFAULT,)
    """Addresses of servers, tried in this order: a call that one cannot take goes to the next."""
    token: str = ""
    """The token to show; empty: the one in home."""
    namespace: str = ""
    """Empty: the one that the token is for, or `default`."""
    ca_file: str = ""
    """PEM file with the authorities to trust instead of the system's."""
    zone: str = ""
    """Where this program runs, such as eu-1a: servers of the same zone are preferred."""
    discovery_hosts: tuple[str, ...] = ()
    """Hosts that may be shown the token although no setting names them, such as *.fleet.example; empty: every host with TLS."""
    discovery_networks: tuple[str, ...] = ()
    """Networks, such as 10.0.0.0/8, in which a server that no setting names may be shown the token without TLS."""
