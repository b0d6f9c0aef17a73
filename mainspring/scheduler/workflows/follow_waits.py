"""Steps that wait go on: when their time has come, their event is published, or enough people have approved."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.waits.wait import EVENT, LOOK_BACK_MAX
from mainspring.domain.workflows.graph import graph_of
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import Facts, FlowsMoved, RunsChanged, RunsSettled
from mainspring.settings import SchedulerSettings
from mainspring.store.aside import blames_a_row
from mainspring.store.interface import Store

BATCH = 500
TOLD_MAX = 10_000
"""Earlier events that one wait is compared with."""
FORGET_PERIOD = 600.0


class FollowWaits:
    """Any server may do it, and all may at once: a wait ends with its row, and a row is deleted once."""

    name = "follow_waits"

    def __init__(self, store: Store, settings: SchedulerSettings, clock: Clock, catalog: Catalog, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = self._poll = settings.poll
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._facts = facts
        self._version = -1
        self._kept: frozenset[tuple[str, str]] = frozenset()
        self._forget_at = 0.0
        facts.subscribe(FlowsMoved, self._moved)

    def _moved(self, moved: FlowsMoved) -> None:
        if any(move.waits for move in moved.moves):
            self.wake.set()

    async def tick(self) -> bool:
        # Also once the last workflow is deleted: its rows would stay for good.
        await self._forget()
        if not self._catalog.has_workflows:
            return False
        now = self._clock.now()
        slept = await self._store.waits.due(now=now, limit=BATCH)
        ended = await self.finish(dict.fromkeys(slept, b"null"))
        looked = await self._look_back()
        due = await self._store.waits.next_wake()
        # One that is due and has not ended cannot end at present: it is tried again at the usual pace.
        stuck = due is not None and due <= now and not ended
        left = self._poll if due is None or stuck else (due - self._clock.now()).total_seconds()
        self.period = min(self._poll, max(0.001, left))
        return bool(ended) or looked

    async def finish(self, results: dict[RunId, bytes]) -> list[RunId]:
        """End waits, and have their workflow runs moved; those that had not ended before."""
        ended = await self._end(results) if results else []
        self.announce(ended)
        return ended

    async def _end(self, results: dict[RunId, bytes]) -> list[RunId]:
        """A run that the database cannot move is named, and the others end without it."""
        now = self._clock.now()
        try:
            return await self._store.waits.finish(results, now=now)
        except Exception as error:
            if not blames_a_row(error):
                raise
            runs = list(results)
            if len(runs) == 1:
                self._store.aside.pass_over("runs", id_text(runs[0]), error, now)
                return []
            middle = len(runs) // 2
            halves = [{run: results[run] for run in half} for half in (runs[:middle], runs[middle:])]
            return [run for half in halves for run in await self._end(half)]

    def announce(self, ended: Sequence[RunId]) -> None:
        if ended:
            self._facts.publish(RunsSettled(ended))
            self._facts.publish(RunsChanged(ended))

    async def publish(self, namespace: str, events: Sequence[tuple[str, bytes]]) -> list[int]:
        """Have the waits for these events, by type and data, end; how many of each."""
        if not self._catalog.has_workflows and not self._looked_back:
            return []
        # Events are kept before waits are looked for, and waits begin before they look back: the later one sees the other.
        kept = [event for event in events if (namespace, event[0]) in self._looked_back]
        if kept:
            await self._store.waits.tell(namespace, kept, now=self._clock.now())
        return [await self._end_all(namespace, name, data) for name, data in events]

    async def _end_all(self, namespace: str, name: str, data: bytes) -> int:
        count = 0
        before: list[RunId] = []
        # Some may have ended otherwise, and some cannot end at present: these are found again.
        while (waiting := await self._store.waits.waiting_for(namespace, name, data, limit=BATCH)) != before:
            count += len(await self.finish(dict.fromkeys(waiting, data)))
            before = waiting
        return count

    async def _look_back(self) -> bool:
        found = await self._store.waits.unlooked(limit=BATCH)
        for wait in found:
            data = await self._store.waits.look_back(wait, limit=TOLD_MAX)
            if data is not None:
                await self.finish({wait.run: data})
        return len(found) == BATCH

    async def _forget(self) -> None:
        if self._clock.monotonic() >= self._forget_at:
            self._forget_at = self._clock.monotonic() + FORGET_PERIOD
            await self._store.waits.forget(before=self._clock.now() - timedelta(seconds=LOOK_BACK_MAX))

    @property
    def _looked_back(self) -> frozenset[tuple[str, str]]:
        """Namespaces and types of the events that some definition looks back for."""
        if self._version != self._catalog.version:
            self._version = self._catalog.version
            self._kept = frozenset(
                (job.namespace, step.wait.type)
                for job in self._catalog.jobs.values()
                if job.spec.workflow
                for step in graph_of(job.spec.workflow).steps
                if step.wait is not None and step.wait.kind == EVENT and step.wait.look_back
            )
        return self._kept
