"""Sizes of an executor's pools: the bounds of each, and the sizes that operators want."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.errors import InvalidInputError

ROOM_MAX = 1_000_000
"""Attempts that a pool may hold."""
# A thread or a child process costs the executor's machine something.
SLOTS_MAX = {Pool.LOOP: ROOM_MAX, Pool.THREADS: 10_000, Pool.PROCESSES: 1_000}
"""Slots that operators may ask for."""


class PoolWish(msgspec.Struct, frozen=True, kw_only=True):
    """The size that operators want a pool of the executors of a name to have, instead of the one they were started with."""

    namespace: str
    executor: str
    pool: Pool
    core: int
    max: int
    queue: int
    at: datetime
    actor: str
    reason: str = ""

    @property
    def size(self) -> PoolSize:
        return PoolSize(self.pool, self.core, self.max, self.queue)


class PoolChange(msgspec.Struct, frozen=True, kw_only=True):
    """Pools of an executor with the sizes wanted from now on; None: the size that it was started with."""

    namespace: str
    executor: str
    sizes: Mapping[Pool, PoolSize | None]
    reason: str
    at: datetime

    def wishes(self, actor: Actor) -> list[PoolWish]:
        """The wishes that it makes, in one order for all writers."""
        made = [size for _, size in sorted(self.sizes.items()) if size is not None]
        return [
            PoolWish(
                namespace=self.namespace,
                executor=self.executor,
                at=self.at,
                actor=actor.name,
                reason=self.reason,
                **msgspec.structs.asdict(size),
            )
            for size in made
        ]


def check_bounds(size: PoolSize) -> None:
    """Raises InvalidInputError unless an executor may say that a pool of its own has this size."""
    if min(size.core, size.max, size.queue) < 0 or size.room > ROOM_MAX or size.core > ROOM_MAX:
        raise bad_pools(size, f"outside 0 to {ROOM_MAX} attempts")


def check_wanted(size: PoolSize) -> None:
    """Raises InvalidInputError unless operators may want this size."""
    most = SLOTS_MAX[size.pool]
    if not 0 <= size.core <= size.max:
        raise bad_pools(size, "where 0 <= core <= max has to hold", field=f"pools.{size.pool}.core")
    if not 1 <= size.max <= most:
        # A pool without slots would keep its runs for ever: that is what a cordon is for, which `why` names.
        raise bad_pools(size, f"outside 1 to {most} slots", field=f"pools.{size.pool}.max")
    if not 0 <= size.queue <= ROOM_MAX - size.max:
        raise bad_pools(size, f"outside 0 to {ROOM_MAX} attempts in all", field=f"pools.{size.pool}.queue")


def bad_pools(size: PoolSize, reason: str, *, field: str = "pools") -> InvalidInputError:
    return InvalidInputError(field, f"{size.pool} has {size.core}:{size.max}:{size.queue}, {reason}", code="bad_pools")


def pools_entry(change: PoolChange, actor: Actor) -> AuditEntry:
    """The audit log's entry for a change of pools."""
    sizes = {
        pool.value: None if size is None else [size.core, size.max, size.queue] for pool, size in change.sizes.items()
    }
    return audit_entry(
        "executor.resize",
        "executor",
        change.executor,
        {"reason": change.reason, "pools": sizes},
        namespace=change.namespace,
        actor=actor,
        at=change.at,
    )
