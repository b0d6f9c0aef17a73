"""Runs: look at them, cancel, retry, suspend and resume them; and publish the events that create some."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from mainspring.client.calls import AsyncCall, Request, ask
from mainspring.client.nouns.events import Event, publish_event, publish_events
from mainspring.client.options import RunFilters
from mainspring.client.transport import requests
from mainspring.client.values import aware
from mainspring.contract.checkpoints import RunMemory
from mainspring.contract.events import EventTypePage, Published
from mainspring.contract.operations import checkpoints, runs
from mainspring.contract.operations.events import LIST_EVENT_TYPES, EventTypeQuery
from mainspring.contract.runs import (
    AttemptInfo,
    CancelledRun,
    CancelledRuns,
    ChangedRuns,
    LogPage,
    RunCount,
    RunInfo,
    RunPage,
)

CHUNK = 1_000


def cancel_runs(wanted: Sequence[str], *, reason: str = "") -> Iterator[Request[CancelledRuns]]:
    """One request for each thousand."""
    for start in range(0, len(wanted), CHUNK):
        body = runs.CancelRunsBody(runs=list(wanted[start : start + CHUNK]), reason=reason)
        yield ask(runs.CANCEL_RUNS, body=body)


def change_runs(wanted: Sequence[str], **change: Any) -> Iterator[Request[ChangedRuns]]:
    """One request for each thousand."""
    # Bulk operations know backfills, and so cron: too heavy for a process that only defines jobs.
    from mainspring.contract.operations import bulk  # noqa: PLC0415

    for start in range(0, len(wanted), CHUNK):
        body = bulk.ChangeRunsBody(runs=list(wanted[start : start + CHUNK]), **change)
        yield ask(bulk.CHANGE_RUNS, body=body)


class AsyncRuns:
    """The calls of an `AsyncClient` about runs and events."""

    _call: AsyncCall

    async def get(self, run: str) -> RunInfo:
        return await self._call(requests.get_run(run))

    async def list(self, *, limit: int = 50, cursor: str | None = None, **filters: Unpack[RunFilters]) -> RunPage:
        """A page of runs, newest first unless `oldest_first`; it may be short, and goes on as long as it has a `next`."""
        return await self._call(requests.list_runs(limit=limit, cursor=cursor, **filters))

    async def count(self, q: str = "") -> RunCount:
        """How many of the newest 500 runs match a query, by state."""
        return await self._call(ask(runs.COUNT_RUNS, query=runs.CountQuery(q=q)))

    async def iterate(self, *, page: int = 100, **filters: Unpack[RunFilters]) -> AsyncIterator[RunInfo]:
        """All runs that match, fetched so many at a time."""
        cursor: str | None = None
        while True:
            found = await self.list(limit=page, cursor=cursor, **filters)
            for run in found.runs:
                yield run
            if (cursor := found.next) is None:
                return

    async def logs(self, run: str, *, after: int = 0) -> LogPage:
        return await self._call(ask(runs.LIST_LOGS, run, query=runs.LogQuery(after=after)))

    async def publish(self, type: str, data: Any = None, *, id: str | None = None) -> Published:  # noqa: A002 the API's words
        """Publish an event: each trigger that matches it gets a run."""
        return await self._call(publish_event(Event(type, {} if data is None else data, id)))

    async def publish_many(self, events: Iterable[Event]) -> Published:
        """Publish up to 1,000 events, all of them or none."""
        return await self._call(publish_events(tuple(events)))

    async def event_types(self, *, limit: int = 50, cursor: str | None = None) -> EventTypePage:
        """The types of published events, with their counts."""
        query = EventTypeQuery(limit=limit, cursor=cursor or "")
        return await self._call(ask(LIST_EVENT_TYPES, query=query))

    async def attempts(self, run: str) -> tuple[AttemptInfo, ...]:
        return tuple((await self._call(ask(runs.LIST_ATTEMPTS, run))).attempts)

    async def cancel(self, run: str, *, reason: str = "", children: bool = False) -> RunInfo:
        """Cancel a run; one that is running is still `running` in the answer, with the reason `cancelling`.

        With `children`, also cancel its children, and theirs. Raises ConflictError, without `children`, if the run has ended
        otherwise before.
        """
        return await self._call(ask(runs.CANCEL_RUN, run, body=runs.CancelBody(reason=reason, children=children)))

    async def cancel_many(self, runs: Iterable[str], *, reason: str = "") -> tuple[CancelledRun, ...]:
        """Cancel many runs; returns the result of each."""
        requests = cancel_runs(tuple(runs), reason=reason)
        return tuple([each for request in requests for each in (await self._call(request)).runs])

    async def change(
        self,
        runs: Iterable[str],
        *,
        priority: int | None = None,
        due_at: datetime | None = None,
        queue: str | None = None,
        reason: str = "",
    ) -> tuple[str, ...]:
        """Give runs that have not started another priority, due time or queue; returns those that were changed."""
        due = None if due_at is None else aware(due_at, "due_at")
        requests = change_runs(tuple(runs), priority=priority, due_at=due, queue=queue, reason=reason)
        return tuple([each for request in requests for each in (await self._call(request)).runs])

    async def retry(
        self,
        run: str,
        *,
        force: bool = False,
        reason: str = "",
        input: Mapping[str, Any] | None = None,  # noqa: A002 the word of the API
    ) -> RunInfo:
        """Have a run that has ended run again, now, with another input if given; after a success only by force.

        Raises ConflictError.
        """
        body = {"force": force, "reason": reason} | ({} if input is None else {"input": input})
        return await self._call(ask(runs.RETRY_RUN, run, body=body))

    async def suspend(self, run: str, *, reason: str = "", resume_at: datetime | None = None) -> RunInfo:
        """Suspend a run until `resume_at`, or until an operator resumes it; a running one stops at its next checkpoint or step.

        Raises ConflictError if it has ended.
        """
        body = checkpoints.SuspendBody(
            reason=reason, resume_at=None if resume_at is None else aware(resume_at, "resume_at")
        )
        return await self._call(ask(checkpoints.SUSPEND_RUN, run, body=body))

    async def resume(self, run: str, *, reason: str = "") -> RunInfo:
        """Let a suspended run go on from its checkpoint, behind its steps. Raises ConflictError if it is not suspended."""
        return await self._call(ask(checkpoints.RESUME_RUN, run, body=checkpoints.ResumeRunBody(reason=reason)))

    async def memory(self, run: str) -> RunMemory:
        """Get the checkpoint of a run, the results of its steps, and its effects."""
        return await self._call(ask(checkpoints.GET_MEMORY, run))
