"""Dramatiq on Redis: eight threads in each process, a high prefetch for short tasks, without results."""
# mypy: disable-error-code="import-not-found,import-untyped"

import os
import time
from collections.abc import Sequence

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from probe import probe_from_environment
from script import PROCESSES, URL, main, replace_by

broker = RedisBroker(url=URL)
dramatiq.set_broker(broker)
PREFETCH = "dramatiq_queue_prefetch"

probe = probe_from_environment()


def start(payload: float) -> None:
    probe.start(payload)


noop = dramatiq.actor(start, actor_name="noop")


class DramatiqPeer:
    async def open(self) -> None:
        broker.client.ping()

    async def setup(self) -> None:
        pass

    async def one(self, payload: float) -> None:
        noop.send(payload)

    async def many(self, payloads: Sequence[float]) -> None:
        for payload in payloads:
            noop.send(payload)

    async def later(self, payloads: Sequence[float], when: float) -> None:
        for payload in payloads:
            noop.send_with_options(args=(payload,), delay=round((when - time.time()) * 1000))

    def work(self) -> None:
        os.environ[PREFETCH] = "1000"
        replace_by("dramatiq", "dramatiq_peer", "--processes", str(PROCESSES), "--threads", "8")


if __name__ == "__main__":
    main(DramatiqPeer())
