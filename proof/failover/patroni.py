"""Two PostgreSQL servers under Patroni, with an etcd beside them, all on loopback and ended by process id."""

import asyncio
import os
import shutil
import signal
import site
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import yaml

from mainspring.clock import SystemClock
from mainspring.errors import ConfigError
from tests.support.pgbouncer import free_port
from tests.support.postgres import UNPRIVILEGED, find_binaries
from tests.support.processes import eventually
from tests.support.registries import EtcdBook

TTL = 20
"""Seconds, the least that Patroni takes: a primary whose machine is gone is replaced after them."""
START = 180.0
"""Seconds for a primary and its standby to come up on a busy machine."""
SCOPE = "mainspring"


class Member:
    """One PostgreSQL with its Patroni."""

    def __init__(self, name: str, folder: Path, etcd: int, interpreter: Sequence[str]) -> None:
        self.name, self.port, self._api = name, free_port(), free_port()
        self._folder = folder / name
        self._folder.mkdir(mode=0o700)
        self._command = [*interpreter, str(self._folder / "patroni.yml")]
        self._process: subprocess.Popen[bytes] | None = None
        (self._folder / "patroni.yml").write_text(yaml.safe_dump(self._settings(etcd)))
        own(self._folder)

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                user=user(),
                env={"PATH": os.environ["PATH"], "PYTHONPATH": packages(), "LANG": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def role(self) -> str:
        """As Patroni tells it: primary, sync_standby, replica; empty if it does not answer."""
        try:
            async with httpx2.AsyncClient(timeout=2.0) as http:
                said: dict[str, Any] = (await http.get(f"http://127.0.0.1:{self._api}/patroni")).json()
        except (httpx2.HTTPError, ValueError):
            return ""
        if said.get("state") != "running":
            return ""
        return "sync_standby" if said.get("sync_standby") else str(said.get("role", ""))

    async def switch_over(self, to: "Member") -> None:
        """Ask Patroni to make the other one the primary."""
        async with httpx2.AsyncClient(timeout=60.0) as http:
            answer = await http.post(
                f"http://127.0.0.1:{self._api}/switchover", json={"leader": self.name, "candidate": to.name}
            )
        if answer.status_code >= 300:
            raise ConfigError(f"Patroni refuses the switchover: {answer.text}")

    def kill_database(self) -> None:
        """As if PostgreSQL alone had crashed."""
        os.kill(int((self._folder / "data" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def kill_machine(self) -> None:
        """As a power cut: Patroni and PostgreSQL at once."""
        assert self._process is not None
        self._process.kill()
        self.kill_database()
        self._process.wait()

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill_machine()

    async def takes_writes(self) -> bool:
        try:
            connection = await asyncpg.connect(
                host="127.0.0.1", port=self.port, user="postgres", database="postgres", timeout=1.0
            )
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        try:
            return not await connection.fetchval("SELECT pg_is_in_recovery()")
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        finally:
            connection.terminate()

    def _settings(self, etcd: int) -> dict[str, Any]:
        shared = {"max_connections": 100, "wal_level": "replica", "shared_buffers": "64MB", "wal_sender_timeout": "5s"}
        return {
            "scope": SCOPE,
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self._api}", "connect_address": f"127.0.0.1:{self._api}"},
            "etcd3": {"hosts": f"127.0.0.1:{etcd}"},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL,
                    "loop_wait": 2,
                    "retry_timeout": 5,
                    "synchronous_mode": True,
                    # A primary whose PostgreSQL has crashed is replaced at once, instead of being started again.
                    "primary_start_timeout": 0,
                    "postgresql": {"use_pg_rewind": True, "parameters": shared},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums"],
                "pg_hba": [
                    "local all all trust",
                    "host all all 127.0.0.1/32 trust",
                    "host replication all 127.0.0.1/32 trust",
                ],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}",
                "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": str(self._folder / "data"),
                "pgpass": str(self._folder / "pgpass"),
                "bin_dir": str(find_binaries()),
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "postgres"}},
                "parameters": {"unix_socket_directories": str(self._folder), "timezone": "UTC"},
            },
        }


class PatroniPair:
    """A primary and its synchronous standby."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o755, exist_ok=True)
        (folder / "etcd").mkdir()
        self.etcd = EtcdBook(folder / "etcd")
        interpreter = readable_interpreter()
        self.members = [Member(name, folder, self.etcd.port, interpreter) for name in ("one", "two")]

    @property
    def url(self) -> str:
        places = ",".join(f"127.0.0.1:{one.port}" for one in self.members)
        return f"postgresql://postgres@{places}/mainspring"

    async def start(self) -> tuple[Member, Member]:
        """The primary, and the standby that every commit waits for."""
        self.etcd.start()
        first, second = self.members
        first.start()
        await eventually(first.takes_writes, "the first primary", within=START)
        second.start()
        await eventually(lambda: self._is(second, "sync_standby"), "a synchronous standby", within=START)
        return first, second

    async def restart(self, member: Member) -> None:
        member.start()
        await eventually(lambda: self._is(member, "sync_standby"), f"{member.name} back as a standby", within=START)

    async def create_database(self) -> None:
        [primary] = [one for one in self.members if await one.takes_writes()]
        connection = await asyncpg.connect(host="127.0.0.1", port=primary.port, user="postgres", database="postgres")
        await connection.execute("CREATE DATABASE mainspring")
        await connection.close()

    def close(self) -> None:
        for member in self.members:
            member.close()
        self.etcd.kill()

    async def _is(self, member: Member, role: str) -> bool:
        await SystemClock().sleep(0.2)
        return await member.role() == role


def user() -> str | None:
    """PostgreSQL refuses to run as root."""
    return UNPRIVILEGED if os.geteuid() == 0 else None


def own(folder: Path) -> None:
    if (who := user()) is not None:
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, who)


def readable_interpreter() -> list[str]:
    """An interpreter that the database's user may read, with Patroni; raises ConfigError if there is none."""
    for found in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        # Without its own packages, which may not fit those of this environment.
        command = [found, "-S", "-c", "import patroni.dcs.etcd3, psycopg"]
        try:
            subprocess.run(
                command, user=user(), cwd="/", env={"PYTHONPATH": packages()}, check=True, capture_output=True
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return [found, "-S", "-m", "patroni"]
    raise ConfigError("no interpreter with Patroni that the database's user may read: pip install -e '.[failover]'")


def packages() -> str:
    return os.pathsep.join(site.getsitepackages())


async def first_to_write(members: Sequence[Member], within: float) -> Member:
    """The first of them that takes writes."""

    async def found() -> list[Member]:
        await SystemClock().sleep(0.02)
        answers = await asyncio.gather(*(one.takes_writes() for one in members))
        return [one for one, yes in zip(members, answers, strict=True) if yes]

    return (await eventually(found, "a primary that takes writes", within=within))[0]
