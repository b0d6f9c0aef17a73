"""Job definitions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.jobs.definition import Approve, Revise
from mainspring.domain.jobs.job import NOBODY, Job, JobSpec, JobVersion, Speaker
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.pause import Pause


class JobFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which jobs to list, by name; `after` is the last one on the page before."""

    namespace: str
    prefix: str = ""
    queue: str | None = None
    handler: str | None = None
    after: str = ""
    limit: int = 50


class JobStore(Protocol):
    """Job definitions with their versions, and the lines their runs stand in.

    Every version is made in one transaction with the definition it changes and an audit entry. The numbers of a name's
    versions grow without a gap, however many callers make them and however often the job was deleted meanwhile.
    """

    async def register(
        self, namespace: str, specs: Sequence[JobSpec], *, by: Speaker = NOBODY, now: datetime
    ) -> list[Job]:
        """Register the jobs of an executor's code; return them as they now are, in the order given.

        What follows from it is the rule of `adopt_code` in `domain/jobs/definition.py`.
        """

    async def define(
        self,
        namespace: str,
        name: str,
        revise: Revise,
        *,
        act: str,
        actor: Actor,
        note: str,
        now: datetime,
        owner: str | None = None,
    ) -> Job:
        """Give the job the definition that `revise` returns for the present one (None: there is no such job).

        No other caller can change it in between. What `revise` raises is raised, and nothing is changed. An equal definition
        makes no version. With an owner, it is that owner's, as applied, from then on.
        """

    async def delete(
        self, namespace: str, name: str, approve: Approve, *, actor: Actor, note: str, now: datetime
    ) -> None:
        """Take the job away, unless `approve` raises; history that names it keeps its name.

        Raises `ConflictError` while it has live runs, and changes nothing then.
        """

    async def all(self) -> list[Job]:
        """Every job, deleted ones too: a run accepted in the moment of deletion has its policies still."""

    async def get(self, namespace: str, name: str) -> Job | None:
        """The job as it is now; None if there is none, or none any more."""

    async def versions(self, job: int, *, before: int | None, limit: int) -> list[JobVersion]:
        """The versions of a job, newest first, behind the one with the number `before`."""

    async def version(self, job: int, number: int) -> JobVersion | None: ...

    async def lines(self, lines: Sequence[Line]) -> list[int]:
        """The number of each line, made on first use and never reused."""

    async def all_lines(self) -> dict[int, Line]: ...

    async def move_queued(self, line: int, to: int) -> None:
        """Move queued runs from a line that a fail-over lost, and into which runs came all the same."""

    async def move_job(self, job: int, line: int, to: int, *, limit: int) -> int:
        """Move some queued runs of a job into another line; return how many: fewer than `limit` if none is left."""

    async def pause(self, namespace: str, name: str, pause: Pause, *, entry: AuditEntry) -> Job | None:
        """Pause the job, which has lines of its own from then on; None, and nothing audited, if there is no such job.

        One that was paused before stays so since then, with the new reason.
        """

    async def resume(self, namespace: str, name: str, *, entry: AuditEntry) -> Job | None:
        """End a pause; audited only if there was one. None if there is no such job."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: JobFilter) -> list[Job]:
        """A page of jobs in the order of their names."""

    async def retrying(self, job: int, lines: Sequence[int], *, limit: int) -> dict[int, int]:
        """By line, the job's runs there that are not over and have failed so far; at most `limit` runs are looked at."""
