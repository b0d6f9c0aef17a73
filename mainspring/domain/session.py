"""What the cluster knows about executor sessions and servers."""

from datetime import datetime
from enum import IntEnum

import msgspec

from mainspring.domain.ids import ServerId, SessionId
from mainspring.domain.job import Pool


class SessionState(IntEnum):
    LIVE = 0
    DRAINING = 1
    DEAD = 2


class PoolSize(msgspec.Struct, frozen=True):
    """Kept alive, at most, and how many attempts may wait for a slot on the executor itself."""

    pool: Pool
    core: int
    max: int
    queue: int

    @property
    def room(self) -> int:
        return self.max + self.queue


class Abilities(msgspec.Struct, frozen=True, kw_only=True):
    """What an executor says it can do."""

    queues: list[str]
    handlers: dict[str, Pool]
    pools: list[PoolSize]
    labels: dict[str, str] = {}
    code_version: str = ""
    host: str = ""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One start of an executor, as the store keeps it."""

    id: SessionId
    namespace: str
    executor: str
    server: ServerId
    state: SessionState
    lease_until: datetime
    abilities: Abilities


class ServerInfo(msgspec.Struct, frozen=True, kw_only=True):
    id: ServerId
    name: str
    lease_until: datetime
