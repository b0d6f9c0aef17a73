"""Sweeps: one act on every run that matches, done in the background."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import read_struct, show
from mainspring.api.http.paging import read_id_cursor
from mainspring.api.openapi.document import accepts, answers
from mainspring.contract.bulk import CancelSweepBody, NewSweepBody, SweepFilterBody, SweepInfo, SweepPage
from mainspring.contract.fields import RUN_ID
from mainspring.domain.bulk.operation import Sweep, SweepFilter, SweepId
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.domain.metadata import check_labels, check_tags
from mainspring.domain.names import JOB_MAX, QUEUE_MAX, check_text

PAGE_MAX = 500

SweepIdText = Annotated[str, Path(alias="id", description="A UUID.", json_schema_extra={"pattern": RUN_ID})]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Cursor = Annotated[str | None, Query(json_schema_extra={"pattern": RUN_ID}, description="The `next` of a page.")]


STRUCTS = (SweepFilter, NewSweepBody, CancelSweepBody, SweepInfo, SweepPage)

router = APIRouter(prefix="/api/v1/sweeps", route_class=GuardedRoute, tags=["sweeps"])
_new = msgspec.json.Decoder(NewSweepBody)
_cancel = msgspec.json.Decoder(CancelSweepBody)


@router.post(
    "", status_code=202, openapi_extra=accepts(NewSweepBody) | answers({202: (SweepInfo,)}), response_model=None
)
@require(Permission.RUNS_STEER)
async def create_sweep(request: Request) -> Response:
    """Retry, discard or cancel every run that matches, in the background."""
    body = await read_struct(request, _new)
    sweep = await engine_of(request).dead.sweep(
        namespace_of(request),
        body.act,
        checked(body.filter),
        actor=actor_of(request),
        reason=body.reason,
        canaries=body.canaries,
        everything=body.all,
    )
    return show(show_sweep(sweep), status=202)


@router.get("", openapi_extra=answers({200: (SweepPage,)}), response_model=None)
@require(Permission.RUNS_READ)
async def list_sweeps(request: Request, *, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Sweeps, newest first."""
    before = None if cursor is None else SweepId(read_id_cursor(cursor))
    found = await engine_of(request).dead.list(namespace_of(request), before=before, limit=limit)
    following = id_text(found[-1].id) if len(found) == limit else None
    return show(SweepPage([show_sweep(sweep) for sweep in found], following))


@router.get("/{id}", openapi_extra=answers({200: (SweepInfo,)}), response_model=None)
@require(Permission.RUNS_READ)
async def get_sweep(request: Request, sweep_id: SweepIdText) -> Response:
    """One sweep: how far it has come."""
    sweep = SweepId(parse_run_id(sweep_id))
    return show(show_sweep(await engine_of(request).dead.get(namespace_of(request), sweep)))


@router.post(
    "/{id}/cancel",
    openapi_extra=accepts(CancelSweepBody, optional=True) | answers({200: (SweepInfo,)}),
    response_model=None,
)
@require(Permission.RUNS_STEER)
async def cancel_sweep(request: Request, sweep_id: SweepIdText) -> Response:
    """Leave the rest of a sweep as it is; what was done stays done."""
    body = await read_struct(request, _cancel, optional=True)
    sweep = await engine_of(request).dead.cancel(
        namespace_of(request), SweepId(parse_run_id(sweep_id)), actor=actor_of(request), reason=body.reason
    )
    return show(show_sweep(sweep))


def checked(body: SweepFilterBody) -> SweepFilter:
    """Raises InvalidInputError for what no run can have."""
    return SweepFilter(
        fingerprint=body.fingerprint,
        job=None if body.job is None else check_text(body.job, "filter.job", most=JOB_MAX, code="bad_job"),
        queue=None if body.queue is None else check_text(body.queue, "filter.queue", most=QUEUE_MAX, code="bad_queue"),
        states=body.states,
        tags=check_tags(body.tags),
        labels=check_labels(body.labels),
        since=body.since,
        until=body.until,
    )


def show_sweep(sweep: Sweep) -> SweepInfo:
    return SweepInfo(
        id=id_text(sweep.id),
        act=sweep.act,
        state=sweep.state,
        note=sweep.note,
        filter=sweep.filter,
        reason=sweep.reason,
        by=sweep.actor.name,
        canaries=sweep.canaries,
        tried=[id_text(run) for run in sweep.tried],
        changed=sweep.changed,
        passed=sweep.passed,
        expected=sweep.expected,
        created_at=sweep.created_at,
        moved_at=sweep.moved_at,
    )
