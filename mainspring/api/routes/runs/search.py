"""Serves searches: runs that match a query, and how many there are."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import read_run_cursor, write_run_cursor
from mainspring.api.routes.runs.views import show_run
from mainspring.contract.operations.runs import COUNT_RUNS, CountQuery, RunQuery
from mainspring.contract.runs import RunCount, RunPage
from mainspring.domain.ids import RunId, ids_from, parse_run_id
from mainspring.domain.metadata import check_labels, check_tags
from mainspring.domain.runs.query import RunSearch, read_query
from mainspring.domain.runs.run import Run
from mainspring.errors import InvalidInputError
from mainspring.store.interface import RunFilter

LOOK_MAX = 2000
"""Runs that one call looks at; a page may be short, and the next call goes on."""
LOOK_SECONDS = 0.02
"""After which a call looks no further, however few runs it has looked at."""
COUNT_MAX = 500
STEP, STEP_WITH_BODIES = 250, 100
ALONE = ("job", "queue", "state", "tag", "label", "key", "parent", "prefix", "since", "until")

router = Routes()


async def search_runs(call: Call, query: RunQuery) -> RunPage:
    """A page of the runs that match `q`."""
    if beside := [name for name in ALONE if getattr(query, name)]:
        raise InvalidInputError("q", f"says it all: leave out {', '.join(beside)}", code="bad_query")
    search = read_query(query.q or "", call.now)
    wanted = filter_of(call.namespace, search, oldest_first=query.sort == "oldest", bodies=query.bodies)
    # Ages count from now, so that the cursor is bound to the text and not to the instants.
    bound = RunFilter(namespace=call.namespace, key=f"q {query.q}", oldest_first=wanted.oldest_first)
    if not search.sifts:
        wanted = msgspec.structs.replace(wanted, limit=min(query.limit, wanted.limit))
    if query.cursor is not None:
        wanted = msgspec.structs.replace(wanted, after=read_run_cursor(bound, query.cursor))
    found: list[Run] = []
    last: RunId | None = None
    async with aclosing(looked_at(call, wanted, LOOK_MAX)) as runs:
        async for run, last in runs:  # noqa: B007 read after the loop
            if run is not None and all(sift.holds(run, call.now) for sift in search.sifts):
                found.append(run)
            if len(found) == query.limit:
                break
    return RunPage([show_run(run, bodies=query.bodies) for run in found], write_run_cursor(bound, last))


@router.bind(COUNT_RUNS)
async def count_runs(call: Call, query: CountQuery) -> RunCount:
    search = read_query(query.q, call.now)
    states: dict[str, int] = {}
    last: RunId | None = None
    async for run, last in looked_at(call, filter_of(call.namespace, search), COUNT_MAX):  # noqa: B007 read after the loop
        if run is not None and all(sift.holds(run, call.now) for sift in search.sifts):
            states[run.state.label] = states.get(run.state.label, 0) + 1
    return RunCount(sum(states.values()), last is None, states)


async def looked_at(call: Call, wanted: RunFilter, most: int) -> AsyncGenerator[tuple[Run | None, RunId | None], None]:
    """Runs one by one, each with the place after it to go on from; None there: nothing follows."""
    seen, until = 0, call.monotonic + LOOK_SECONDS
    while True:
        page = await call.engine.list(wanted)
        for number, run in enumerate(page.runs, start=1):
            yield run, page.next if number == len(page.runs) else run.id
        seen += max(len(page.runs), 1)
        if not page.runs:
            yield None, page.next
        if page.next is None or seen >= most or call.monotonic >= until:
            return
        wanted = msgspec.structs.replace(wanted, after=page.next)


def filter_of(namespace: str, search: RunSearch, *, oldest_first: bool = False, bodies: bool = False) -> RunFilter:
    needs = search.needs_bodies or bodies
    return RunFilter(
        namespace=namespace,
        job=search.job,
        queue=search.queue,
        states=search.states,
        tags=tuple(sorted(check_tags(list(search.tags)))),
        labels=check_labels(search.labels),
        key=search.key,
        parent=None if search.parent is None else parse_run_id(search.parent, field="q"),
        ids=None if search.prefix is None else ids_from(search.prefix, field="q"),
        since=search.since,
        until=search.until,
        oldest_first=oldest_first,
        limit=STEP_WITH_BODIES if needs else STEP,
        bodies=needs,
    )
