"""Serves operators' changes to workflow runs."""

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.workflows.operate import shown_run
from mainspring.contract.workflows import bodies as workflows
from mainspring.contract.workflows import operations
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.workflows.again import Again
from mainspring.domain.workflows.changes.versions import TargetVersion

router = Routes()


@router.bind(operations.RESUME_WORKFLOW_RUN)
async def resume_workflow_run(call: Call, identifier: str, body: workflows.ResumeBody) -> workflows.AgainInfo:
    run, flows = parse_run_id(identifier), call.engine.workflows
    again = await flows.operations.resume(
        call.namespace,
        run,
        actor=call.actor,
        redo=body.redo,
        reason=body.reason,
        dry_run=body.dry_run,
        target=await target_of(call, run, body.version),
    )
    return show_again(again, dry_run=body.dry_run)


@router.bind(operations.RETRY_WORKFLOW_RUN)
async def retry_workflow_run(call: Call, identifier: str, body: workflows.StepBody) -> workflows.AgainInfo:
    again = await call.engine.workflows.operations.retry_from(
        call.namespace, parse_run_id(identifier), body.step, actor=call.actor, reason=body.reason, dry_run=body.dry_run
    )
    return show_again(again, dry_run=body.dry_run)


@router.bind(operations.SKIP_STEP)
async def skip_step(call: Call, identifier: str, body: workflows.StepBody) -> workflows.AgainInfo:
    again = await call.engine.workflows.operations.skip(
        call.namespace, parse_run_id(identifier), body.step, actor=call.actor, reason=body.reason, dry_run=body.dry_run
    )
    return show_again(again, dry_run=body.dry_run)


@router.bind(operations.MARK_STEP)
async def mark_step(call: Call, identifier: str, body: workflows.MarkBody) -> workflows.AgainInfo:
    again = await call.engine.workflows.changing.mark(
        call.namespace,
        parse_run_id(identifier),
        body.step,
        msgspec.json.encode(body.result),
        actor=call.actor,
        reason=body.reason,
        dry_run=body.dry_run,
    )
    return show_again(again, dry_run=body.dry_run)


@router.bind(operations.MOVE_WORKFLOW_RUN)
async def move_workflow_run(call: Call, identifier: str, body: workflows.MoveBody) -> workflows.AgainInfo:
    again = await call.engine.workflows.changing.move(
        call.namespace,
        parse_run_id(identifier),
        body.version or None,
        actor=call.actor,
        reason=body.reason,
        dry_run=body.dry_run,
    )
    return show_again(again, dry_run=body.dry_run)


@router.bind(operations.FORK_WORKFLOW_RUN)
async def fork_workflow_run(call: Call, identifier: str, body: workflows.ForkBody) -> workflows.ForkInfo:
    given = None if body.input is None else msgspec.json.encode(body.input)
    origin = parse_run_id(identifier)
    again, run = await call.engine.workflows.changing.fork(
        call.namespace,
        origin,
        body.step,
        given,
        actor=call.actor,
        reason=body.reason,
        dry_run=body.dry_run,
        target=await target_of(call, origin, body.version),
    )
    return workflows.ForkInfo(run=None if run is None else id_text(run), steps=again.steps, dry_run=body.dry_run)


@router.bind(operations.PAUSE_WORKFLOW_RUN)
async def pause_workflow_run(call: Call, identifier: str, body: workflows.FlowRequestBody) -> workflows.WorkflowRunInfo:
    run = parse_run_id(identifier)
    await call.engine.workflows.operations.pause(call.namespace, run, actor=call.actor, reason=body.reason)
    return await run_with(call, run, paused=True)


@router.bind(operations.UNPAUSE_WORKFLOW_RUN)
async def unpause_workflow_run(
    call: Call, identifier: str, body: workflows.FlowRequestBody
) -> workflows.WorkflowRunInfo:
    run = parse_run_id(identifier)
    await call.engine.workflows.operations.unpause(call.namespace, run, actor=call.actor, reason=body.reason)
    return await run_with(call, run, paused=False)


async def run_with(call: Call, run: RunId, *, paused: bool) -> workflows.WorkflowRunInfo:
    """With what was asked for, which is noted already and taken up a moment later."""
    shown = await shown_run(call, run)
    return shown if shown.finished_at is not None else msgspec.structs.replace(shown, paused=paused)


@router.bind(operations.STOP_WORKFLOW_RUN)
async def stop_workflow_run(call: Call, identifier: str, body: workflows.FlowRequestBody) -> workflows.WorkflowRunInfo:
    run = parse_run_id(identifier)
    await call.engine.workflows.operations.stop(call.namespace, run, actor=call.actor, reason=body.reason)
    return await shown_run(call, run)


async def target_of(call: Call, run: RunId, version: int | None) -> TargetVersion | None:
    """The version that a run is to go by, 0 for the newest; None: its own."""
    if version is None:
        return None
    return await call.engine.workflows.changing.target(call.namespace, run, version or None)


def show_again(again: Again, *, dry_run: bool) -> workflows.AgainInfo:
    return workflows.AgainInfo(steps=again.steps, dry_run=dry_run)
