"""One fault of the primary while two servers and two executors work."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from mainspring import AsyncClient
from mainspring.clock import SystemClock
from mainspring.errors import MainspringError, UnavailableError
from proof.failover.patroni import Member, PatroniPair, first_to_write
from tests.acceptance.ledger import VARIABLE, Ledger
from tests.acceptance.scene import APP, ROOT
from tests.support.processes import API_TOKEN, Fleet, eventually

GOING_AGAIN = 5.0
AWAY_MAX = 120.0
BEFORE, AFTER = 5.0, 5.0
"""Seconds of load around the fault."""
SETTLED_MAX = 120.0

CLASS = re.compile(r"\b(sync|async|single|unsafe): commits are kept")
"""As `mainspring doctor` tells the class of durability."""

Fault = Callable[[PatroniPair, Member, Member], Awaitable[list[Member]]]
"""Returns those of which one is to take writes afterwards."""


async def kill_machine(_pair: PatroniPair, primary: Member, standby: Member) -> list[Member]:
    primary.kill_machine()
    return [standby]


async def kill_database(_pair: PatroniPair, primary: Member, standby: Member) -> list[Member]:
    primary.kill_database()
    return [standby]


async def switch_over(_pair: PatroniPair, primary: Member, standby: Member) -> list[Member]:
    await primary.switch_over(standby)
    return [standby]


async def pause_etcd(pair: PatroniPair, primary: Member, _standby: Member) -> list[Member]:
    """Until the primary, which cannot renew its lock, is none any more."""
    pair.etcd.pause()
    try:
        await eventually(lambda: gave_way(primary), "a primary without its lock to give way", within=AWAY_MAX)
    finally:
        pair.etcd.go_on()
    return pair.members


async def gave_way(primary: Member) -> bool:
    await SystemClock().sleep(0.1)
    return not await primary.takes_writes()


FAULTS: dict[str, Fault] = {
    "kill_database": kill_database,
    "kill_machine": kill_machine,
    "pause_etcd": pause_etcd,
    "switch_over": switch_over,
}


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a fault."""

    fault: str
    durability: str
    accepted: int
    lost: int
    twice: int
    """Runs that were executed more than once, which a fail-over may cause."""
    away: float
    """Seconds from the fault until the new primary took writes."""
    accepting: float
    """Seconds from then until a run was accepted."""
    executing: float
    """Seconds from then until a run that was accepted after it had ended."""

    @property
    def held(self) -> bool:
        return not self.lost and max(self.accepting, self.executing) <= GOING_AGAIN and self.durability == "sync"

    @property
    def line(self) -> str:
        return (
            f"{self.fault}: durability {self.durability}; away {self.away:.1f} s; accepting {self.accepting:.1f} s and "
            f"executing {self.executing:.1f} s after the new primary takes writes; {self.accepted} accepted, "
            f"{self.lost} lost, {self.twice} executed more than once"
        )


class Trial:
    """Asks for runs at a steady rate, each under a key, and asks again for those without an answer."""

    def __init__(self, pair: PatroniPair, folder: Path, rate: float) -> None:
        self._pair = pair
        self._rate = rate
        self._clock = SystemClock()
        self._ledger = Ledger(folder / "ledger")
        self._fleet = Fleet(folder, code=ROOT, env={VARIABLE: str(self._ledger.path)})
        self._folder = folder
        self._accepted: dict[str, float] = {}
        self._asking: set[asyncio.Task[None]] = set()

    async def play(self, fault: str) -> Outcome:
        try:
            return await self._play(fault)
        finally:
            self._fleet.close()

    async def _play(self, fault: str) -> Outcome:
        await self._pair.create_database()
        migrating = self._fleet.command("migrate", MAINSPRING_DATABASE_URL=self._pair.url)
        assert await migrating.wait() == 0, migrating.said
        started = [self._fleet.server(self._pair.url, home=self._folder / f"home-{at}") for at in range(2)]
        servers = [await one.ready() for one in started]
        executors = [self._fleet.executor(APP, *servers, name=name) for name in "ab"]
        for executor in executors:
            await executor.connected()
        async with AsyncClient([one.url for one in servers], token=API_TOKEN) as client:
            asking = asyncio.create_task(self._ask(client))
            await self._clock.sleep(BEFORE)
            found = await self._strike(client, fault)
            await self._clock.sleep(AFTER)
            asking.cancel()
            await asyncio.gather(*self._asking)
            lost, twice = await self._count(client)
        return msgspec.structs.replace(found, accepted=len(self._accepted), lost=lost, twice=twice)

    async def _strike(self, client: AsyncClient, fault: str) -> Outcome:
        [primary] = [one for one in self._pair.members if await one.takes_writes()]
        [standby] = [one for one in self._pair.members if one is not primary]
        durability = await self._durability()
        began = self._clock.monotonic()
        await first_to_write(await FAULTS[fault](self._pair, primary, standby), AWAY_MAX)
        writes = self._clock.monotonic()
        run = await eventually(lambda: self._first_after(writes), "a run accepted after the fail-over", within=AWAY_MAX)
        accepting = max(0.0, self._accepted[run] - writes)
        await self._ended(client, run)
        return Outcome(
            fault=fault,
            durability=durability,
            accepted=0,
            lost=0,
            twice=0,
            away=writes - began,
            accepting=accepting,
            executing=self._clock.monotonic() - writes,
        )

    async def _durability(self) -> str:
        """As `mainspring doctor` prints it."""
        asked = self._fleet.command(
            "doctor",
            "--output",
            "json",
            MAINSPRING_DATABASE_URL=self._pair.url,
            MAINSPRING_HOME=str(self._folder / "home-0"),
        )
        await asked.wait()
        found = CLASS.search(asked.said)
        return found[1] if found else asked.said

    async def _ask(self, client: AsyncClient) -> None:
        number = 0
        while True:
            number += 1
            one = asyncio.create_task(self._insist(client, f"r{number}"))
            self._asking.add(one)
            one.add_done_callback(self._asking.discard)
            await self._clock.sleep(1 / self._rate)

    async def _insist(self, client: AsyncClient, key: str) -> None:
        """Until it is accepted; the same key is one run, however often it is asked for."""
        while True:
            with suppress(UnavailableError, TimeoutError):
                run = await client.enqueue("noop", key=key)
                self._accepted[run.id] = self._clock.monotonic()
                return
            await self._clock.sleep(0.1)

    async def _first_after(self, instant: float) -> str:
        await self._clock.sleep(0.02)
        return next((run for run, at in list(self._accepted.items()) if at >= instant), "")

    async def _ended(self, client: AsyncClient, run: str) -> None:
        while True:
            with suppress(UnavailableError):
                await client.wait(run, timeout=SETTLED_MAX)
                return

    async def _count(self, client: AsyncClient) -> tuple[int, int]:
        """Accepted runs that are not there or have not succeeded, and those that began more than once."""
        lost = 0
        for run in self._accepted:
            try:
                lost += (await client.wait(run, timeout=SETTLED_MAX)).state != "succeeded"
            except (MainspringError, TimeoutError):
                lost += 1
        return lost, sum(len(entries) > 1 for entries in self._ledger.starts().values())
