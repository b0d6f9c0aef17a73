"""Huey on SQLite: write-ahead log, fsync off as its documentation offers for speed, without results."""
# mypy: disable-error-code="import-not-found,import-untyped"

import datetime as dt
from collections.abc import Sequence
from urllib.parse import urlparse

from huey import SqliteHuey
from probe import probe_from_environment
from script import PROCESSES, URL, main, replace_by

huey = SqliteHuey("bench", filename=urlparse(URL).path, results=False, fsync=False)
probe = probe_from_environment()


def start(payload: float) -> None:
    probe.start(payload)


noop = huey.task(name="noop")(start)

CONSUMER = "huey_peer.huey --no-periodic --quiet --delay 0.01 --max-delay 0.1 --scheduler-interval 1"


class HueyPeer:
    async def open(self) -> None:
        pass

    async def setup(self) -> None:
        pass

    async def one(self, payload: float) -> None:
        noop(payload)

    async def many(self, payloads: Sequence[float]) -> None:
        for payload in payloads:
            noop(payload)

    async def later(self, payloads: Sequence[float], when: float) -> None:
        eta = dt.datetime.fromtimestamp(when, dt.UTC)
        for payload in payloads:
            noop.schedule((payload,), eta=eta)

    def work(self) -> None:
        replace_by("huey_consumer", *CONSUMER.split(), "--worker-type", "process", "--workers", str(PROCESSES))


if __name__ == "__main__":
    # Huey names a task after its module, which must be the same here as in its consumer.
    from huey_peer import HueyPeer as PeerOfModule

    main(PeerOfModule())
