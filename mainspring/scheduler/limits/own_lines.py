"""Queued runs follow their job into a line of its own."""

import asyncio

from msgspec.structs import replace

from mainspring.domain.queues.line import JOB_ANY
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Facts, RunsQueued
from mainspring.store.interface import Store

MOVED_MAX = 1_000
"""Runs that one statement moves, so that none waits long for their rows."""


class MoveToOwnLines:
    """Moves runs that were accepted before their job got lines of its own, or by a server that had not heard of it."""

    name = "move_to_own_lines"
    period = 10.0

    def __init__(self, store: Store, catalog: Catalog, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._catalog = catalog
        self._facts = facts
        self._seen: set[int] = set()
        facts.subscribe(CatalogChanged, self._changed)

    def _changed(self, _: CatalogChanged) -> None:
        """Wake for jobs that are new among those with lines of their own; the others wait for the next look."""
        own = {job.id for job in self._catalog.jobs.values() if job.own_line}
        if own - self._seen:
            self.wake.set()
        self._seen = own

    async def tick(self) -> bool:
        for job in [job for job in self._catalog.jobs.values() if job.own_line]:
            shared = [
                (number, line)
                for number, line in self._catalog.lines.items()
                if line.namespace == job.namespace and line.handler == job.spec.handler and line.job == JOB_ANY
            ]
            await self._catalog.make_lines(replace(line, job=job.name) for _, line in shared)
            for number, line in shared:
                await self._move(job.id, number, self._catalog.numbers[replace(line, job=job.name)])
        return False

    async def _move(self, job: int, line: int, to: int) -> None:
        moved = MOVED_MAX
        while moved == MOVED_MAX:
            moved = await self._store.jobs.move_job(job, line, to, limit=MOVED_MAX)
            if moved:
                self._facts.publish(RunsQueued([to]))
