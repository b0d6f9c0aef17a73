"""Serves the newest runs of a workflow against its steps."""

import asyncio
from contextlib import suppress

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.workflows.operate import state_of
from mainspring.contract.workflows import bodies as workflows
from mainspring.contract.workflows import operations
from mainspring.domain.ids import id_text
from mainspring.domain.jobs.job import Job
from mainspring.domain.runs.run import Run
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.stages import cells, steps_of
from mainspring.errors import NotFoundError
from mainspring.store.interface import FlowView, RunFilter

# Steps that wait are runs of the workflow's own job.
LOOK = 5
"""Runs that are listed for each that is wanted."""

router = Routes()
Found = tuple[FlowView, Job, Graph]


@router.bind(operations.GET_WORKFLOW_GRID)
async def get_workflow_grid(call: Call, name: str, query: workflows.GridQuery) -> workflows.GridInfo:
    job = await call.engine.jobs.get(call.namespace, name)
    if not job.spec.workflow:
        raise NotFoundError("workflow", name, "the job of that name has a handler, and no steps")
    listed = await call.engine.list(RunFilter(namespace=call.namespace, job=name, limit=min(500, LOOK * query.limit)))
    wanted = [run for run in listed.runs if run.workflow is None][: query.limit]
    # Each is one read by its key; a run that has not begun has no flow, and no column.
    found = [one for one in await asyncio.gather(*(flow_of(call, run) for run in wanted)) if one is not None]
    names = steps_of([graph for _, _, graph in found])
    return workflows.GridInfo(steps=names, runs=[column(names, one) for one in found])


async def flow_of(call: Call, run: Run) -> Found | None:
    with suppress(NotFoundError):
        return await call.engine.workflows.operations.get(call.namespace, run.id)
    return None


def column(names: list[str], found: Found) -> workflows.GridRun:
    view, _, graph = found
    return workflows.GridRun(
        id=id_text(view.run),
        version=view.version,
        state=state_of(view, graph),
        began_at=view.began_at,
        finished_at=view.finished_at,
        cells=cells(names, graph, view.flow),
    )
