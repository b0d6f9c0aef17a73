"""The benchmark's own PostgreSQL and Redis: private, on loopback, started on first use, stopped by process id."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench.environment import HOME, MissingError, find_program, require_program
from bench.processes import CommandError, run, start, stop

USER = "bench"
SETTINGS = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "shared_buffers": "512MB",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "30min",
    "max_connections": "100",
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
}
BOOT = 30.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def unprivileged_user() -> str | None:
    """Who PostgreSQL runs as: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def start_until(
    ready: Callable[[], bool], command: Sequence[str], log: Path, user: str | None = None
) -> subprocess.Popen[bytes]:
    """Start a server and wait until it is ready; one that never is, is stopped again."""
    process = start(command, log, user=user, directory=log.parent)
    with ExitStack() as unready:
        unready.callback(stop, process, signal.SIGINT)
        deadline = time.monotonic() + BOOT
        while not ready():
            if time.monotonic() > deadline or process.poll() is not None:
                raise CommandError(command, log.read_text())
            time.sleep(0.1)
        unready.pop_all()
    return process


class Postgres:
    """A durable PostgreSQL cluster that lives as long as this object."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = free_port()
        self.user = unprivileged_user()
        self.password = secrets.token_hex(16)
        self.psql = require_program("psql", "postgresql-client")
        self.process = self.boot()

    def boot(self) -> subprocess.Popen[bytes]:
        data, log = self.home / "data", self.home / "postgres.log"
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(parents=True)
        secret = self.home / "password"
        secret.write_text(self.password)
        if self.user:
            shutil.chown(self.home, self.user)
            shutil.chown(secret, self.user)
        initdb = [require_program("initdb", "postgresql"), "-D", str(data), "-U", USER, "-A", "scram-sha-256"]
        run([*initdb, "--pwfile", str(secret), "-E", "UTF8", "--no-locale"], user=self.user, directory=self.home)
        settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        server = [require_program("postgres", "postgresql"), "-D", str(data), "-p", str(self.port), *settings]
        return start_until(self.answers, server, log, self.user)

    def answers(self) -> bool:
        try:
            return self.query("postgres", "SELECT 1") == "1"
        except CommandError:
            return False

    def url(self, database: str) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def query(self, database: str, *statements: str) -> str:
        commands = [part for statement in statements for part in ("-c", statement)]
        return run([self.psql, "-XAtq", "-v", "ON_ERROR_STOP=1", *commands, self.url(database)]).strip()

    def create(self, database: str) -> str:
        """Make an empty database, replacing one of that name, and return its URL."""
        self.query("postgres", f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)', f'CREATE DATABASE "{database}"')
        return self.url(database)

    def checkpoint(self) -> None:
        self.query("postgres", "CHECKPOINT")

    def close(self) -> None:
        # SIGINT is PostgreSQL's fast shutdown: it ends the sessions and leaves a clean cluster.
        stop(self.process, signal.SIGINT)


class Redis:
    """A Redis that keeps everything in memory: its fastest configuration, and not durable."""

    def __init__(self, home: Path) -> None:
        self.port = free_port()
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        log = home / "redis.log"
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        command = [require_program("redis-server", "redis-server"), *options]
        self.process = start_until(self.answers, command, log)

    def answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def empty(self) -> str:
        """Forget everything, and return the URL."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b"FLUSHALL SYNC\r\n")
            if not connection.recv(64).startswith(b"+OK"):
                raise MissingError("Redis did not empty itself")
        return self.url

    def close(self) -> None:
        stop(self.process)


class Servers:
    """Starts each server when it is first asked for; stops them all at the end."""

    def __init__(self, home: Path = HOME) -> None:
        self.home = home
        self.clusters: dict[str, Postgres] = {}
        self.running_redis: Redis | None = None

    @property
    def postgres(self) -> Postgres:
        return self.cluster("postgres")

    def cluster(self, name: str) -> Postgres:
        """A PostgreSQL of its own; most systems share the one that is called `postgres`."""
        if name not in self.clusters:
            self.clusters[name] = Postgres(self.home / name)
        return self.clusters[name]

    @property
    def redis(self) -> Redis:
        if self.running_redis is None:
            self.running_redis = Redis(self.home / "redis")
        return self.running_redis

    def directory(self, name: str) -> Path:
        """An empty directory for one system's files, replacing one of that name."""
        directory = self.home / "systems" / name
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        return directory

    def processes(self) -> list[subprocess.Popen[bytes]]:
        running = [self.running_redis, *self.clusters.values()]
        return [server.process for server in running if server is not None]

    def settle(self) -> None:
        """Flush what was loaded, so that one measurement does not pay for another's writes."""
        for cluster in self.clusters.values():
            cluster.checkpoint()

    def versions(self) -> dict[str, str]:
        programs: Sequence[str] = ("postgres", "redis-server")
        found = {name: find_program(name) for name in programs}
        return {name: run([path, "--version"]).strip() for name, path in found.items() if path}

    def close(self) -> None:
        for server in (self.running_redis, *self.clusters.values()):
            if server is not None:
                server.close()
        self.clusters, self.running_redis = {}, None
