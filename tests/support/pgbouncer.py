"""A real PgBouncer in transaction mode before a test's PostgreSQL."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from mainspring.errors import ConfigError
from tests.support.postgres import UNPRIVILEGED

PLACES = ("/usr/sbin/pgbouncer", "/usr/local/sbin/pgbouncer")
INSTALL = "no PgBouncer found: run scripts/install_test_needs, or install it (Debian: apt install pgbouncer)"
HOST = "127.0.0.1"
POSTGRES_PORT = 5432
TRIES, PAUSE = 1500, 0.02
POOL_SIZE = 5
"""Connections to each database: fewer than a server opens, so that they are shared."""
CONFIGURATION = """
[databases]
* = {target}

[pgbouncer]
listen_addr = {host}
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 500
server_idle_timeout = 5
logfile = {root}/log
pidfile = {root}/pid
"""


class PgBouncer:
    """One pooler process; any database of the PostgreSQL behind it can be reached through it."""

    def __init__(self, postgres_url: str) -> None:
        self._user = UNPRIVILEGED if os.geteuid() == 0 else None
        self._root = Path(tempfile.mkdtemp(prefix="mainspring-pgbouncer-"))
        self._target = target(postgres_url)
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, or start it again, and wait until it takes connections."""
        process = self._process = self._launch()
        for _ in range(TRIES):
            if self._answers():
                return
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=PAUSE)
                break
        self.pause()
        raise ConfigError(f"PgBouncer does not start:\n{(self._root / 'log').read_text()}")

    def url(self, database_url: str) -> str:
        """The way to that database through the pooler."""
        parts = urlsplit(database_url)
        user = f"{parts.username}@" if parts.username else ""
        return f"postgresql://{user}{HOST}:{self._port}{parts.path}?pooler=transaction"

    def pause(self) -> None:
        """End the process; its address and its clients' settings stay."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        self.pause()
        shutil.rmtree(self._root)

    def _launch(self) -> subprocess.Popen[bytes]:
        file = self._root / "pgbouncer.ini"
        file.write_text(
            CONFIGURATION.format(target=self._target, host=HOST, port=self._port, size=POOL_SIZE, root=self._root)
        )
        (self._root / "log").touch()
        if self._user is not None:
            shutil.chown(self._root, self._user)
            shutil.chown(self._root / "log", self._user)
        return subprocess.Popen([find_pgbouncer(), "-q", str(file)], user=self._user, cwd="/", stdin=subprocess.DEVNULL)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self._port)) == 0


def target(url: str) -> str:
    """How the pooler reaches PostgreSQL, as it wants that written."""
    parts = urlsplit(url)
    place = parse_qs(parts.query).get("host", [parts.hostname or "localhost"])[0]
    words = {"host": place, "port": parts.port or POSTGRES_PORT, "user": parts.username, "password": parts.password}
    return " ".join(f"{name}={value}" for name, value in words.items() if value)


def find_pgbouncer() -> str:
    found = shutil.which("pgbouncer") or next((place for place in PLACES if Path(place).exists()), None)
    if found is None:
        raise ConfigError(INSTALL)
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
