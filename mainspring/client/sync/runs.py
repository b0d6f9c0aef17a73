"""Generated from mainspring/client/nouns/runs.py by `make client-sync`: do not edit."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Unpack

from mainspring.client.calls import SyncCall, ask
from mainspring.client.nouns.events import Event, publish_event, publish_events
from mainspring.client.nouns.runs import cancel_runs, change_runs
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
    LogPage,
    RunCount,
    RunInfo,
    RunPage,
)


class Runs:
    """The calls of a `Client` about runs and events."""

    _call: SyncCall

    def get(self, run: str) -> RunInfo:
        return self._call(requests.get_run(run))

    def list(self, *, limit: int = 50, cursor: str | None = None, **filters: Unpack[RunFilters]) -> RunPage:
        """A page of runs, newest first unless `oldest_first`; it may be short, and goes on as long as it has a `next`."""
        return self._call(requests.list_runs(limit=limit, cursor=cursor, **filters))

    def count(self, q: str = "") -> RunCount:
        """How many of the newest 500 runs match a query, by state."""
        return self._call(ask(runs.COUNT_RUNS, query=runs.CountQuery(q=q)))

    def iterate(self, *, page: int = 100, **filters: Unpack[RunFilters]) -> Iterator[RunInfo]:
        """All runs that match, fetched so many at a time."""
        cursor: str | None = None
        while True:
            found = self.list(limit=page, cursor=cursor, **filters)
            yield from found.runs
            if (cursor := found.next) is None:
                return

    def logs(self, run: str, *, after: int = 0) -> LogPage:
        return self._call(ask(runs.LIST_LOGS, run, query=runs.LogQuery(after=after)))

    def publish(self, type: str, data: Any = None, *, id: str | None = None) -> Published:  # noqa: A002 the API's words
        """Publish an event: each trigger that matches it gets a run."""
        return self._call(publish_event(Event(type, {} if data is None else data, id)))

    def publish_many(self, events: Iterable[Event]) -> Published:
        """Publish up to 1,000 events, all of them or none."""
        return self._call(publish_events(tuple(events)))

    def event_types(self, *, limit: int = 50, cursor: str | None = None) -> EventTypePage:
        """The types of published events, with their counts."""
        query = EventTypeQuery(limit=limit, cursor=cursor or "")
        return self._call(ask(LIST_EVENT_TYPES, query=query))

    def attempts(self, run: str) -> tuple[AttemptInfo, ...]:
        return tuple((self._call(ask(runs.LIST_ATTEMPTS, run))).attempts)

    def cancel(self, run: str, *, reason: str = "", children: bool = False) -> RunInfo:
        """Cancel a run; one that is running is still `running` in the answer, with the reason `cancelling`.

        With `children`, also cancel its children, and theirs. Raises ConflictError, without `children`, if the run has ended
        otherwise before.
        """
        return self._call(ask(runs.CANCEL_RUN, run, body=runs.CancelBody(reason=reason, children=children)))

    def cancel_many(self, runs: Iterable[str], *, reason: str = "") -> tuple[CancelledRun, ...]:
        """Cancel many runs; returns the result of each."""
        requests = cancel_runs(tuple(runs), reason=reason)
        return tuple([each for request in requests for each in (self._call(request)).runs])

    def change(
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
        return tuple([each for request in requests for each in (self._call(request)).runs])

    def retry(
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
        return self._call(ask(runs.RETRY_RUN, run, body=body))

    def suspend(self, run: str, *, reason: str = "", resume_at: datetime | None = None) -> RunInfo:
        """Suspend a run until `resume_at`, or until an operator resumes it; a running one stops at its next checkpoint or step.

        Raises ConflictError if it has ended.
        """
        body = checkpoints.SuspendBody(
            reason=reason, resume_at=None if resume_at is None else aware(resume_at, "resume_at")
        )
        return self._call(ask(checkpoints.SUSPEND_RUN, run, body=body))

    def resume(self, run: str, *, reason: str = "") -> RunInfo:
        """Let a suspended run go on from its checkpoint, behind its steps. Raises ConflictError if it is not suspended."""
        return self._call(ask(checkpoints.RESUME_RUN, run, body=checkpoints.ResumeRunBody(reason=reason)))

    def memory(self, run: str) -> RunMemory:
        """Get the checkpoint of a run, the results of its steps, and its effects."""
        return self._call(ask(checkpoints.GET_MEMORY, run))
