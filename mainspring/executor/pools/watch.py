"""Handlers that wait for other runs in their slots, and pools in which no slot is of use any more."""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping

from mainspring.domain.cluster.session import Stuck
from mainspring.domain.ids import id_text
from mainspring.domain.jobs.job import Pool
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.pools import Slots

log = logging.getLogger(__name__)


class PoolWatch:
    """`note` may be called from any thread."""

    def __init__(self, handlers: Handlers) -> None:
        self._handlers = handlers
        self._warned: set[str] = set()

    def note(self, attempt: Attempt, job: str) -> None:
        """Warn, once per waiting job, if the awaited run needs a slot of the same pool."""
        waiting = attempt.handler.name
        if not self._is_own_pool(attempt, job) or waiting in self._warned:
            return
        self._warned.add(waiting)
        log.warning(
            "handler %s (run %s) waits for a run of %s, which needs a slot of the same pool (%s): as many such waits as "
            "there are slots lock the pool up; give one of the jobs another pool or executor, or do not wait",
            waiting,
            id_text(attempt.run),
            job,
            attempt.handler.pool,
        )

    def find_stuck(self, attempts: Iterable[Attempt], pools: Mapping[Pool, Slots]) -> list[Stuck]:
        """The pools all of whose slots are held by attempts that were given up, or that wait for one of these slots."""
        held = [attempt for attempt in attempts if self._is_own_pool(attempt, attempt.waits_for)]
        waits = Counter(attempt.handler.pool for attempt in held)
        return [
            Stuck(pool, slots.lost, waits[pool])
            for pool, slots in pools.items()
            if 0 < slots.size.max <= slots.lost + waits[pool]
        ]

    def _is_own_pool(self, attempt: Attempt, job: str) -> bool:
        handler = self._handlers.get(job) if job else None
        return handler is not None and handler.pool is attempt.handler.pool
