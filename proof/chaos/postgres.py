"""A PostgreSQL of the trial: primary or streaming standby, which can crash, run out of disk, and be promoted."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg

from proof.chaos.places import POSTGRES_PORT
from proof.chaos.processes import Actor, Ground, as_unprivileged, run
from proof.chaos.waiting import until
from tests.support.postgres import find_binaries

DISK = "600m"
SETTINGS = {
    "port": str(POSTGRES_PORT),
    "max_connections": "90",
    "timezone": "UTC",
    "wal_level": "replica",
    "hot_standby": "on",
    "wal_keep_size": "64MB",
    "min_wal_size": "32MB",
    "max_wal_size": "96MB",
    "shared_buffers": "64MB",
    "wal_sender_timeout": "5s",
    "wal_receiver_timeout": "5s",
    "wal_retrieve_retry_interval": "500ms",
    "log_line_prefix": "%m [%p] ",
}
TRUSTED = "\nhost all all 0.0.0.0/0 trust\nhost replication all 0.0.0.0/0 trust\n"
SWEEP = 0.1
"""Seconds between looks at what is still alive."""


class Postgres:
    """One server process with its data on a disk of its own, if mounting is permitted."""

    def __init__(self, ground: Ground, place: str) -> None:
        self.place = place
        self.root = ground.scratch / place
        self.data = self.root / "data"
        self.host = ground.network.address(place)
        self._ground = ground
        self._binaries = find_binaries()
        self.own_disk = False
        options = {**SETTINGS, "listen_addresses": self.host, "unix_socket_directories": str(self.root)}
        self._everyone = Actor(ground, f"postgres-{place}", place, self._command(options))
        self._alone = Actor(ground, f"postgres-{place}", place, self._command({**options, "listen_addresses": ""}))
        self.actor = self._everyone

    def prepare(self) -> None:
        """Make its disk."""
        self.root.mkdir()
        if os.geteuid() == 0:
            self._ground.leftovers.note("mount", str(self.root))
            mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=755", "chaos", str(self.root)]
            self.own_disk = subprocess.run(mount, capture_output=True, check=False).returncode == 0
            shutil.chown(self.root, "nobody", "nogroup")

    async def found(self) -> None:
        """Make a new cluster, and start it."""
        await self._tool("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C")
        with (self.data / "pg_hba.conf").open("a") as rules:
            rules.write(TRUSTED)
        await self.start()

    async def follow(self, primary: "Postgres") -> None:
        """Become a standby of that one, from scratch."""
        await asyncio.to_thread(shutil.rmtree, self.data, ignore_errors=True)
        source = f"host={primary.root} port={POSTGRES_PORT} user=postgres"
        await self._tool("pg_basebackup", "-D", self.data, "-d", source, "-X", "stream", "-c", "fast")
        way = f"host={primary.host} port={POSTGRES_PORT} user=postgres application_name={self.place}"
        with (self.data / "postgresql.auto.conf").open("a") as settings:
            settings.write(f"\nprimary_conninfo = '{way}'\nsynchronous_standby_names = ''\n")
        (self.data / "standby.signal").touch()
        await self.start()

    async def start(self, *, alone: bool = False) -> None:
        """Start it, for the network or for us alone, and wait until it answers."""
        self.actor = self._alone if alone else self._everyone
        self.actor.start()
        await until(self.answers, f"PostgreSQL at {self.place}")

    async def crash(self) -> None:
        """Kill the postmaster and all its children, as the machine's own crash would."""
        # It must not have another child between the look at them and their end.
        self.actor.signal(signal.SIGSTOP)
        family = self.actor.family()
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        await self.actor.over()
        await until(lambda: not any(map(alive, family)), f"the end of PostgreSQL at {self.place}")

    async def stop(self) -> None:
        self.actor.signal(signal.SIGINT)
        await self.actor.over()

    async def answers(self) -> bool:
        """Whether it takes connections; raises if it has ended instead."""
        if not self.actor.alive:
            raise ChildProcessError(f"PostgreSQL at {self.place} ended:\n{self.actor.said[-2000:]}")
        try:
            await self.query("SELECT 1", timeout=2)
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        return True

    async def query(self, sql: str, *arguments: object, timeout: float = 20) -> list[Any]:
        """Ask it behind the network's back, over its Unix socket."""
        connection = await self.connect(timeout=timeout)
        try:
            return list(await connection.fetch(sql, *arguments, timeout=timeout))
        finally:
            connection.terminate()

    async def connect(
        self, *, timeout: float = 20, database: str = "postgres", user: str = "postgres"
    ) -> "asyncpg.Connection[Any]":
        place = str(self.root)
        return await asyncpg.connect(host=place, port=POSTGRES_PORT, user=user, database=database, timeout=timeout)

    async def vacuum(self, database: str) -> None:
        connection = await self.connect(database=database)
        try:
            await connection.execute("VACUUM")
        finally:
            connection.terminate()

    async def promote(self) -> None:
        """Returns once it takes writes."""
        await self.query("SELECT pg_promote(true, 30)", timeout=40)

    async def require_standby(self, names: str) -> None:
        """Which standbys a commit waits for; empty: none."""
        await self.query(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        await self.query("SELECT pg_reload_conf()")

    async def standby_state(self) -> str:
        """How the standby follows: `sync`, `async`, or nothing while it does not."""
        found = await self.query("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'")
        return str(found[0]["sync_state"]) if found else ""

    def fill_disk(self) -> None:
        """Leave no room, neither for data nor for the log."""
        path = self.root / "ballast"
        with suppress(OSError), path.open("wb") as ballast:
            while True:
                ballast.write(bytes(1 << 20))

    def empty_disk(self) -> None:
        (self.root / "ballast").unlink(missing_ok=True)

    def _command(self, options: Mapping[str, str]) -> list[str]:
        words = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return [*as_unprivileged(), str(self._binaries / "postgres"), "-D", str(self.data), *words]

    async def _tool(self, name: str, *words: str | Path) -> None:
        await run(*as_unprivileged(), self._binaries / name, *words)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A zombie waits for its parent: it does nothing any more.
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
