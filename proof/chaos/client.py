"""The client: asks for runs at a steady rate, again where it got no answer, cancels and suspends a few, and keeps channel C.

`python -m proof.chaos.client FILE BEGAN SEED RATE URL…` goes on until it is told to end; then it asks once more for whatever
it has no answer to.
"""

import asyncio
import hashlib
import random
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import msgspec

from mainspring.client.async_client import AsyncClient
from mainspring.client.transport.requests import Enqueue
from mainspring.clock import SystemClock
from mainspring.contract.runs import RunInfo
from mainspring.errors import MainspringError, UnavailableError
from proof.chaos.limits import BREAKER, GATEWAY, OPTIONS, group_of
from proof.lines.clients import Act
from proof.records import Operation, encode
from tests.support.processes import API_TOKEN

Ask = Callable[[AsyncClient], Awaitable[RunInfo]]

MIX = {
    "quick": 25,
    "on_thread": 12,
    "in_child": 8,
    "fail_first": 9,
    "fail_always": 4,
    "lasting": 5,
    "lasting_on_thread": 4,
    "lasting_in_child": 1,
    "steps": 2,
    "effects": 2,
    "settles": 2,
    "poison": 1,
    "flow_chain": 1,
    "flow_diamond": 2,
    "flow_map": 1,
    "flow_wait": 1,
    "flow_saga": 2,
    "keyed": 3,
    "keyed_3": 2,
    "capped": 2,
    "rated": 1,
    "latest": 3,
    "replaces": 1,
    "hashed": 1,
    "in_turn": 1,
    "guarded": 4,
}
"""Of a hundred runs; the lasting ones take three leases, poison kills its process each time."""
REPEATED = 0.2
DELAYED = 0.12
DELAY_MAX = 4.0
CANCELLED = 0.05
SUSPENDED = "steps"
"""The job whose runs are set aside, as a rule: each until an instant, for an answer that is lost leaves nobody to resume it."""
ASIDE, ASIDE_MAX, RESUMED = 0.7, 8.0, 0.5
PATIENCE = 6.0
PAUSE = 0.5
LAST_TRIES = 60
KNOWN_MAX = 200
KEY_BUSY = "key_busy"


@dataclass(frozen=True)
class Wish:
    """What is asked for, and asked for again, under one key."""

    key: str
    job: str
    due_at: float | None

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.job} {self.key}".encode()).hexdigest()[:16]


