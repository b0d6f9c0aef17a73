"""Executor alone: a local fake server in this process pushes no-op runs at an executor in a child process.

python tests/executor/bench_executor.py async|threads [runs] [credit] [batch]
python tests/executor/bench_executor.py sleepers 100000
"""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import uvloop
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.ids import RunId, Token
from mainspring.domain.jobs.job import Pool
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.process.executor import Executor
from mainspring.settings import ExecutorSettings
from mainspring.wire.base import Message
from mainspring.wire.codec import decode_from_executor, encode
from mainspring.wire.messages import SUBPROTOCOL, Beat, Leased, Outcomes, Settled, Start, Welcome

FIRST = 2_000
"""Runs before the clock starts."""


def handlers() -> Handlers:
    registry = Handlers()

    async def noop_async() -> None:
        return None

    async def sleep_async() -> None:
        await asyncio.Event().wait()

    def noop_threads() -> None:
        return None

    async def typed_async(user: int, name: str) -> dict[str, int]:
        return {name: user}

    for function in (noop_async, noop_threads, sleep_async, typed_async):
        registry.add(function)
    return registry


def execute(url: str, credit: int) -> None:
    pools = (
        PoolSize(Pool.LOOP, 0, credit, 0),
        PoolSize(Pool.THREADS, 4, 16, credit - 16),
    )
    settings = ExecutorSettings(servers=(url,), pools=pools, name="bench", grace=1.0)
    started = time.process_time()
    code = Executor(handlers(), settings).run()
    print(f"executor cpu {time.process_time() - started:.2f} s, exit {code}", flush=True)


class Server:
    def __init__(self, handler: str, runs: int, credit: int, batch: int) -> None:
        self.handler, self.runs, self.credit, self.batch = handler, runs, credit, batch
        self.raw = b'{"user":7,"name":"x"}' if handler.startswith("typed") else b"{}"
        self.sent = self.ended = self.part = 0
        self.pid = 0
        self.done = asyncio.Event()
        self.cpu_at_first = self.at_first = 0.0
        self.frames = 0

    async def attend(self, socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(encode([Welcome(1, "bench", 10.0, 2.5, [])]))
        async for frame in socket:
            answers: list[Message] = []
            for message in decode_from_executor(frame):  # type: ignore[arg-type]
                if isinstance(message, Outcomes):
                    self.frames += 1
                    self.count(len(message.runs))
                    answers.append(Settled(message.seq, []))
                elif isinstance(message, Beat):
                    answers.append(Leased(message.seq))
            answers += self.starts()
            if answers:
                await socket.send(encode(answers))

    def count(self, ended: int) -> None:
        before, self.ended = self.ended, self.ended + ended
        if before < FIRST <= self.ended:
            self.at_first, self.cpu_at_first, self.base = time.perf_counter(), cpu(self.pid), self.ended
        if self.ended >= self.runs:
            self.done.set()

    def starts(self) -> list[Start]:
        starts = []
        while self.sent < self.runs and self.sent - self.ended < self.credit:
            size = min(self.batch, self.runs - self.sent, self.credit - (self.sent - self.ended))
            if size < self.batch and self.sent - self.ended > 0 and self.runs - self.sent > size:
                break
            self.part += 1
            runs = [RunId(os.urandom(16)) for _ in range(size)]
            starts.append(
                Start(Token(b"t" * 16), self.part, [self.handler], runs, [0] * size, [1] * size, [self.raw] * size)
            )
            self.sent += size
        return starts


def cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def main(mode: str, runs: int, credit: int, batch: int) -> None:
    name = {"async": "noop_async", "threads": "noop_threads", "sleepers": "sleep_async", "typed": "typed_async"}[mode]
    server = Server(name, runs, credit, batch)
    async with serve(
        server.attend, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, max_size=None
    ) as ws:
        port = ws.sockets[0].getsockname()[1]
        command = [sys.executable, __file__, "executor", f"ws://127.0.0.1:{port}", str(credit)]
        child = await asyncio.to_thread(subprocess.Popen, command)
        server.pid = child.pid
        if mode == "sleepers":
            await sleepers(server, child)
        else:
            await server.done.wait()
            spent, took = cpu(child.pid) - server.cpu_at_first, time.perf_counter() - server.at_first
            counted = server.ended - server.base
            print(
                f"{mode}: {counted} runs in {took:.2f} s = {counted / took:,.0f}/s; executor"
                f" {spent / counted * 1e6:.1f} µs cpu/run; {counted / server.frames:.0f} outcomes/frame;"
                f" {resident(child.pid) / 1e6:.0f} MB",
                flush=True,
            )
        child.terminate()
        await asyncio.to_thread(child.wait)


async def sleepers(server: Server, child: "subprocess.Popen[bytes]") -> None:
    while server.sent < server.runs:
        await SystemClock().sleep(0.5)
    await SystemClock().sleep(5)
    memory = resident(child.pid)
    print(f"{server.sent} sleeping: {memory / 1e6:.0f} MB, {memory / server.sent:.0f} bytes/run in all", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "executor":
        execute(sys.argv[2], int(sys.argv[3]))
    else:
        mode = sys.argv[1]
        runs = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
        credit = int(sys.argv[3]) if len(sys.argv) > 3 else (runs if mode == "sleepers" else 2_000)
        uvloop.run(main(mode, runs, credit, int(sys.argv[4]) if len(sys.argv) > 4 else 500))
