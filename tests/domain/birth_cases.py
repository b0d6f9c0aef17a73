"""One table of requests and the runs that they become, held against every way in which a run is created."""

import json
from datetime import datetime, timedelta
from typing import Any

import msgspec

from mainspring.domain.jobs.job import Job, JobSpec
from mainspring.domain.metadata import RunMetadata, deadline_of
from tests.words import MINUTE

HANDLER = "print"
SCHEMA = b'{"type":"object"}'


class Born(msgspec.Struct, frozen=True):
    """A new run without its identity; times are seconds after the request."""

    priority: int = 5
    queue: str = "default"
    due_in: int = 0
    start_in: float | None = None
    deadline_in: float | None = None
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    key: str | None = None
    input: dict[str, Any] = {}


class Case(msgspec.Struct, frozen=True):
    name: str
    born: Born
    job: dict[str, Any] = {}
    """The fields of the job's definition that matter."""
    call: dict[str, Any] = {}
    """The request as the API's body has it, with `due_in` in seconds for `due_at`."""

    def spec(self) -> JobSpec:
        fields = {**self.job, "input": json.dumps(self.job.get("input", {})).encode()}
        return JobSpec(name=self.name, handler=HANDLER, schema=SCHEMA, **fields)

    def stored_job(self, now: datetime) -> Job:
        return Job(id=1, namespace="default", spec=self.spec(), version=1, code=self.spec(), updated_at=now)

    def body(self, now: datetime) -> dict[str, Any]:
        """The body of a request at this time."""
        body = {"job": self.name, **self.call}
        if "due_in" in body:
            body["due_at"] = (now + timedelta(seconds=body.pop("due_in"))).isoformat()
        return body


CASES = [
    Case("plain", Born()),
    Case("the job's queue and priority", Born(priority=8, queue="money"), {"queue": "money", "priority": 8}),
    Case(
        "its own queue and priority",
        Born(priority=0, queue="fast"),
        {"queue": "money", "priority": 8},
        {"queue": "fast", "priority": 0},
    ),
    Case("due later", Born(due_in=3600), call={"due_in": 3600}),
    Case("due before it was requested", Born(due_in=-3600), call={"due_in": -3600}),
    Case("the job's deadline", Born(deadline_in=60.0), {"deadline": 60.0}),
    Case("the job's deadline, due later", Born(due_in=3600, deadline_in=3660.0), {"deadline": 60.0}, {"delay": 3600}),
    Case("the job's deadline, due before", Born(due_in=-3600, deadline_in=60.0), {"deadline": 60.0}, {"due_in": -3600}),
    Case("its own deadline", Born(deadline_in=90.0), {"deadline": 60.0}, {"deadline_in": 90}),
    Case("the job's start deadline", Born(start_in=30.0), {"start_within": 30.0}),
    Case("its own start deadline", Born(start_in=10.0), {"start_within": 30.0}, {"start_within": 10}),
    Case("a start deadline, due later", Born(due_in=3600, start_in=3630.0), {"start_within": 30.0}, {"delay": 3600}),
    Case("a start deadline, due before", Born(due_in=-3600, start_in=30.0), {"start_within": 30.0}, {"due_in": -3600}),
    Case(
        "a start deadline before the deadline",
        Born(start_in=30.0, deadline_in=60.0),
        {"start_within": 30.0, "deadline": 60.0},
    ),
    Case("a start deadline after the deadline", Born(deadline_in=20.0), {"start_within": 30.0, "deadline": 20.0}),
    Case("both at the same time", Born(deadline_in=20.0), {"start_within": 20.0, "deadline": 20.0}),
    Case("labels", Born(labels={"env": "prod", "shop": "Köln"}), call={"labels": {"env": "prod", "shop": "Köln"}}),
    Case("tags, each once", Born(tags=("red", "big")), call={"tags": ["red", "big", "red"]}),
    Case("no tags and no labels", Born(), call={"labels": {}, "tags": []}),
    Case(
        "tags beside a start deadline",
        Born(tags=("red",), start_in=5.0, deadline_in=9.0),
        {"start_within": 5.0},
        {"tags": ["red"], "deadline_in": 9},
    ),
    Case("a key", Born(key="order-1", input={"a": 1}), call={"key": "order-1", "input": {"a": 1}}),
    Case("the job's arguments", Born(input={"a": 1, "b": 2}), {"input": {"a": 1, "b": 2}}),
    Case("its own arguments first", Born(input={"a": 1, "b": 3}), {"input": {"a": 1, "b": 2}}, {"input": {"b": 3}}),
]

OF_TRIGGERS = [case for case in CASES if case.call.keys() <= {"due_in", "queue", "priority", "labels", "tags", "input"}]
"""Those that a trigger can express."""


def born(
    *,
    priority: int,
    queue: str,
    due_at: datetime,
    column: datetime | None,
    extra: RunMetadata,
    key: str | None,
    arguments: bytes,
    now: datetime,
) -> Born:
    """A stored run, its deadline's column read as the server reads it."""
    ends_by = deadline_of(extra, column)
    return Born(
        priority=priority,
        queue=queue,
        # To the minute: clients and databases have clocks of their own.
        due_in=round((due_at - now) / MINUTE) * 60,
        start_in=None if extra.start_by is None else (extra.start_by - now).total_seconds(),
        deadline_in=None if ends_by is None else (ends_by - now).total_seconds(),
        labels=extra.labels,
        tags=extra.tags,
        key=key,
        input=msgspec.json.decode(arguments),
    )
