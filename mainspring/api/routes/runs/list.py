"""Serves lists of runs: filtered, sorted, page by page."""

from collections.abc import Sequence

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import parse_instant
from mainspring.api.http.paging import read_run_cursor, write_run_cursor
from mainspring.api.input.parameters import choice
from mainspring.api.routes.runs.search import search_runs
from mainspring.api.routes.runs.views import show_run
from mainspring.contract.operations.runs import LIST_RUNS, RunQuery
from mainspring.contract.runs import RunPage
from mainspring.domain.ids import ids_from, parse_run_id
from mainspring.domain.metadata import check_labels, check_tags
from mainspring.domain.names import JOB_MAX, QUEUE_MAX, check_text
from mainspring.domain.runs.run import KEY_MAX, RunState
from mainspring.errors import InvalidInputError
from mainspring.store.interface import RunFilter

PAGE_WITH_BODIES_MAX = 100
NEWEST, OLDEST = "newest", "oldest"

router = Routes()


@router.bind(LIST_RUNS)
async def list_runs(call: Call, query: RunQuery) -> RunPage:
    if query.q is not None:
        return await search_runs(call, query)
    wanted = filter_of(call.namespace, query)
    if query.cursor is not None:
        wanted = msgspec.structs.replace(wanted, after=read_run_cursor(wanted, query.cursor))
    page = await call.engine.list(wanted)
    return RunPage([show_run(run, bodies=query.bodies) for run in page.runs], write_run_cursor(wanted, page.next))


def filter_of(namespace: str, query: RunQuery) -> RunFilter:
    return RunFilter(
        namespace=namespace,
        job=check_named("job", query.job, most=JOB_MAX),
        queue=check_named("queue", query.queue, most=QUEUE_MAX),
        states=tuple(sorted({parse_state(name) for name in query.state})),
        tags=tuple(sorted(check_tags(query.tag))),
        labels=parse_labels(query.label),
        key=check_named("key", query.key, most=KEY_MAX),
        parent=None if query.parent is None else parse_run_id(query.parent, field="parent"),
        ids=None if query.prefix is None else ids_from(query.prefix, field="prefix"),
        since=parse_instant("since", query.since),
        until=parse_instant("until", query.until),
        oldest_first=choice("sort", query.sort, (NEWEST, OLDEST)) == OLDEST,
        limit=check_limit(query.limit, bodies=query.bodies),
        bodies=query.bodies,
    )


def check_named(field: str, name: str | None, *, most: int) -> str | None:
    """A name that no run can have is a mistake, not a search without results."""
    return None if name is None else check_text(name, field, most=most, code=f"bad_{field}")


def check_limit(limit: int, *, bodies: bool) -> int:
    if bodies and limit > PAGE_WITH_BODIES_MAX:
        raise InvalidInputError("limit", f"is at most {PAGE_WITH_BODIES_MAX} with bodies", code="bad_limit")
    return limit


def parse_state(name: str) -> RunState:
    return RunState[choice("state", name, [state.label for state in RunState]).upper()]


def parse_labels(texts: Sequence[str]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or labels.get(key, value) != value:
            reason = f"{text!r} is not key=value" if not equals else f"{key!r} cannot have two values"
            raise InvalidInputError("label", reason, code="bad_labels")
        labels[key] = value
    return check_labels(labels)
