"""The commands every Python peer answers: setup, single, bulk, paced, later, work."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

URL = os.environ["BENCH_URL"]
PROCESSES = int(os.environ.get("BENCH_PROCESSES", "1"))


class Peer(Protocol):
    """What a peer's script supplies; `when` is an instant of the wall clock, in seconds."""

    async def open(self) -> None: ...
    async def setup(self) -> None: ...
    async def one(self, payload: float) -> None: ...
    async def many(self, payloads: Sequence[float]) -> None: ...
    async def later(self, payloads: Sequence[float], when: float) -> None: ...
    def work(self) -> None: ...


async def single(peer: Peer, count: int) -> float:
    await peer.one(0)
    begin = time.monotonic()
    for number in range(1, count):
        await peer.one(number)
    return (time.monotonic() - begin) * count / (count - 1)


async def bulk(peer: Peer, count: int) -> float:
    begin = time.monotonic()
    await peer.many(range(count))
    return time.monotonic() - begin


async def paced(peer: Peer, count: int, per_second: float) -> float:
    """Enqueue at a fixed pace; each payload is the instant at which its enqueue call began."""
    begin = time.monotonic()
    for number in range(count):
        await asyncio.sleep(max(0.0, begin + number / per_second - time.monotonic()))
        await peer.one(time.monotonic())
    return time.monotonic() - begin


async def later(peer: Peer, count: int, when: float) -> float:
    begin = time.monotonic()
    await peer.later(range(count), when)
    return time.monotonic() - begin


async def answer(peer: Peer, command: str, arguments: list[str]) -> float:
    if command == "setup":
        await peer.setup()
        return 0.0
    await peer.open()
    if command == "single":
        return await single(peer, int(arguments[0]))
    if command == "bulk":
        return await bulk(peer, int(arguments[0]))
    if command == "paced":
        return await paced(peer, int(arguments[0]), float(arguments[1]))
    if command == "later":
        return await later(peer, int(arguments[0]), float(arguments[1]))
    raise SystemExit(f"unknown command: {command}")


def main(peer: Peer) -> None:
    command, *arguments = sys.argv[1:]
    if command == "work":
        peer.work()
        return
    seconds = asyncio.run(answer(peer, command, arguments))
    print(json.dumps({"seconds": seconds}), flush=True)
    # Client pools keep threads and sockets open; the answer is out, so leave at once.
    os._exit(0)


def chunks(payloads: Sequence[float], size: int) -> Iterator[Sequence[float]]:
    for begin in range(0, len(payloads), size):
        yield payloads[begin : begin + size]


def replace_by(*command: str) -> None:
    """Become the peer's own command line, found beside this interpreter."""
    program = Path(sys.executable).with_name(command[0])
    os.execv(program, [str(program), *command[1:]])
