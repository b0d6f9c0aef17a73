"""Backfills: runs for instants of a trigger that lie behind, made in the background."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import NUMBER, read_struct, show
from mainspring.api.http.paging import read_id_cursor, read_instant_cursor, write_instant_cursor
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.triggers.define import TriggerName
from mainspring.contract.bulk import (
    BackfillInfo,
    BackfillPage,
    BackfillPreview,
    CancelBackfillBody,
    FilledInstant,
    FilledPage,
    NewBackfillBody,
)
from mainspring.contract.fields import RUN_ID
from mainspring.domain.bulk.backfill import Backfill, BackfillFire, BackfillId
from mainspring.domain.bulk.backfill_checks import BackfillPlan, BackfillRequest
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.domain.triggers.checks import NAME_MAX

PAGE_MAX = 500

IdText = Annotated[str, Path(alias="id", description="A UUID.", json_schema_extra={"pattern": RUN_ID})]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Cursor = Annotated[str | None, Query(json_schema_extra={"pattern": RUN_ID}, description="The `next` of a page.")]
Place = Annotated[str, Query(json_schema_extra={"pattern": f"^{NUMBER.pattern}$"})]
Trigger = Annotated[str, Query(max_length=NAME_MAX, description="Of this trigger only.")]


STRUCTS = (NewBackfillBody, CancelBackfillBody, BackfillPreview, BackfillInfo, BackfillPage, FilledPage)

router = APIRouter(prefix="/api/v1", route_class=GuardedRoute, tags=["triggers"])
_new = msgspec.json.Decoder(NewBackfillBody)
_cancel = msgspec.json.Decoder(CancelBackfillBody)


@router.post(
    "/triggers/{name}/backfills",
    openapi_extra=accepts(NewBackfillBody) | answers({200: (BackfillPreview,), 202: (BackfillInfo,)}),
    response_model=None,
)
@require(Permission.TRIGGERS_STEER)
async def create_backfill(request: Request, name: TriggerName) -> Response:
    """Make runs for instants that lie behind, in the background; with `dry_run`, say what that would be."""
    body = await read_struct(request, _new)
    wanted = BackfillRequest(
        since=body.since,
        until=body.until,
        concurrency=body.concurrency,
        priority=body.priority,
        rerun=body.rerun,
        reason=body.reason,
    )
    backfills, namespace = engine_of(request).backfills, namespace_of(request)
    if body.dry_run:
        return show(show_plan(await backfills.preview(namespace, name, wanted)))
    return show(show_backfill(await backfills.begin(namespace, name, wanted, actor=actor_of(request))), status=202)


@router.get("/backfills", openapi_extra=answers({200: (BackfillPage,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def list_backfills(
    request: Request, *, trigger: Trigger | None = None, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """Backfills, newest first."""
    before = None if cursor is None else BackfillId(read_id_cursor(cursor))
    if "\x00" in (trigger or ""):
        # No name has it, and not every database can be asked for it.
        return show(BackfillPage([], None))
    found = await engine_of(request).backfills.list(namespace_of(request), trigger=trigger, before=before, limit=limit)
    following = id_text(found[-1].id) if len(found) == limit else None
    return show(BackfillPage([show_backfill(backfill) for backfill in found], following))


@router.get("/backfills/{id}", openapi_extra=answers({200: (BackfillInfo,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def get_backfill(request: Request, backfill_id: IdText) -> Response:
    """One backfill: how far it has come."""
    backfill = BackfillId(parse_run_id(backfill_id))
    return show(show_backfill(await engine_of(request).backfills.get(namespace_of(request), backfill)))


@router.get("/backfills/{id}/instants", openapi_extra=answers({200: (FilledPage,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def list_filled(
    request: Request, backfill_id: IdText, *, limit: Limit = 100, cursor: Place | None = None
) -> Response:
    """The instants for which a backfill has made runs, oldest first."""
    backfill = BackfillId(parse_run_id(backfill_id))
    after = None if cursor is None else read_instant_cursor(cursor)
    found = await engine_of(request).backfills.fires(namespace_of(request), backfill, after=after, limit=limit)
    return show(show_fires(found, limit=limit))


@router.post(
    "/backfills/{id}/cancel",
    openapi_extra=accepts(CancelBackfillBody, optional=True) | answers({200: (BackfillInfo,)}),
    response_model=None,
)
@require(Permission.TRIGGERS_STEER)
async def cancel_backfill(request: Request, backfill_id: IdText) -> Response:
    """Make no more runs; those that were made go on."""
    body = await read_struct(request, _cancel, optional=True)
    backfill = await engine_of(request).backfills.cancel(
        namespace_of(request), BackfillId(parse_run_id(backfill_id)), actor=actor_of(request), reason=body.reason
    )
    return show(show_backfill(backfill))


def show_plan(plan: BackfillPlan) -> BackfillPreview:
    return BackfillPreview(
        since=plan.since,
        until=plan.until,
        instants=plan.instants,
        fired=plan.fired,
        runs=plan.runs,
        first=plan.first,
        last=plan.last,
        sample=list(plan.sample),
        known_since=plan.known_since,
    )


def show_backfill(backfill: Backfill) -> BackfillInfo:
    return BackfillInfo(
        id=id_text(backfill.id),
        trigger=backfill.spec.name,
        job=backfill.spec.job,
        state=backfill.state,
        note=backfill.note,
        since=backfill.since,
        until=backfill.until,
        concurrency=backfill.concurrency,
        priority=backfill.priority,
        rerun=backfill.rerun,
        reason=backfill.reason,
        by=backfill.actor.name,
        expected=backfill.expected,
        made=backfill.made,
        passed=backfill.passed,
        live=[id_text(run) for run in backfill.live],
        succeeded=backfill.succeeded,
        failed=backfill.failed,
        next=backfill.place,
        created_at=backfill.created_at,
        moved_at=backfill.moved_at,
    )


def show_fires(fires: list[BackfillFire], *, limit: int) -> FilledPage:
    following = write_instant_cursor(fires[-1].fire_at) if len(fires) == limit else None
    return FilledPage([FilledInstant(fire.fire_at, id_text(fire.run)) for fire in fires], following)
