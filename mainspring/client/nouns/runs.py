"""Runs: look at them, cancel, retry, suspend and resume them; and publish the events that create some."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

import msgspec

from mainspring.client.calls import AsyncCall, part
from mainspring.client.nouns.events import Event, list_event_types, publish_event, publish_events
from mainspring.client.options import RunFilters
from mainspring.client.transport import requests
from mainspring.client.transport.requests import Request
from mainspring.client.values import instant_text, json_bytes
from mainspring.contract.checkpoints import RunMemory
from mainspring.contract.events import EventTypePage, Published
from mainspring.contract.runs import AttemptInfo, CancelledRun, CancelledRuns, LogPage, RunInfo, RunPage

PATH = "/api/v1/runs"
CHUNK = 1_000


def cancel_run(run: str, *, reason: str = "", children: bool = False) -> Request[RunInfo]:
    said = {"reason": reason, "children": children}
    return Request("POST", f"{PATH}/{part(run)}/cancel", _run, body=json_bytes(said), repeatable=True)


def cancel_runs(runs: Sequence[str], *, reason: str = "") -> Iterator[Request[list[CancelledRun]]]:
    """One request for each thousand."""
    for start in range(0, len(runs), CHUNK):
        body = json_bytes({"runs": runs[start : start + CHUNK], "reason": reason})
        yield Request("POST", f"{PATH}/cancel", _cancelled, body=body, repeatable=True)


def retry_run(
    run: str,
    *,
    force: bool = False,
    reason: str = "",
    input: Mapping[str, Any] | None = None,  # noqa: A002 the word of the API
) -> Request[RunInfo]:
    said = {"force": force, "reason": reason} | ({} if input is None else {"input": input})
    return Request("POST", f"{PATH}/{part(run)}/retry", _run, body=json_bytes(said))


def suspend_run(run: str, *, reason: str = "", resume_at: datetime | None = None) -> Request[RunInfo]:
    body = json_bytes({"reason": reason, "resume_at": instant_text(resume_at, "resume_at")})
    return Request("POST", f"{PATH}/{part(run)}/suspend", _run, body=body)


def resume_run(run: str, *, reason: str = "") -> Request[RunInfo]:
    return Request("POST", f"{PATH}/{part(run)}/resume", _run, body=json_bytes({"reason": reason}))


def get_memory(run: str) -> Request[RunMemory]:
    return Request("GET", f"{PATH}/{part(run)}/memory", _memory)


class AsyncRuns:
    """The calls of an `AsyncClient` about runs and events."""

    _call: AsyncCall

    async def get(self, run: str) -> RunInfo:
        return await self._call(requests.get_run(run))

    async def list(self, *, limit: int = 50, cursor: str | None = None, **filters: Unpack[RunFilters]) -> RunPage:
        """A page of runs, newest first unless `oldest_first`; it may be short, and goes on as long as it has a `next`."""
        return await self._call(requests.list_runs(limit=limit, cursor=cursor, **filters))

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
        return await self._call(requests.list_logs(run, after=after))

    async def publish(self, type: str, data: Any = None, *, id: str | None = None) -> Published:  # noqa: A002 the API's words
        """Tell that something has happened: each trigger that waits for it gets a run."""
        return await self._call(publish_event(Event(type, {} if data is None else data, id)))

    async def publish_many(self, events: Iterable[Event]) -> Published:
        """Tell up to 1,000 events, all of them or none."""
        return await self._call(publish_events(tuple(events)))

    async def event_types(self, *, limit: int = 50, cursor: str | None = None) -> EventTypePage:
        """The types of events that were told, and how often."""
        return await self._call(list_event_types(limit=limit, cursor=cursor))

    async def attempts(self, run: str) -> tuple[AttemptInfo, ...]:
        return tuple((await self._call(requests.list_attempts(run))).attempts)

    async def cancel(self, run: str, *, reason: str = "", children: bool = False) -> RunInfo:
        """Cancel a run; one that is running is still `running` in the answer, with the reason `cancelling`.

        With `children`, also what its handler asked for, and what theirs did. Raises ConflictError, without `children`, if it
        has ended otherwise before.
        """
        return await self._call(cancel_run(run, reason=reason, children=children))

    async def cancel_many(self, runs: Iterable[str], *, reason: str = "") -> tuple[CancelledRun, ...]:
        """Cancel many, and say of each what became of it."""
        requested = cancel_runs(tuple(runs), reason=reason)
        return tuple([each for request in requested for each in await self._call(request)])

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
        return await self._call(retry_run(run, force=force, reason=reason, input=input))

    async def suspend(self, run: str, *, reason: str = "", resume_at: datetime | None = None) -> RunInfo:
        """Set a run aside, until then or until somebody resumes it; one that is running yields at its next checkpoint or step.

        Raises ConflictError if it has ended.
        """
        return await self._call(suspend_run(run, reason=reason, resume_at=resume_at))

    async def resume(self, run: str, *, reason: str = "") -> RunInfo:
        """Let a suspended run go on from its checkpoint, behind its steps. Raises ConflictError if it is not suspended."""
        return await self._call(resume_run(run, reason=reason))

    async def memory(self, run: str) -> RunMemory:
        """What a run remembers: its checkpoint, the results of its steps, its effects."""
        return await self._call(get_memory(run))


_run = msgspec.json.Decoder(RunInfo).decode
_memory = msgspec.json.Decoder(RunMemory).decode
_decode_cancelled = msgspec.json.Decoder(CancelledRuns).decode


def _cancelled(content: bytes) -> list[CancelledRun]:
    return _decode_cancelled(content).runs
