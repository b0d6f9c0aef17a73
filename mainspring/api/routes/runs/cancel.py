"""Serves cancels, changes and retries of runs."""

import msgspec
from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import respond
from mainspring.api.routes.runs.views import show_run
from mainspring.contract.operations import bulk, runs
from mainspring.contract.runs import CancelledRun, CancelledRuns, ChangedRuns, RunInfo
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.runs.change import RunChange
from mainspring.domain.runs.run import RunState

RUN_FINAL, RUN_UNKNOWN = "run_final", "unknown_run"

router = Routes()


@router.bind(runs.CANCEL_RUNS)
async def cancel_runs(call: Call, body: runs.CancelRunsBody) -> CancelledRuns:
    wanted = [parse_run_id(text) for text in body.runs]
    states = await call.engine.steering.cancel_many(call.namespace, wanted, actor=call.actor, reason=body.reason)
    return CancelledRuns([show_cancelled(run, states.get(run)) for run in wanted])


@router.bind(bulk.CHANGE_RUNS)
async def change_runs(call: Call, body: bulk.ChangeRunsBody) -> ChangedRuns:
    change = RunChange(priority=body.priority, due_at=body.due_at, queue=body.queue)
    wanted = [parse_run_id(text) for text in body.runs]
    changed = await call.engine.steering.change(call.namespace, wanted, change, actor=call.actor, reason=body.reason)
    return ChangedRuns([id_text(run) for run in wanted if run in set(changed)])


@router.bind(runs.CANCEL_RUN)
async def cancel_run(call: Call, run_id: str, body: runs.CancelBody) -> Response:
    engine, namespace, actor, run = call.engine, call.namespace, call.actor, parse_run_id(run_id)
    if body.children:
        # Also of a run that has ended: its children may not have.
        await engine.get(namespace, run)
        await engine.steering.cancel_many(namespace, [run], actor=actor, reason=body.reason)
        await engine.dead.cancel_below(namespace, run, actor=actor, reason=body.reason)
    else:
        await engine.steering.cancel(namespace, run, actor=actor, reason=body.reason)
    found = await engine.get(namespace, run)
    return respond(show_run(found), status=200 if found.state.final else 202)


@router.bind(runs.RETRY_RUN)
async def retry_run(call: Call, run_id: str, body: runs.RetryBody) -> RunInfo:
    engine, namespace, run = call.engine, call.namespace, parse_run_id(run_id)
    edited = None if body.input is msgspec.UNSET else await engine.dead.check_input(namespace, run, bytes(body.input))
    by_workflow = await engine.workflows.operations.retry_run(
        namespace, run, actor=call.actor, reason=body.reason, edited=edited is not None
    )
    if not by_workflow:
        await engine.steering.retry(
            namespace, run, actor=call.actor, force=body.force, reason=body.reason, input=edited
        )
    return show_run(await engine.get(namespace, run))


def show_cancelled(run: RunId, state: RunState | None) -> CancelledRun:
    if state is None:
        return CancelledRun(id=id_text(run), state=None, code=RUN_UNKNOWN)
    refused = state.final and state is not RunState.CANCELLED
    return CancelledRun(id=id_text(run), state=state.label, code=RUN_FINAL if refused else None)
