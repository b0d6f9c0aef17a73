"""Generated from mainspring/client/nouns/runs.py by `make client-sync`: do not edit."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Unpack

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.events import Event, list_event_types, publish_event, publish_events
from mainspring.client.nouns.runs import (
    cancel_run,
    cancel_runs,
    get_memory,
    resume_run,
    retry_run,
    suspend_run,
)
from mainspring.client.options import RunFilters
from mainspring.client.transport import requests
from mainspring.contract.checkpoints import RunMemory
from mainspring.contract.events import EventTypePage, Published
from mainspring.contract.runs import AttemptInfo, CancelledRun, LogPage, RunInfo, RunPage


class Runs:
    """The calls of a `Client` about runs and events."""

    _call: SyncCall

    def get(self, run: str) -> RunInfo:
        return self._call(requests.get_run(run))

    def list(self, *, limit: int = 50, cursor: str | None = None, **filters: Unpack[RunFilters]) -> RunPage:
        """A page of runs, newest first unless `oldest_first`; it may be short, and goes on as long as it has a `next`."""
        return self._call(requests.list_runs(limit=limit, cursor=cursor, **filters))

    def iterate(self, *, page: int = 100, **filters: Unpack[RunFilters]) -> Iterator[RunInfo]:
        """All runs that match, fetched so many at a time."""
        cursor: str | None = None
        while True:
            found = self.list(limit=page, cursor=cursor, **filters)
            yield from found.runs
            if (cursor := found.next) is None:
                return

    def logs(self, run: str, *, after: int = 0) -> LogPage:
        return self._call(requests.list_logs(run, after=after))

    def publish(self, type: str, data: Any = None, *, id: str | None = None) -> Published:  # noqa: A002 the API's words
        """Tell that something has happened: each trigger that waits for it gets a run."""
        return self._call(publish_event(Event(type, {} if data is None else data, id)))

    def publish_many(self, events: Iterable[Event]) -> Published:
        """Tell up to 1,000 events, all of them or none."""
        return self._call(publish_events(tuple(events)))

    def event_types(self, *, limit: int = 50, cursor: str | None = None) -> EventTypePage:
        """The types of events that were told, and how often."""
        return self._call(list_event_types(limit=limit, cursor=cursor))

    def attempts(self, run: str) -> tuple[AttemptInfo, ...]:
        return tuple((self._call(requests.list_attempts(run))).attempts)

    def cancel(self, run: str, *, reason: str = "", children: bool = False) -> RunInfo:
        """Cancel a run; one that is running is still `running` in the answer, with the reason `cancelling`.

        With `children`, also what its handler asked for, and what theirs did. Raises ConflictError, without `children`, if it
        has ended otherwise before.
        """
        return self._call(cancel_run(run, reason=reason, children=children))

    def cancel_many(self, runs: Iterable[str], *, reason: str = "") -> tuple[CancelledRun, ...]:
        """Cancel many, and say of each what became of it."""
        requested = cancel_runs(tuple(runs), reason=reason)
        return tuple([each for request in requested for each in self._call(request)])

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
        return self._call(retry_run(run, force=force, reason=reason, input=input))

    def suspend(self, run: str, *, reason: str = "", resume_at: datetime | None = None) -> RunInfo:
        """Set a run aside, until then or until somebody resumes it; one that is running yields at its next checkpoint or step.

        Raises ConflictError if it has ended.
        """
        return self._call(suspend_run(run, reason=reason, resume_at=resume_at))

    def resume(self, run: str, *, reason: str = "") -> RunInfo:
        """Let a suspended run go on from its checkpoint, behind its steps. Raises ConflictError if it is not suspended."""
        return self._call(resume_run(run, reason=reason))

    def memory(self, run: str) -> RunMemory:
        """What a run remembers: its checkpoint, the results of its steps, its effects."""
        return self._call(get_memory(run))
