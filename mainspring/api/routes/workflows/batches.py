"""Serves batches: named sets of runs."""

import asyncio
import re
from collections.abc import Sequence

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import bad_cursor, next_of, read_id_cursor
from mainspring.api.routes.runs.bodies import as_requests
from mainspring.api.routes.workflows.operate import with_times
from mainspring.contract.operations.runs import NewRunBody
from mainspring.contract.workflows import batches
from mainspring.contract.workflows.bodies import StepRunInfo
from mainspring.domain.batches.batch import STEP_NAME, BatchSpec, counts_of
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.workflows.flow import STATES
from mainspring.domain.workflows.spec import StepCall
from mainspring.domain.workflows.stages import outcome
from mainspring.errors import InvalidInputError
from mainspring.scheduler.workflows.batches import BatchView

router = Routes()


@router.bind(batches.LIST_BATCHES)
async def list_batches(call: Call, query: batches.BatchQuery) -> batches.BatchPage:
    operations = call.engine.workflows.batches
    if query.name is not None:
        run = await operations.named(call.namespace, query.name)
        found = [] if run is None else [await operations.get(call.namespace, run)]
        return batches.BatchPage([show_batch(one) for one in found])
    before = None if query.cursor is None else read_id_cursor(query.cursor)
    page = await operations.list(call.namespace, before=before, limit=query.limit)
    following = next_of(page, query.limit, lambda last: id_text(last.view.run))
    return batches.BatchPage([show_batch(one) for one in page], following)


@router.bind(batches.CREATE_BATCH)
async def create_batch(call: Call, body: batches.NewBatchBody) -> batches.BatchInfo:
    spec = BatchSpec(
        name=body.name,
        on_success=read_callback(body.on_success),
        on_failure=read_callback(body.on_failure),
        finally_=read_callback(body.finally_),
    )
    run = await call.engine.workflows.batches.create(
        call.namespace,
        spec,
        read_runs(call, body.runs),
        closed=body.close,
        deadline=body.deadline,
        actor=call.actor,
    )
    return await shown_batch(call, run)


@router.bind(batches.GET_BATCH)
async def get_batch(call: Call, identifier: str) -> batches.BatchInfo:
    return await shown_batch(call, parse_run_id(identifier))


@router.bind(batches.LIST_BATCH_RUNS)
async def list_batch_runs(call: Call, identifier: str, query: batches.BatchRunQuery) -> batches.BatchRunPage:
    run = parse_run_id(identifier)
    await call.engine.workflows.batches.get(call.namespace, run)
    if query.times and query.limit > batches.TIMES_MAX:
        raise InvalidInputError("limit", f"is at most {batches.TIMES_MAX} with times", code="bad_limit")
    after = read_item_cursor(query.cursor)
    found = await call.engine.workflows.batches.runs(run, after=after, limit=query.limit, failed=query.failed)
    runs = [StepRunInfo(step=STEP_NAME, item=one.item, run=id_text(one.run)) for one in found]
    if query.times:
        runs = await asyncio.gather(*(with_times(call, one) for one in runs))
    return batches.BatchRunPage(runs, next_of(found, query.limit, lambda last: str(last.item)))


@router.bind(batches.ADD_BATCH_RUNS)
async def add_batch_runs(call: Call, identifier: str, body: batches.AddRunsBody) -> batches.AddedRuns:
    before, made = await call.engine.workflows.batches.add(
        call.namespace, parse_run_id(identifier), read_runs(call, body.runs), at=body.at, actor=call.actor
    )
    return batches.AddedRuns(before, [id_text(run) for run in made])


@router.bind(batches.CLOSE_BATCH)
async def close_batch(call: Call, identifier: str) -> batches.BatchInfo:
    run = parse_run_id(identifier)
    await call.engine.workflows.batches.close(call.namespace, run, actor=call.actor)
    return await shown_batch(call, run)


@router.bind(batches.CANCEL_BATCH)
async def cancel_batch(call: Call, identifier: str, body: batches.BatchRequestBody) -> batches.BatchInfo:
    run = parse_run_id(identifier)
    await call.engine.workflows.batches.refuse_over(call.namespace, run)
    await call.engine.steering.cancel(call.namespace, run, actor=call.actor, reason=body.reason)
    return await shown_batch(call, run)


@router.bind(batches.RETRY_BATCH)
async def retry_batch(call: Call, identifier: str, body: batches.RetryBatchBody) -> batches.RetriedBatch:
    runs = await call.engine.workflows.batches.retry(
        call.namespace, parse_run_id(identifier), actor=call.actor, reason=body.reason, dry_run=body.dry_run
    )
    return batches.RetriedBatch(runs=runs, dry_run=body.dry_run)


def read_runs(call: Call, runs: Sequence[NewRunBody]) -> list[RunRequest]:
    return as_requests(runs, call.now, call.actor.name)


def read_item_cursor(text: str | None) -> int:
    """The last number of the page before, -1 for the first page; raises InvalidInputError."""
    if text is None:
        return -1
    if not re.fullmatch(batches.ITEM, text):
        raise bad_cursor()
    return int(text)


def read_callback(body: batches.CallbackBody | None) -> StepCall | None:
    return None if body is None else StepCall(job=body.job, input=body.input)


async def shown_batch(call: Call, run: RunId) -> batches.BatchInfo:
    return show_batch(await call.engine.workflows.batches.get(call.namespace, run))


def show_batch(one: BatchView) -> batches.BatchInfo:
    counts, spec, view = counts_of(one.view.flow), one.spec, one.view
    jobs = [None if call is None else call.job for call in (spec.on_success, spec.on_failure, spec.finally_)]
    return batches.BatchInfo(
        id=id_text(view.run),
        name=spec.name,
        state=state_of(one),
        size=counts.size,
        unfinished=counts.size - counts.ended,
        succeeded=counts.succeeded,
        failed=counts.failed - counts.cancelled,
        cancelled=counts.cancelled,
        progress=round(counts.ended / counts.size, 4) if counts.size else 1.0,
        created_at=view.began_at,
        finished_at=view.finished_at,
        on_success=jobs[0],
        on_failure=jobs[1],
        finally_=jobs[2],
    )


def state_of(one: BatchView) -> str:
    if one.view.finished_at is not None:
        return STATES[outcome(one.graph, one.view.flow)]
    counts = counts_of(one.view.flow)
    return "open" if counts.open and not one.view.flow.stopped else "running"
