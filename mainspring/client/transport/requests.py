"""Runs to ask for, and the requests that do it, without I/O."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Unpack

import msgspec

from mainspring.client.calls import Request, ask
from mainspring.client.options import RunFilters, RunOptions
from mainspring.client.values import aware, encode, finite, instant_text, refuse_unknown, seconds_of, words_of
from mainspring.contract.operations import runs
from mainspring.contract.runs import AcceptedRun, AcceptedRuns, RunInfo, RunPage
from mainspring.domain.ids import id_text
from mainspring.domain.routing.route import Route
from mainspring.domain.runs.current import current_run
from mainspring.telemetry.spans import traceparent

CHUNK = 5_000
CREATE_MANY = runs.CREATE_RUNS.answering(AcceptedRuns)
TOGETHER = {
    "due_at": ("due_at", "delay"),
    "delay": ("due_at", "delay"),
    "deadline": ("deadline", "deadline_in"),
    "retry_safe": ("key",),
}
"""Options that are one thing said in two ways."""


class Enqueue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run to ask for; options left out come from the job."""

    job: str
    input: msgspec.Raw | Mapping[str, Any] = {}
    queue: str | None = None
    executor: str | None = None
    route: Route | None = None
    priority: int | None = None
    due_at: datetime | None = None
    delay: float | None = None
    """Seconds."""
    key: str | None = None
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    deadline: datetime | None = None
    deadline_in: float | None = None
    """Seconds from when it is accepted."""
    start_within: float | None = None
    """Seconds from when it is due."""
    parent: str | msgspec.UnsetType | None = msgspec.UNSET
    """The run whose handler asks; left out, it is the one whose handler is running here, and None: nobody's."""
    traceparent: str | None = None
    """The W3C context of the span that asks; left out, it is the current one, if it is sampled."""

    def __post_init__(self) -> None:
        for field in ("priority", "delay", "deadline_in", "start_within"):
            finite(getattr(self, field), field)
        if self.due_at is not None:
            aware(self.due_at, "due_at")
        if self.deadline is not None:
            aware(self.deadline, "deadline")

    def replace(self, **chosen: Unpack[RunOptions]) -> "Enqueue":
        """The same run, with these options instead."""
        fresh = new_enqueue(self.job, **chosen)
        fields = {field for name in chosen for field in TOGETHER.get(name, (name,))}
        return msgspec.structs.replace(self, **{field: getattr(fresh, field) for field in fields})


def new_enqueue(
    job: str,
    input: Mapping[str, Any] | msgspec.Raw | None = None,  # noqa: A002 the word of the API
    *,
    queue: str | None = None,
    executor: str | None = None,
    route: Route | str | None = None,
    priority: int | None = None,
    due_at: datetime | None = None,
    delay: float | timedelta | None = None,
    key: str | None = None,
    retry_safe: bool = False,
    labels: Mapping[str, str] | None = None,
    tags: Iterable[str] = (),
    deadline: datetime | float | timedelta | None = None,
    start_within: float | timedelta | None = None,
    parent: str | msgspec.UnsetType | None = msgspec.UNSET,
) -> Enqueue:
    """A run to ask for; raises InvalidInputError for values that a server would misread."""
    at = deadline if isinstance(deadline, datetime) else None
    return Enqueue(
        job=job,
        input=input or {},
        queue=queue,
        executor=executor,
        route=Route(route) if isinstance(route, str) else route,
        priority=priority,
        due_at=due_at,
        delay=seconds_of(delay, "delay"),
        key=os.urandom(16).hex() if retry_safe and key is None else key,
        labels=dict(labels or {}),
        tags=words_of(tags, "tags"),
        deadline=at,
        deadline_in=None if isinstance(deadline, datetime) else seconds_of(deadline, "deadline"),
        start_within=seconds_of(start_within, "start_within"),
        parent=parent,
    )


def with_origin(wanted: Enqueue) -> Enqueue:
    """The run as a child of the one whose handler is running here, and of the current span, unless its caller says others."""
    if wanted.traceparent is None and (trace := traceparent()):
        wanted = msgspec.structs.replace(wanted, traceparent=trace)
    return with_parent(wanted)


def with_parent(wanted: Enqueue) -> Enqueue:
    if wanted.parent is None:
        return msgspec.structs.replace(wanted, parent=msgspec.UNSET)
    run = current_run() if wanted.parent is msgspec.UNSET else None
    return wanted if run is None else msgspec.structs.replace(wanted, parent=id_text(run))


class EnqueueMany(msgspec.Struct, frozen=True):
    runs: Sequence[Enqueue]


def enqueue(wanted: Enqueue) -> Request[AcceptedRun]:
    return ask(runs.CREATE_RUNS, body=encode(with_origin(wanted), "input"), repeatable=wanted.key is not None)


def enqueue_many(wanted: Sequence[Enqueue]) -> Iterator[Request[AcceptedRuns]]:
    """One request for each chunk, which is accepted whole or not at all."""
    for start in range(0, len(wanted), CHUNK):
        chunk = [with_origin(each) for each in wanted[start : start + CHUNK]]
        keyed = all(each.key is not None for each in chunk)
        yield ask(CREATE_MANY, body=encode(EnqueueMany(chunk), "input"), repeatable=keyed)


def get_run(run: str, *, wait: float = 0.0) -> Request[RunInfo]:
    return ask(runs.GET_RUN, run, query=runs.WaitQuery(wait=round(wait, 3)), wait=wait)


def list_runs(*, limit: int = 50, cursor: str | None = None, **filters: Unpack[RunFilters]) -> Request[RunPage]:
    refuse_unknown(filters, RunFilters.__annotations__)
    query = runs.RunQuery(
        q=filters.get("q"),
        job=filters.get("job"),
        queue=filters.get("queue"),
        state=list(words_of(filters.get("states"), "states")),
        tag=list(words_of(filters.get("tags"), "tags")),
        label=[f"{key}={value}" for key, value in filters.get("labels", {}).items()],
        key=filters.get("key"),
        parent=filters.get("parent"),
        prefix=filters.get("prefix"),
        since=instant_text(filters.get("since"), "since"),
        until=instant_text(filters.get("until"), "until"),
        sort="oldest" if filters.get("oldest_first") else "newest",
        bodies=bool(filters.get("bodies")),
        limit=limit,
        cursor=cursor,
    )
    return ask(runs.LIST_RUNS, query=query)
