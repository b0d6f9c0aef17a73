"""Canaries are watched: the runs of both sides side by side, and one that fails too often is stopped."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.jobs.job import Job, JobSpec
from mainspring.domain.queues.rollup import Resolution, Rollup, floor
from mainspring.domain.routing.canary import OTHERS, VERSION, Canary, CanarySide, reason_to_stop
from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.operations.jobs import Expected, JobOperations, Words
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.watch_canaries")

PERIOD = 5.0
"""Seconds between two looks."""
WINDOW = timedelta(hours=1)
"""How far back runs count, if the job has not changed since."""
LOOK = 10_000
"""Live runs of a job that one look is at."""


class CanaryTrial(msgspec.Struct, frozen=True, kw_only=True):
    """A canary with what both sides have had."""

    canary: Canary
    since: datetime
    tried: CanarySide
    others: CanarySide


class WatchCanaries:
    """Every server looks, and only while a job has a canary that may be stopped; the job's version lets one of them do it."""

    name = "watch_canaries"
    period = PERIOD

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, jobs: JobOperations) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._jobs = jobs

    async def tick(self) -> bool:
        for job in list(self._catalog.jobs.values()):
            canary = job.spec.policy.canary
            if canary is not None and canary.stop_above is not None and not canary.stopped:
                reason = reason_to_stop(canary, (await self._look(job, canary)).tried)
                if reason is not None:
                    await self._stop(job, reason)
        return False

    async def trial(self, namespace: str, name: str) -> CanaryTrial:
        """Raises NotFoundError if there is no such job, or it has no canary."""
        job = await self._jobs.get(namespace, name)
        if job.spec.policy.canary is None:
            raise NotFoundError("canary", name, "the job has none")
        return await self._look(job, job.spec.policy.canary)

    async def _look(self, job: Job, canary: Canary) -> CanaryTrial:
        now = self._clock.now()
        since = floor(max(job.updated_at, now - WINDOW), Resolution.MINUTE)
        sides = {VERSION + canary.version, OTHERS + canary.version}
        lines = {
            number: line.address
            for number, line in self._catalog.lines.items()
            if (line.namespace, line.job) == (job.namespace, job.name) and line.address in sides
        }
        rollups = await self._store.queues.rollups(
            Resolution.MINUTE, lines=sorted(lines), since=since, until=now, job=job.id
        )
        retrying = await self._store.jobs.retrying(job.id, sorted(lines), limit=LOOK)
        found = counted(rollups, retrying, lines)
        return CanaryTrial(
            canary=canary, since=since, tried=found[VERSION + canary.version], others=found[OTHERS + canary.version]
        )

    async def _stop(self, job: Job, reason: str) -> None:
        edits = Words(actor=SYSTEM, note=reason)
        try:
            await self._jobs.change(
                job.namespace, job.name, stopped, Expected(versions=frozenset({job.version})), edits
            )
        except (ConflictError, NotFoundError):
            # Another server was faster, or somebody has changed it: the next look is at what there is then.
            self._catalog.wake.set()
        except InvalidInputError as error:
            log.warning("job %s: its definition is refused, so that it goes on: %s; %s", job.name, reason, error)
        else:
            log.warning("job %s: %s", job.name, reason)


def counted(rollups: list[Rollup], retrying: Mapping[int, int], lines: Mapping[int, str]) -> Mapping[str, CanarySide]:
    """The runs of each side, by its address."""
    ended: dict[tuple[str, RunState], int] = defaultdict(int)
    for rollup in rollups:
        ended[lines[rollup.line], rollup.state] += rollup.runs
    live: dict[str, int] = defaultdict(int)
    for line, runs in retrying.items():
        live[lines[line]] += runs
    made = {
        address: CanarySide(
            succeeded=ended[address, RunState.SUCCEEDED], failed=ended[address, RunState.FAILED], retrying=live[address]
        )
        for address in lines.values()
    }
    return defaultdict(CanarySide, made)


def stopped(spec: JobSpec) -> JobSpec:
    """The definition with a canary that gets no more runs."""
    canary = spec.policy.canary
    if canary is None:
        return spec
    policy = msgspec.structs.replace(spec.policy, canary=msgspec.structs.replace(canary, share=0.0))
    return msgspec.structs.replace(spec, policy=policy)
