"""Drains a backlog as the peers' drains are measured: the same probe, the same pauses, the store's own word at the end."""

import time
from typing import Protocol

from bench.servers import Servers
from bench.starts import count_starts, first_start
from bench.systems.mainspring_installation import Executor, Installation
from bench.systems.mainspring_store import Reader, Store, count_succeeded

PAUSE = 0.01
PATIENCE = 60.0


class Drainable(Protocol):
    """What the benches that only Mainspring has need to know of a configuration."""

    name: str
    app: str
    pool: str
    servers: Servers | None

    @property
    def details(self) -> dict[str, object]: ...

    @property
    def here(self) -> Installation: ...

    def open_another(self, name: str, store: Store | None = None) -> Installation: ...

    def renew(self, part: str) -> Installation: ...


class DrainError(Exception):
    """The store does not agree that all runs succeeded."""


def wait_until_drained(here: Installation, executor: Executor, reader: Reader, *, question: str, count: int) -> float:
    """Seconds from the first start until the store says that nothing is left."""

    def drained() -> bool:
        return count_starts(executor.probe) >= count and not reader.value(question)

    deadline = time.monotonic() + PATIENCE + count / 1000
    while not drained():
        if time.monotonic() > deadline:
            here.check_alive()
            raise DrainError(f"only {count_starts(executor.probe)} of {count} runs were done in time\n{here.log()}")
        time.sleep(PAUSE)
    return time.monotonic() - first_start(executor.probe)


def check_history(here: Installation, reader: Reader, *, expected: int) -> None:
    found = reader.value(count_succeeded(here.store))
    if found != expected:
        raise DrainError(f"history has {found} succeeded runs instead of {expected}")
