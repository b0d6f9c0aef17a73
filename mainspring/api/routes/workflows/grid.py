"""Serves the newest runs of a workflow against its steps."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.workflows.list import find_workflow
from mainspring.api.routes.workflows.operate import state_of
from mainspring.contract.workflows import bodies as workflows
from mainspring.contract.workflows import operations
from mainspring.domain.ids import id_text
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.stages import cells, steps_of
from mainspring.store.interface import FlowView, RunFilter

# Steps that wait are runs of the workflow's own job.
LOOK = 5
"""Runs that are listed for each that is wanted."""

router = Routes()


@router.bind(operations.GET_WORKFLOW_GRID)
async def get_workflow_grid(call: Call, name: str, query: workflows.GridQuery) -> workflows.GridInfo:
    job = await find_workflow(call, name)
    listed = await call.engine.list(RunFilter(namespace=call.namespace, job=name, limit=min(500, LOOK * query.limit)))
    wanted = [run for run in listed.runs if run.workflow is None][: query.limit]
    # A run that has not begun has no flow, and no column.
    views = await call.engine.workflows.operations.some(job, [run.id for run in wanted])
    found = [views[run.id] for run in wanted if run.id in views]
    names = steps_of([graph for _, graph in found])
    return workflows.GridInfo(steps=names, runs=[column(names, *one) for one in found])


def column(names: list[str], view: FlowView, graph: Graph) -> workflows.GridRun:
    return workflows.GridRun(
        id=id_text(view.run),
        version=view.version,
        state=state_of(view, graph),
        began_at=view.began_at,
        finished_at=view.finished_at,
        cells=cells(names, graph, view.flow),
    )
