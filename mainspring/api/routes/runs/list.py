"""Runs in lists: filtered, sorted, page by page."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import parse_instant, show
from mainspring.api.http.paging import read_run_cursor, write_run_cursor
from mainspring.api.openapi.document import answers
from mainspring.api.routes.runs.views import show_run
from mainspring.contract.fields import RUN_ID
from mainspring.contract.runs import RunPage
from mainspring.domain.ids import ids_from, parse_run_id
from mainspring.domain.metadata import LABEL_KEY, LABEL_MAX, LABELS_MAX, TAG_MAX, TAGS_MAX, check_labels, check_tags
from mainspring.domain.names import JOB_MAX, QUEUE_MAX, check_text
from mainspring.domain.runs.run import KEY_MAX, RunState
from mainspring.errors import InvalidInputError
from mainspring.store.interface import RunFilter

PAGE_MAX, PAGE_WITH_BODIES_MAX = 500, 100
NEWEST, OLDEST = "newest", "oldest"
INSTANT = {"format": "date-time"}

STRUCTS = (RunPage,)

router = APIRouter(prefix="/api/v1/runs", route_class=GuardedRoute, tags=["runs"])

Job = Annotated[str | None, Query(min_length=1, max_length=JOB_MAX)]
Queue = Annotated[str | None, Query(min_length=1, max_length=QUEUE_MAX)]
Key = Annotated[str | None, Query(min_length=1, max_length=KEY_MAX)]
Parent = Annotated[
    str | None, Query(json_schema_extra={"pattern": RUN_ID}, description="What the handler of that run asked for.")
]
Prefix = Annotated[
    str | None,
    Query(json_schema_extra={"pattern": "^[0-9a-fA-F-]{1,36}$"}, description="Those whose ids begin so."),
]
State = Annotated[list[str], Query(json_schema_extra={"items": {"enum": [state.label for state in RunState]}})]
TAG = {"items": {"type": "string", "minLength": 1, "maxLength": TAG_MAX, "pattern": "^[^=]*$"}}
Tag = Annotated[list[str], Query(max_length=TAGS_MAX, json_schema_extra=TAG, description="All of them.")]
PAIR = {"items": {"type": "string", "pattern": f"^{LABEL_KEY.pattern}=.{{1,{LABEL_MAX}}}$"}}
Label = Annotated[
    list[str], Query(max_length=LABELS_MAX, json_schema_extra=PAIR, description="As key=value; all of them.")
]
Since = Annotated[str | None, Query(json_schema_extra=INSTANT, description="Created then or later.")]
Until = Annotated[str | None, Query(json_schema_extra=INSTANT, description="Created before then.")]
Sort = Annotated[str, Query(json_schema_extra={"enum": [NEWEST, OLDEST]}, description="By when they were created.")]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX, description="At most 100 with bodies.")]
Cursor = Annotated[str | None, Query(description="The `next` of the page before, asked for with the same filters.")]
Bodies = Annotated[bool, Query(description="With inputs, results and tracebacks of up to 64 KiB each.")]


@router.get("", openapi_extra=answers({200: (RunPage,)}), response_model=None)
@require(Permission.RUNS_READ)
async def list_runs(
    request: Request,
    *,
    job: Job = None,
    queue: Queue = None,
    state: State = [],  # noqa: B006
    tag: Tag = [],  # noqa: B006
    label: Label = [],  # noqa: B006
    key: Key = None,
    parent: Parent = None,
    prefix: Prefix = None,
    since: Since = None,
    until: Until = None,
    sort: Sort = NEWEST,
    limit: Limit = 50,
    cursor: Cursor = None,
    bodies: Bodies = False,
) -> Response:
    """Runs that match all that is asked for. A page may be short; there are more as long as `next` is given."""
    query = RunFilter(
        namespace=namespace_of(request),
        job=check_named("job", job, most=JOB_MAX),
        queue=check_named("queue", queue, most=QUEUE_MAX),
        states=tuple(sorted({parse_state(name) for name in state})),
        tags=tuple(sorted(check_tags(tag))),
        labels=parse_labels(label),
        key=check_named("key", key, most=KEY_MAX),
        parent=None if parent is None else parse_run_id(parent, field="parent"),
        ids=None if prefix is None else ids_from(prefix, field="prefix"),
        since=parse_instant("since", since),
        until=parse_instant("until", until),
        oldest_first=parse_sort(sort),
        limit=check_limit(limit, bodies=bodies),
        bodies=bodies,
    )
    if cursor is not None:
        query = msgspec.structs.replace(query, after=read_run_cursor(query, cursor))
    page = await engine_of(request).list(query)
    return show(RunPage([show_run(run, bodies=bodies) for run in page.runs], write_run_cursor(query, page.next)))


def check_named(field: str, name: str | None, *, most: int) -> str | None:
    """What no run can have is a mistake, not a search that finds nothing."""
    return None if name is None else check_text(name, field, most=most, code=f"bad_{field}")


def check_limit(limit: int, *, bodies: bool) -> int:
    if bodies and limit > PAGE_WITH_BODIES_MAX:
        raise InvalidInputError("limit", f"is at most {PAGE_WITH_BODIES_MAX} with bodies", code="bad_limit")
    return limit


def parse_state(name: str) -> RunState:
    try:
        return RunState[name.upper()]
    except KeyError:
        known = ", ".join(state.label for state in RunState)
        raise InvalidInputError("state", f"{name!r} is not one of {known}", code="bad_state") from None


def parse_labels(texts: Sequence[str]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or labels.get(key, value) != value:
            reason = f"{text!r} is not key=value" if not equals else f"{key!r} cannot have two values"
            raise InvalidInputError("label", reason, code="bad_labels")
        labels[key] = value
    return check_labels(labels)


def parse_sort(text: str) -> bool:
    """Whether the oldest come first."""
    if text not in (NEWEST, OLDEST):
        raise InvalidInputError("sort", f"{text!r} is neither {NEWEST} nor {OLDEST}", code="bad_sort")
    return text == OLDEST
