"""Taskiq on Redis: the list broker, which is its fastest, on uvloop, without results."""
# mypy: disable-error-code="import-not-found,import-untyped"

import asyncio
import datetime as dt
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from probe import probe_from_environment
from script import PROCESSES, URL, chunks, main, replace_by
from taskiq import TaskiqScheduler
from taskiq_redis import ListQueueBroker, ListRedisScheduleSource

broker = ListQueueBroker(URL)
source = ListRedisScheduleSource(URL)
scheduler = TaskiqScheduler(broker, [source])
probe = probe_from_environment()

WORKER = "worker taskiq_peer:broker --log-level ERROR --no-parse --max-async-tasks 200 --max-prefetch 200"
SCHEDULER = "scheduler taskiq_peer:scheduler --log-level ERROR --update-interval 1 --loop-interval 1"


async def start(payload: float) -> None:
    probe.start(payload)


noop = broker.task(task_name="noop")(start)


class TaskiqPeer:
    async def open(self) -> None:
        await broker.startup()
        await source.startup()

    async def setup(self) -> None:
        pass

    async def one(self, payload: float) -> None:
        await noop.kiq(payload)

    async def many(self, payloads: Sequence[float]) -> None:
        for part in chunks(payloads, 50):
            await asyncio.gather(*(noop.kiq(payload) for payload in part))

    async def later(self, payloads: Sequence[float], when: float) -> None:
        due = dt.datetime.fromtimestamp(when, dt.UTC)
        for part in chunks(payloads, 50):
            await asyncio.gather(*(noop.schedule_by_time(source, due, payload) for payload in part))

    def work(self) -> None:
        if os.environ["BENCH_NAME"] == "burst":
            subprocess.Popen([Path(sys.executable).with_name("taskiq"), *SCHEDULER.split()])
        replace_by("taskiq", *WORKER.split(), "--workers", str(PROCESSES))


if __name__ == "__main__":
    main(TaskiqPeer())
