"""Serves the definitions of workflows."""

import msgspec
from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.preconditions import is_known, path_to, tagged, unchanged
from mainspring.contract.workflows import bodies as workflows
from mainspring.contract.workflows import operations
from mainspring.domain.jobs.job import Job, JobSpec
from mainspring.domain.workflows.definitions.fields import definition_of, job_of, steps_of
from mainspring.domain.workflows.graph import Graph, graph_of
from mainspring.domain.workflows.spec import read_workflow, write_workflow
from mainspring.errors import NotFoundError

router = Routes()


@router.bind(operations.GET_WORKFLOW)
async def get_workflow(call: Call, name: str) -> Response:
    job = await call.engine.jobs.get(call.namespace, name)
    if not job.spec.workflow:
        raise NotFoundError("workflow", name, "the job of that name has a handler, and no steps")
    if is_known(call.request, job.version):
        return unchanged(job.version)
    return tagged(show_workflow(job), job.version)


@router.bind(operations.PUT_WORKFLOW)
async def put_workflow(call: Call, name: str, body: workflows.WorkflowBody) -> Response:
    spec = read_job(name, body)
    checked = call.engine.workflows.checks.check(call.namespace, read_workflow(spec.workflow), name)
    named = msgspec.structs.replace(spec, workflow=write_workflow(checked.spec))
    job, is_new = await call.engine.jobs.put(call.namespace, named, call.expected, call.edit(body.note))
    return tagged(show_workflow(job), job.version, created=path_to("workflows", name) if is_new else "")


@router.bind(operations.CHECK_WORKFLOW)
async def check_workflow(call: Call, body: workflows.WorkflowBody) -> workflows.CheckInfo:
    spec = read_job("", body)
    checked = call.engine.workflows.checks.check(call.namespace, read_workflow(spec.workflow))
    return workflows.CheckInfo(graph=show_graph(checked.graph), unchecked=checked.unchecked, unserved=checked.unserved)


def read_job(name: str, body: workflows.WorkflowBody) -> JobSpec:
    """Raises InvalidInputError."""
    fields = msgspec.to_builtins(body)
    return job_of(name, steps_of(fields), fields)


def show_workflow(job: Job) -> workflows.WorkflowInfo:
    return workflows.WorkflowInfo(
        name=job.name,
        version=job.version,
        queue=job.spec.queue,
        priority=job.spec.priority,
        deadline=job.spec.deadline,
        description=job.spec.description,
        owner=job.owner,
        definition=definition_of(job.spec),
        graph=show_graph(graph_of(job.spec.workflow)),
    )


def show_graph(graph: Graph) -> list[workflows.WorkflowStepInfo]:
    return [
        workflows.WorkflowStepInfo(
            name=step.name,
            job=step.job,
            parents=[graph.steps[parent].name for parent in step.parents],
            rule=step.rule_text,
            each="" if step.each is None else step.each.text,
            ending=step.ending,
        )
        for step in graph.steps
    ]
