"""Serves workflow runs: how far they have come."""

import asyncio
import re

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import bad_cursor
from mainspring.contract.workflows import bodies as workflows
from mainspring.contract.workflows import operations
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.jobs.job import Job
from mainspring.domain.workflows.flow import STATES, skip_reason
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.stages import outcome
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.store.interface import FlowView

router = Routes()

TIMES_MAX = 200


@router.bind(operations.GET_WORKFLOW_RUN)
async def get_workflow_run(call: Call, identifier: str) -> workflows.WorkflowRunInfo:
    return await shown_run(call, parse_run_id(identifier))


@router.bind(operations.LIST_STEP_RUNS)
async def list_step_runs(call: Call, identifier: str, query: workflows.StepQuery) -> workflows.StepRunPage:
    run = parse_run_id(identifier)
    _, _, graph = await call.engine.workflows.operations.get(call.namespace, run)
    if query.times and query.limit > TIMES_MAX:
        raise InvalidInputError("limit", f"is at most {TIMES_MAX} with times", code="bad_limit")
    found = await call.engine.workflows.operations.steps(run, after=read_cursor(query.cursor), limit=query.limit)
    shown = [
        workflows.StepRunInfo(step=graph.steps[one.step].name, item=one.item, run=id_text(one.run)) for one in found
    ]
    if query.times:
        shown = await asyncio.gather(*(with_times(call, one) for one in shown))
    last = found[-1] if len(found) == query.limit else None
    following = None if last is None else f"{last.step}.{-1 if last.item is None else last.item}"
    return workflows.StepRunPage(shown, following)


async def with_times(call: Call, one: workflows.StepRunInfo) -> workflows.StepRunInfo:
    """A run that history does not keep any more has no times."""
    try:
        run = await call.engine.get(call.namespace, parse_run_id(one.run))
    except NotFoundError:
        return one
    return msgspec.structs.replace(
        one,
        state=run.state.label,
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
        executor=run.executor,
    )


async def shown_run(call: Call, run: RunId) -> workflows.WorkflowRunInfo:
    view, job, graph = await call.engine.workflows.operations.get(call.namespace, run)
    return show_run(view, job, graph)


def read_cursor(text: str | None) -> tuple[int, int] | None:
    """The last step and item of the page before; raises InvalidInputError."""
    if text is None:
        return None
    place = re.fullmatch(workflows.STEP_PLACE, text)
    if place is None:
        raise bad_cursor()
    return int(place[1]), int(place[2])


def show_run(view: FlowView, job: Job, graph: Graph) -> workflows.WorkflowRunInfo:
    steps = []
    for number, step in enumerate(graph.steps):
        why = skip_reason(view.flow.states[number])
        counts = view.flow.maps.get(number)
        steps.append(
            workflows.StepStateInfo(
                name=step.name,
                job=step.job,
                state=STATES[view.flow.state(number)],
                why=None if why is None else why.name.lower(),
                parents=[graph.steps[parent].name for parent in step.parents],
                size=None if counts is None else counts.size,
                begun=None if counts is None else counts.begun,
                succeeded=None if counts is None else counts.succeeded,
                failed=None if counts is None else counts.failed,
            )
        )
    return workflows.WorkflowRunInfo(
        id=id_text(view.run),
        workflow=job.name,
        version=view.version,
        state=state_of(view, graph),
        paused=view.flow.paused,
        began_at=view.began_at,
        finished_at=view.finished_at,
        steps=steps,
    )


def state_of(view: FlowView, graph: Graph) -> str:
    return "running" if view.finished_at is None else STATES[outcome(graph, view.flow)]
