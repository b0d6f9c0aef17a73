"""The stage of a trial: everything started, observed, and brought back to health; and cleared away whatever happens."""

import asyncio
import secrets
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg

from mainspring.clock import SystemClock
from proof.chaos.collect import Scale, install_audit
from proof.chaos.fleet import Fleet
from proof.chaos.ledger import Ledger, Requests
from proof.chaos.leftovers import Leftovers
from proof.chaos.network import Loopback, Namespaces, Network, namespaces_permitted
from proof.chaos.places import DATABASE, DATABASES, EXECUTORS, LEASE, OWNER, PLACES, STRANGER
from proof.chaos.pooler import Pooler
from proof.chaos.postgres import Postgres
from proof.chaos.processes import CODE, Ground
from proof.chaos.waiting import until
from proof.records import Fault, Line
from tests.support.processes import clean_environment

HEALTHY_WITHIN = 60.0
AWAY = (OSError, asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError, asyncpg.InterfaceError)


class Stage:
    """One cluster and what is known of it."""

    def __init__(self, ground: Ground, began_at: datetime, *, seed: int, rate: float) -> None:
        self.ground = ground
        self.scale = Scale(began_at)
        self.databases = {place: Postgres(ground, place) for place in DATABASES}
        self.primary, self.standby = self.databases["pg1"], self.databases["pg2"]
        self.pooler = Pooler(ground)
        self.fleet = Fleet(ground, self.pooler, seed=seed, rate=rate)
        self.ledger = Ledger(self.fleet.ledger)
        self.requests = Requests(self.fleet.requests)
        self.faults: list[Fault] = []
        self.failovers: list[tuple[float, float]] = []
        self.forgotten: list[Line] = []
        """Changes that a fail-over lost."""
        self.left: list[tuple[str, float]] = []
        """Executors that came to an orderly end, and when."""
        self._asking: asyncpg.Connection[Any] | None = None
        self._asked = ""
        self._turn = asyncio.Lock()

    @property
    def network(self) -> Network:
        return self.ground.network

    def now(self) -> float:
        return self.ground.now()

    async def sleep(self, seconds: float) -> None:
        await self.ground.clock.sleep(seconds)

    async def open(self) -> None:
        self.network.open()
        for database in self.databases.values():
            database.prepare()
        await self.primary.found()
        for role in (OWNER, STRANGER):
            await self.primary.query(f"CREATE ROLE {role} LOGIN")
        await self.primary.query(f"CREATE DATABASE {DATABASE} OWNER {OWNER}")
        await self.migrate()
        await install_audit(self.primary)
        await self.standby.follow(self.primary)
        await self.pooler.start(self.primary)
        self.fleet.start_proxies()
        for actor in (*self.fleet.servers.values(), *self.fleet.executors.values()):
            actor.start()
        await self.healthy()
        self.fleet.client.start()

    async def migrate(self) -> None:
        """From outside the network: over the Unix socket."""
        url = f"postgresql://{OWNER}@/{DATABASE}?host={self.primary.root}"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "mainspring", "migrate", "--database-url", url),
            cwd=CODE,
            env=clean_environment(MAINSPRING_HOME=str(self.ground.scratch / "home-migrate")),
            stdout=asyncio.subprocess.DEVNULL,
        )
        if await process.wait() != 0:
            raise OSError("the schema could not be made")

    async def healthy(self) -> None:
        """Wait until all executors have a session, the standby follows, and what is asked for is done."""
        since = self.now()
        await until(self.attached_to_someone, "a live session of each executor", within=HEALTHY_WITHIN)
        await until(self.primary.standby_state, "a standby that follows", within=HEALTHY_WITHIN)
        if self.fleet.client.alive:
            await until(lambda: any(self.ledger.starts(since=since)), "work done", within=HEALTHY_WITHIN)

    async def ask(self, sql: str, *arguments: object) -> list[Any]:
        """What the primary knows, asked behind the network's back, and again while another fault has it."""

        async def answer() -> tuple[list[Any]] | None:
            try:
                return (await self.ask_once(sql, *arguments),)
            except AWAY:
                return None

        found = await until(answer, "an answer of the primary", within=HEALTHY_WITHIN)
        return list(*(found or ()))

    async def ask_once(self, sql: str, *arguments: object) -> list[Any]:
        """The same, for what must not be done twice."""
        async with self._turn:
            if self._asking is None or self._asking.is_closed() or self._asked != self.primary.place:
                self._asking, self._asked = await self.primary.connect(database=DATABASE), self.primary.place
            return list(await self._asking.fetch(sql, *arguments))

    async def attached_to_someone(self) -> bool:
        return set(await self.attachments()) == set(EXECUTORS)

    async def attachments(self, *, since: float = 0.0) -> dict[str, str]:
        """Executors that renewed their lease since then and have it, and whom they are attached to, as the database has it."""
        rows = await self.ask(
            "SELECT s.executor, v.name FROM mainspring.sessions AS s JOIN mainspring.servers AS v ON v.id = s.server"
            " WHERE s.state = 0 AND s.lease_until > clock_timestamp() AND s.lease_until > $1 ORDER BY s.opened_at",
            self.scale.instant(since + LEASE),
        )
        return {row["executor"]: row["name"] for row in rows}

    @asynccontextmanager
    async def fault(self, name: str, target: str = "", detail: str = "") -> AsyncIterator[None]:
        """Note what is done from here until it is healed."""
        at = self.now()
        try:
            yield
        finally:
            self.faults.append(Fault(at=at, until=self.now(), fault=name, target=target, detail=detail))

    def cut(self, one: str, other: str) -> None:
        self.network.deafen(one, to=other)
        self.network.deafen(other, to=one)

    def mend(self, one: str, other: str) -> None:
        self.network.hear(one, to=other)
        self.network.hear(other, to=one)

    def mend_all(self) -> None:
        for one in PLACES:
            for other in PLACES:
                if one != other:
                    self.network.hear(one, to=other)

    async def repair(self) -> None:
        """After a fault that did not go as meant: everything mended, and everybody up."""
        self.mend_all()
        if not self.primary.actor.alive:
            await self.primary.start()
        await self.primary.require_standby("")
        if not self.standby.actor.alive or not await self.primary.standby_state():
            self.standby.actor.close()
            await self.standby.follow(self.primary)
        self.pooler.lead_to(self.primary)
        for actor in (self.pooler.actor, *self.fleet.servers.values(), *self.fleet.executors.values()):
            if not actor.alive:
                actor.start()
            actor.thaw()

    async def drain(self, within: float) -> bool:
        """Let the client finish, and wait until no run is live; says whether that came."""
        await self.fleet.client.terminate()
        try:
            await until(self.empty, "the end of every run", within=within)
        except TimeoutError:
            return False
        return True

    async def empty(self) -> bool:
        return not await self.ask("SELECT FROM mainspring.live LIMIT 1")

    def close(self) -> None:
        for actor in self.fleet.everybody():
            actor.close()
        self.pooler.actor.close()
        for database in self.databases.values():
            database.actor.close()


@asynccontextmanager
async def staged(folder: Path, *, seed: int, rate: float, loopback: bool = False) -> AsyncIterator[Stage]:
    """A stage that is cleared away at the end, however that comes."""
    leftovers = Leftovers(folder.parent / "leftovers.jsonl")
    scratch = new_scratch()
    network: Network = Loopback() if loopback or not namespaces_permitted() else Namespaces(leftovers)
    clock = SystemClock()
    ground = Ground(folder, scratch, network, leftovers, clock, clock.monotonic())
    stage = Stage(ground, clock.now() + timedelta(0), seed=seed, rate=rate)
    try:
        await stage.open()
        yield stage
    finally:
        stage.close()
        leftovers.sweep()
        shutil.rmtree(scratch, ignore_errors=True)


def new_scratch() -> Path:
    """A folder that PostgreSQL may look into, whichever user it runs as."""
    scratch = Path(tempfile.mkdtemp(prefix="mainspring-chaos-"))
    scratch.chmod(0o755)
    return scratch


def new_seed() -> int:
    return secrets.randbelow(1_000_000)