class Client:
    """Many requests at once, to a server by lot each."""

    def __init__(self, path: Path, began: float, seed: int, urls: list[str]) -> None:
        self._file = path.open("ab", buffering=0)
        self._began = began
        self._lot = random.Random(seed)
        self._clients = [AsyncClient(url, token=API_TOKEN) for url in urls]
        self._clock = SystemClock()
        self._ids = count(1)
        self._known: list[Wish] = []
        self._unknown: dict[str, Wish] = {}
        self._under_way: set[asyncio.Task[None]] = set()

    async def ask(self, rate: float, stop: asyncio.Event) -> None:
        """Ask until told to stop; a slow answer does not slow the asking."""
        await self._clients[0].breakers.set(GATEWAY, BREAKER)
        while not await self._clock.wait(stop, self._lot.expovariate(rate)):
            self._begin(self._next())
        await self._settle()

    def _next(self) -> Wish:
        if self._known and self._lot.random() < REPEATED:
            return self._lot.choice(self._known)
        [job] = self._lot.choices(list(MIX), list(MIX.values()))
        due_at = self._now() + self._lot.uniform(0.5, DELAY_MAX) if self._lot.random() < DELAYED else None
        wish = Wish(f"k{next(self._ids)}", job, due_at)
        self._known = [*self._known[-KNOWN_MAX:], wish]
        return wish

    def _begin(self, wish: Wish) -> None:
        asking = asyncio.create_task(self._insist(wish))
        self._under_way.add(asking)
        asking.add_done_callback(self._under_way.discard)

    async def _insist(self, wish: Wish) -> None:
        """Ask, and after an unknown answer once more under the same key."""
        run = await self._enqueue(wish)
        if run is None:
            await self._clock.sleep(PAUSE)
            run = await self._enqueue(wish)
        if run and self._lot.random() < CANCELLED:
            await self._clock.sleep(self._lot.uniform(0, 2))
            await self._steer("cancel", run, lambda client: client.cancel(run, reason="chaos"))
        elif run and wish.job == SUSPENDED and self._lot.random() < ASIDE:
            await self._set_aside(run)

    async def _set_aside(self, run: str) -> None:
        """Until an instant, or until the client itself has it go on."""
        await self._clock.sleep(self._lot.uniform(0, 4))
        until = self._now() + self._lot.uniform(2, ASIDE_MAX)
        instant = self._instant(until)
        await self._steer("suspend", run, lambda client: client.suspend(run, resume_at=instant), until)
        if self._lot.random() < RESUMED:
            await self._clock.sleep(self._lot.uniform(0.5, 2))
            await self._steer("resume_run", run, lambda client: client.resume(run))

    async def _enqueue(self, wish: Wish) -> str | None:
        """The run; None if nobody knows, and nothing if it was refused."""
        operation = Operation(
            at=self._now(),
            id=next(self._ids),
            client="cl",
            act="enqueue",
            phase="invoke",
            job=wish.job,
            key=wish.key,
            digest=wish.digest,
            due_at=wish.due_at,
            mark=wish.key,
        )
        arguments = {"payload": wish.key, **({"group": group_of(wish.key)} if wish.job in OPTIONS else {})}
        wanted = Enqueue(job=wish.job, input=arguments, key=wish.key, due_at=self._instant(wish.due_at))
        self._write(operation)
        try:
            async with asyncio.timeout(PATIENCE):
                run = (await self._lot.choice(self._clients).send(wanted)).id
        except (MainspringError, TimeoutError) as error:
            return self._missed(operation, error, wish)
        self._unknown.pop(wish.key, None)
        self._answer(operation, "ok", run=run)
        return run

    def _missed(self, operation: Operation, error: Exception, wish: Wish) -> str | None:
        code = getattr(error, "code", "timeout")
        # A busy key is held by another request for the same run, of which nobody knows yet what becomes.
        unknown = isinstance(error, (UnavailableError, TimeoutError)) or code == KEY_BUSY
        if unknown:
            self._unknown[wish.key] = wish
        self._answer(operation, "info" if unknown else "fail", code=code)
        return None if unknown else ""

    async def _steer(self, act: Act, run: str, ask: Ask, due_at: float | None = None) -> None:
        operation = Operation(
            at=self._now(), id=next(self._ids), client="cl", act=act, phase="invoke", run=run, due_at=due_at
        )
        self._write(operation)
        try:
            async with asyncio.timeout(PATIENCE):
                state = (await ask(self._lot.choice(self._clients))).state
        except (UnavailableError, TimeoutError):
            self._answer(operation, "info", run=run)
        except MainspringError as error:
            self._answer(operation, "fail", run=run, code=error.code)
        else:
            self._answer(operation, "ok", run=run, state=state)

    async def _settle(self) -> None:
        """Wait for the answers under way, and ask for what is still unknown until it is known."""
        await asyncio.gather(*self._under_way)
        for _ in range(LAST_TRIES):
            for wish in list(self._unknown.values()):
                await self._enqueue(wish)
            if not self._unknown:
                return
            await self._clock.sleep(PAUSE)

    def _answer(self, operation: Operation, phase: str, *, run: str = "", state: str = "", code: str = "") -> None:
        told = {"phase": phase, "run": run, "state": state, "code": code, "at": self._now()}
        self._write(msgspec.structs.replace(operation, **told))

    def _write(self, operation: Operation) -> None:
        self._file.write(encode(operation))

    def _now(self) -> float:
        return self._clock.monotonic() - self._began

    def _instant(self, at: float | None) -> datetime | None:
        return None if at is None else self._clock.now() + timedelta(seconds=at - self._now())


async def main(path: str, began: str, seed: str, rate: str, *urls: str) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await Client(Path(path), float(began), int(seed), list(urls)).ask(float(rate), stop)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
