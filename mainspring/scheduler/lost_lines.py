"""Lines that a fail-over lost and servers still knew: runs put into them meanwhile go where they belong.

Until a server has read anew, such a run may be claimed for the line that has the number now; its executors hand it back
unless they have a handler of that name. Numbers made of the lines themselves, in both stores and in `line_for`, would end
that; those of jobs are given again in the same way.
"""

from collections.abc import Iterable, Mapping

from mainspring.clock import Clock
from mainspring.domain.jobs.job import Job
from mainspring.domain.queues.line import Line
from mainspring.store.interface import Store

MOVED_MAX = 1_000
# None is under way by the old one after that.
MENDED_FOR = 60.0
"""Seconds for which runs are looked for once a lost line has a number again."""


class LostLines:
    """The lines that were known by a number once, and by that number no more."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._lost: dict[int, Line] = {}
        self._mended_since: dict[int, float] = {}

    def note(self, before: Mapping[int, Line], now: Mapping[int, Line]) -> None:
        self._lost |= {number: line for number, line in before.items() if now.get(number) != line}

    async def mend(
        self, lines: Mapping[int, Line], numbers: Mapping[Line, int], jobs: Mapping[tuple[str, str], Job]
    ) -> None:
        """Move runs to the number that their line has now."""
        for number, line in self._lost.items():
            to, present = numbers.get(line, number), lines.get(number)
            if to == number:
                continue
            self._mended_since.setdefault(number, self._clock.monotonic())
            if present is None and (line.namespace, line.job) not in jobs:
                await self._store.jobs.move_queued(number, to)
            for job in strays(line, present, jobs.values()):
                await self._move_job(job.id, number, to)
        self._forget(self._clock.monotonic() - MENDED_FOR)

    def _forget(self, before: float) -> None:
        for number in [number for number, since in self._mended_since.items() if since < before]:
            del self._mended_since[number], self._lost[number]

    async def _move_job(self, job: int, line: int, to: int) -> None:
        """Move the runs of one job: the number may be another line's by now, which keeps its own."""
        while await self._store.lanes.release(line, job, limit=MOVED_MAX):
            pass
        while await self._store.jobs.move_job(job, line, to, limit=MOVED_MAX):
            pass


def strays(line: Line, present: Line | None, jobs: Iterable[Job]) -> list[Job]:
    """The jobs whose runs a lost line may have had, and the line that has its number now cannot have."""
    if line.job:
        # Of two lines of one job it cannot be told which of them a run was meant for.
        wanted = () if present is not None and present.job == line.job else (line.job,)
        return [job for job in jobs if job.namespace == line.namespace and job.name in wanted]
    if present is None or (not present.job and (present.namespace, present.handler) == (line.namespace, line.handler)):
        # All were moved already, or it cannot be told.
        return []
    place = line.namespace, line.handler
    return [job for job in jobs if (job.namespace, job.spec.handler) == place and not job.own_line]
