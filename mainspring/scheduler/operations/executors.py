"""Operations on executors: list, cordon, drain, resize."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.cluster.pools import PoolChange, PoolWish, check_wanted
from mainspring.domain.cluster.session import GRACE_MAX, Cordon, PoolSize, Presence, RunOnExecutor
from mainspring.domain.jobs.job import Pool
from mainspring.domain.names import REASON_MAX
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.cluster.resize_pools import ResizePools
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.operations.jobs import check_lines
from mainspring.store.interface import PresenceFilter, Store

HELD_MAX = 100
SESSIONS_MAX = 100


class ExecutorDetail(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of the executors of one name: usually one, for a moment two while it restarts."""

    namespace: str
    executor: str
    cordon: Cordon | None
    sessions: list[Presence]
    runs: list[RunOnExecutor]
    """Some of what they have."""
    more: bool
    """Whether they have more."""
    wanted: Sequence[PoolWish] = ()
    """Sizes that operators want their pools to have."""


class ExecutorOperations:
    """Cordons and sizes of pools are rows: whichever server has the executor finds them, by a hint or by its poll."""

    def __init__(
        self, store: Store, clock: Clock, catalog: Catalog, hints: ExchangeHints, resizing: ResizePools
    ) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints
        self._resizing = resizing

    async def get(self, namespace: str, executor: str) -> ExecutorDetail:
        """Raises NotFoundError unless it is there, has a cordon, or pools of other sizes are wanted for it."""
        query = PresenceFilter(namespace=namespace, executor=executor, limit=SESSIONS_MAX)
        sessions = await self._store.executors.list(query)
        cordon = sessions[0].cordon if sessions else await self._cordon(namespace, executor)
        wanted = await self._wanted(namespace, executor)
        if not sessions and cordon is None and not wanted:
            raise NotFoundError("executor", executor, "none of that name is connected to this namespace")
        held = await self._store.executors.held([one.session.id for one in sessions], limit=HELD_MAX + 1)
        return ExecutorDetail(
            namespace=namespace,
            executor=executor,
            cordon=cordon,
            sessions=sessions,
            runs=held[:HELD_MAX],
            more=len(held) > HELD_MAX,
            wanted=wanted,
        )

    async def resize(
        self, namespace: str, executor: str, sizes: Mapping[Pool, PoolSize | None], *, actor: Actor, reason: str
    ) -> ExecutorDetail:
        """Want other sizes for these pools, across restarts; None: the size that the executor was started with."""
        for size in filter(None, sizes.values()):
            check_wanted(size)
        await self._check_there(namespace, executor, sizes)
        change = PoolChange(
            namespace=namespace,
            executor=executor,
            sizes=sizes,
            reason=check_reason(reason),
            at=self._clock.now(),
        )
        await self._store.executors.resize(change, actor=actor)
        await self._resizing.tick()
        self._hints.add_all()
        return await self._shown(namespace, executor)

    async def cordon(self, namespace: str, executor: str, *, actor: Actor, reason: str) -> ExecutorDetail:
        """Stop sending it new runs, across restarts too; running attempts continue."""
        return await self._hold(namespace, executor, actor=actor, reason=reason, drain_at=None, grace=0.0)

    async def drain(self, namespace: str, executor: str, *, actor: Actor, reason: str, grace: float) -> ExecutorDetail:
        """Cordon it, and let it finish or hand back its attempts within `grace` seconds; it stays connected."""
        if not 0 <= grace <= GRACE_MAX:
            raise InvalidInputError("grace", f"{grace} is outside 0 to {GRACE_MAX:.0f} seconds", code="bad_grace")
        now = self._clock.now()
        return await self._hold(namespace, executor, actor=actor, reason=reason, drain_at=now, grace=grace)

    async def uncordon(self, namespace: str, executor: str, *, actor: Actor, reason: str) -> ExecutorDetail:
        """Let it take work again; nothing changes if it did."""
        check_reason(reason)
        await self._store.executors.uncordon(namespace, executor, actor=actor, reason=reason, now=self._clock.now())
        await self._spread()
        return await self._shown(namespace, executor)

    async def _hold(
        self, namespace: str, executor: str, *, actor: Actor, reason: str, drain_at: datetime | None, grace: float
    ) -> ExecutorDetail:
        cordon = Cordon(
            namespace=namespace,
            executor=executor,
            at=self._clock.now(),
            actor=actor.name,
            reason=check_reason(reason),
            drain_at=drain_at,
            grace=grace,
        )
        await self._store.executors.cordon(cordon, actor=actor)
        await self._spread()
        return await self._shown(namespace, executor)

    async def _spread(self) -> None:
        """Here at once, elsewhere by a hint."""
        await self._catalog.tick()
        self._hints.add_all()

    async def _check_there(self, namespace: str, executor: str, sizes: Mapping[Pool, PoolSize | None]) -> None:
        """Raises InvalidInputError if executors of the name are there, and none of them has one of these pools."""
        query = PresenceFilter(namespace=namespace, executor=executor, limit=SESSIONS_MAX)
        has = {size.pool for one in await self._store.executors.list(query) for size in one.session.abilities.pools}
        for pool in sizes:
            if has and pool not in has:
                there = ", ".join(sorted(has))
                raise InvalidInputError(f"pools.{pool}", f"{executor} has no such pool; it has {there}", code="no_pool")

    async def _wanted(self, namespace: str, executor: str) -> list[PoolWish]:
        wishes = await self._store.executors.pool_wishes()
        return [one for one in wishes if (one.namespace, one.executor) == (namespace, executor)]

    async def _cordon(self, namespace: str, executor: str) -> Cordon | None:
        cordons = await self._store.executors.cordons()
        return next((one for one in cordons if (one.namespace, one.executor) == (namespace, executor)), None)

    async def _shown(self, namespace: str, executor: str) -> ExecutorDetail:
        try:
            return await self.get(namespace, executor)
        except NotFoundError:
            # It has no cordon any more and is not connected: known, but there is nothing to show.
            return ExecutorDetail(namespace=namespace, executor=executor, cordon=None, sessions=[], runs=[], more=False)

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: PresenceFilter) -> list[Presence]:
        """A page of living sessions."""
        return await self._store.executors.list(query)


def check_reason(reason: str) -> str:
    if len(reason) > REASON_MAX:
        raise InvalidInputError("reason", f"needs at most {REASON_MAX} characters", code="bad_reason")
    return check_lines("reason", reason)
