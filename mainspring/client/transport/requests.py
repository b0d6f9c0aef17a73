"""What is asked of a server and how its answers are read, without I/O."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar, Unpack

import msgspec

from mainspring.client.options import RunFilters, RunOptions
from mainspring.client.transport.problems import error_of, unreadable
from mainspring.client.transport.versions import Origin
from mainspring.client.values import aware, finite, instant_text, json_bytes, part, refuse_unknown, seconds_of, words_of
from mainspring.contract.runs import AcceptedRun, AcceptedRuns, AttemptPage, LogPage, RunInfo, RunPage
from mainspring.domain.ids import id_text
from mainspring.domain.runs.current import current_run
from mainspring.errors import InvalidInputError

T = TypeVar("T")

CHUNK = 5_000
TOGETHER = {"due_at": ("due_at", "delay"), "delay": ("due_at", "delay"), "deadline": ("deadline", "deadline_in")}
"""Options that are one thing said in two ways."""


class Enqueue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run to ask for; what is left out comes from the job."""

    job: str
    input: msgspec.Raw | Mapping[str, Any] = {}
    queue: str | None = None
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
    priority: int | None = None,
    due_at: datetime | None = None,
    delay: float | timedelta | None = None,
    key: str | None = None,
    labels: Mapping[str, str] | None = None,
    tags: Iterable[str] = (),
    deadline: datetime | float | timedelta | None = None,
    start_within: float | timedelta | None = None,
    parent: str | msgspec.UnsetType | None = msgspec.UNSET,
) -> Enqueue:
    """Raises InvalidInputError for what a server would take for something else."""
    at = deadline if isinstance(deadline, datetime) else None
    return Enqueue(
        job=job,
        input=input or {},
        queue=queue,
        priority=priority,
        due_at=due_at,
        delay=seconds_of(delay, "delay"),
        key=key,
        labels=dict(labels or {}),
        tags=words_of(tags, "tags"),
        deadline=at,
        deadline_in=None if isinstance(deadline, datetime) else seconds_of(deadline, "deadline"),
        start_within=seconds_of(start_within, "start_within"),
        parent=parent,
    )


def with_parent(wanted: Enqueue) -> Enqueue:
    """The run as a child of the one whose handler is running here, unless its caller has said whose it is."""
    if wanted.parent is None:
        return msgspec.structs.replace(wanted, parent=msgspec.UNSET)
    run = current_run() if wanted.parent is msgspec.UNSET else None
    return wanted if run is None else msgspec.structs.replace(wanted, parent=id_text(run))


class EnqueueMany(msgspec.Struct, frozen=True):
    runs: Sequence[Enqueue]


class Request(msgspec.Struct, Generic[T], frozen=True):
    """One call: what to send, and how to read a good answer."""

    method: str
    path: str
    read: Callable[[bytes], T]
    params: Mapping[str, str | list[str]] = {}
    body: bytes | None = None
    wait: float = 0.0
    """Seconds that the server may take on top of the usual."""
    headers: Mapping[str, str] = {}
    repeatable: bool = False
    """Doing it twice is the same as once: another server may be asked although one may have done it. Every GET is like that."""


def enqueue(wanted: Enqueue) -> Request[AcceptedRun]:
    keyed = wanted.key is not None
    return Request("POST", "/api/v1/runs", _accepted, body=encode(with_parent(wanted)), repeatable=keyed)


def enqueue_many(wanted: Sequence[Enqueue]) -> Iterator[Request[list[AcceptedRun]]]:
    """One request for each chunk, which is accepted whole or not at all."""
    for start in range(0, len(wanted), CHUNK):
        chunk = [with_parent(each) for each in wanted[start : start + CHUNK]]
        keyed = all(each.key is not None for each in chunk)
        yield Request("POST", "/api/v1/runs", _accepted_many, body=encode(EnqueueMany(chunk)), repeatable=keyed)


def get_run(run: str, *, wait: float = 0.0) -> Request[RunInfo]:
    params = {"wait": f"{wait:.3f}"} if wait else {}
    return Request("GET", f"/api/v1/runs/{part(run)}", _run, params=params, wait=wait)


def list_runs(*, limit: int = 50, cursor: str | None = None, **filters: Unpack[RunFilters]) -> Request[RunPage]:
    refuse_unknown(filters, RunFilters.__annotations__)
    given = {
        "job": filters.get("job"),
        "queue": filters.get("queue"),
        "state": list(words_of(filters.get("states"), "states")),
        "tag": list(words_of(filters.get("tags"), "tags")),
        "label": [f"{key}={value}" for key, value in filters.get("labels", {}).items()],
        "key": filters.get("key"),
        "parent": filters.get("parent"),
        "prefix": filters.get("prefix"),
        "since": instant_text(filters.get("since"), "since"),
        "until": instant_text(filters.get("until"), "until"),
        "sort": "oldest" if filters.get("oldest_first") else None,
        "bodies": "true" if filters.get("bodies") else None,
        "limit": str(limit),
        "cursor": cursor,
    }
    return Request("GET", "/api/v1/runs", _page, params={name: value for name, value in given.items() if value})


def list_logs(run: str, *, after: int = 0) -> Request[LogPage]:
    return Request("GET", f"/api/v1/runs/{part(run)}/logs", _logs, params={"after": str(after)})


def list_attempts(run: str) -> Request[AttemptPage]:
    return Request("GET", f"/api/v1/runs/{part(run)}/attempts", _attempts)


def parse(request: Request[T], status: int, content: bytes, origin: Origin | None = None) -> T:
    """The answer, or the error that it carries."""
    if status >= 300:
        raise error_of(status, content, origin)
    try:
        return request.read(content)
    except msgspec.DecodeError as error:
        raise unreadable(error, origin) from None


def encode(wanted: Enqueue | EnqueueMany | Sequence[Enqueue]) -> bytes:
    try:
        return json_bytes(wanted)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError("input", f"cannot be written as JSON: {error}", code="bad_input") from None


_decode_accepted_many = msgspec.json.Decoder(AcceptedRuns).decode
_accepted = msgspec.json.Decoder(AcceptedRun).decode
_run = msgspec.json.Decoder(RunInfo).decode
_page = msgspec.json.Decoder(RunPage).decode
_logs = msgspec.json.Decoder(LogPage).decode
_attempts = msgspec.json.Decoder(AttemptPage).decode


def _accepted_many(content: bytes) -> list[AcceptedRun]:
    return _decode_accepted_many(content).runs
