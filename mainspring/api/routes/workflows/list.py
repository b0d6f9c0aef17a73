"""Serves the runs of a workflow as a list, by how far they have come."""

from collections.abc import Iterable
from typing import Any

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import parse_instant
from mainspring.api.http.paging import read_id_cursor
from mainspring.api.input.parameters import choice
from mainspring.api.routes.runs.list import check_named, parse_labels, parse_state
from mainspring.contract.workflows import lists, operations
from mainspring.domain.ids import id_text
from mainspring.domain.jobs.job import Job
from mainspring.domain.metadata import check_tags
from mainspring.domain.names import JOB_MAX
from mainspring.domain.runs.run import KEY_MAX, Run, RunState
from mainspring.domain.waits.awaited import WAITING_FOR, awaited, steps_under_way, unsuccessful_steps
from mainspring.domain.workflows.graph import Graph
from mainspring.errors import NotFoundError
from mainspring.store.interface import FlowView, RunFilter

LOOK = 500
"""Runs that one request looks at, where how far they have come decides."""

router = Routes()


@router.bind(operations.LIST_WORKFLOW_RUNS)
async def list_workflow_runs(call: Call, query: lists.WorkflowRunQuery) -> lists.WorkflowRunPage:
    wanted = filter_of(call.namespace, query)
    job = await find_workflow(call, query.workflow)
    page = await call.engine.list(wanted)
    # Steps that wait are runs of the workflow's own job.
    listed = [run for run in page.runs if run.workflow is None]
    views = await call.engine.workflows.operations.some(job, [run.id for run in listed])
    shown = [one for run in listed if matches(one := show_flow(run, views.get(run.id)), query)]
    if len(shown) > query.limit:
        shown = shown[: query.limit]
        return lists.WorkflowRunPage(shown, shown[-1].id)
    return lists.WorkflowRunPage(shown, None if page.next is None else id_text(page.next))


async def find_workflow(call: Call, name: str) -> Job:
    """Raises NotFoundError."""
    job = await call.engine.jobs.get(call.namespace, name)
    if not job.spec.workflow:
        raise NotFoundError("workflow", name, "the job of that name has a handler, and no steps")
    return job


def filter_of(namespace: str, query: lists.WorkflowRunQuery) -> RunFilter:
    check_named("failed_step", query.failed_step, most=JOB_MAX)
    states: Iterable[RunState] = {parse_state(name) for name in query.state}
    if query.waiting_for is not None:
        choice("waiting_for", query.waiting_for, WAITING_FOR)
        # Nothing that is over waits for anything.
        states = states or {RunState.WAITING}
    chosen = query.failed_step is not None or query.waiting_for is not None
    return RunFilter(
        namespace=namespace,
        job=check_named("workflow", query.workflow, most=JOB_MAX),
        states=tuple(sorted(states)),
        tags=tuple(sorted(check_tags(query.tag))),
        labels=parse_labels(query.label),
        key=check_named("key", query.key, most=KEY_MAX),
        since=parse_instant("since", query.since),
        until=parse_instant("until", query.until),
        after=None if query.cursor is None else read_id_cursor(query.cursor),
        limit=LOOK if chosen else query.limit,
    )


def matches(one: lists.ListedWorkflowRun, query: lists.WorkflowRunQuery) -> bool:
    failed = query.failed_step is None or query.failed_step in one.failed
    return failed and (query.waiting_for is None or query.waiting_for in one.waiting_for)


def show_flow(run: Run, found: tuple[FlowView, Graph] | None) -> lists.ListedWorkflowRun:
    """One that has not begun has no steps yet."""
    about: dict[str, Any] = {"id": id_text(run.id), "state": run.state.label, "created_at": run.created_at}
    if found is None:
        return lists.ListedWorkflowRun(**about, finished_at=run.finished_at)
    view, graph = found
    return lists.ListedWorkflowRun(
        **about,
        version=view.version,
        paused=view.flow.paused and view.finished_at is None,
        began_at=view.began_at,
        finished_at=view.finished_at,
        failed=unsuccessful_steps(graph, view.flow),
        under_way=steps_under_way(graph, view.flow),
        waiting_for=awaited(graph, view.flow) if view.finished_at is None else [],
    )
