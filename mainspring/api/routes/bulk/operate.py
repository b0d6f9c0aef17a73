"""Serves sweeps: one act on every run that matches, done in the background."""

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import next_of, read_id_cursor
from mainspring.api.views import view_of
from mainspring.contract.bulk import FlowPreviewInfo, SweepInfo, SweepPage, SweepPreview
from mainspring.contract.operations import bulk, sweeps
from mainspring.domain.bulk.operation import FlowTerms, Sweep, SweepFilter, SweepId
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.domain.metadata import check_labels, check_tags
from mainspring.domain.names import JOB_MAX, QUEUE_MAX, check_text

router = Routes()


@router.bind(bulk.CREATE_SWEEP)
async def create_sweep(call: Call, body: sweeps.NewSweepBody) -> SweepInfo:
    sweep = await call.engine.dead.sweep(
        call.namespace,
        body.act,
        checked(body.filter),
        actor=call.actor,
        reason=body.reason,
        canaries=body.canaries,
        everything=body.all,
        hold=body.hold,
        terms=msgspec.convert(body.terms, FlowTerms, from_attributes=True),
    )
    return show_sweep(sweep)


@router.bind(bulk.PREVIEW_SWEEP)
async def preview_sweep(call: Call, body: sweeps.SweepPreviewBody) -> SweepPreview:
    terms = msgspec.convert(body.terms, FlowTerms, from_attributes=True)
    found = await call.engine.dead.preview(
        call.namespace, body.act, checked(body.filter), everything=body.all, terms=terms
    )
    return SweepPreview(
        count=found.count,
        is_complete=found.is_complete,
        sample=[id_text(run) for run in found.sample],
        flows=[
            FlowPreviewInfo(run=id_text(one.run), steps=list(one.steps), refused=one.refused) for one in found.flows
        ],
    )


@router.bind(bulk.LIST_SWEEPS)
async def list_sweeps(call: Call, query: bulk.SweepQuery) -> SweepPage:
    before = None if query.cursor is None else SweepId(read_id_cursor(query.cursor))
    found = await call.engine.dead.list(call.namespace, before=before, limit=query.limit)
    return SweepPage([show_sweep(sweep) for sweep in found], next_of(found, query.limit, lambda s: id_text(s.id)))


@router.bind(bulk.GET_SWEEP)
async def get_sweep(call: Call, sweep_id: str) -> SweepInfo:
    return show_sweep(await call.engine.dead.get(call.namespace, SweepId(parse_run_id(sweep_id))))


@router.bind(bulk.CANCEL_SWEEP)
async def cancel_sweep(call: Call, sweep_id: str, body: sweeps.CancelSweepBody) -> SweepInfo:
    sweep = SweepId(parse_run_id(sweep_id))
    return show_sweep(await call.engine.dead.cancel(call.namespace, sweep, actor=call.actor, reason=body.reason))


def checked(body: sweeps.SweepFilterBody) -> SweepFilter:
    """The filter of a sweep; raises InvalidInputError for values that no run can have."""
    return SweepFilter(
        fingerprint=body.fingerprint,
        job=None if body.job is None else check_text(body.job, "filter.job", most=JOB_MAX, code="bad_job"),
        queue=None if body.queue is None else check_text(body.queue, "filter.queue", most=QUEUE_MAX, code="bad_queue"),
        states=body.states,
        tags=check_tags(body.tags),
        labels=check_labels(body.labels),
        since=body.since,
        until=body.until,
        failed_step=body.failed_step,
    )


def show_sweep(sweep: Sweep) -> SweepInfo:
    tried = [id_text(run) for run in sweep.tried]
    return view_of(SweepInfo, sweep, id=id_text(sweep.id), by=sweep.actor.name, tried=tried)
