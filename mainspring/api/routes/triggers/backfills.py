"""Backfills: runs for instants of a trigger that lie behind, made in the background."""

import re
from datetime import datetime
from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import NUMBER, read_struct, show
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.jobs.views import Priority
from mainspring.api.routes.queues.views import Reason
from mainspring.api.routes.runs.bodies import RUN_ID, Instant
from mainspring.api.routes.triggers.define import TriggerName
from mainspring.api.routes.triggers.views import read_cursor, write_cursor
from mainspring.domain.bulk.backfill import PRIORITY, Backfill, BackfillFire, BackfillId, BackfillState
from mainspring.domain.bulk.backfill_checks import CONCURRENCY_MAX, BackfillPlan, BackfillRequest
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.domain.triggers.checks import NAME_MAX
from mainspring.errors import InvalidInputError

PAGE_MAX = 500

IdText = Annotated[str, Path(alias="id", description="A UUID.", json_schema_extra={"pattern": RUN_ID})]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Cursor = Annotated[str | None, Query(json_schema_extra={"pattern": RUN_ID}, description="The `next` of a page.")]
Place = Annotated[str, Query(json_schema_extra={"pattern": f"^{NUMBER.pattern}$"})]
Trigger = Annotated[str, Query(max_length=NAME_MAX, description="Of this trigger only.")]


class NewBackfillBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    since: Instant
    until: Instant | None = None
    """Instants not before `since`, and before `until`; null: up to a minute ago."""
    concurrency: Annotated[int, msgspec.Meta(ge=1, le=CONCURRENCY_MAX)] = 1
    """How many of its runs may be live at once."""
    priority: Priority = PRIORITY
    rerun: bool = False
    """Whether instants that have had a run get another one."""
    dry_run: bool = False
    """Only say what would be done."""
    reason: Reason = ""


class CancelBackfillBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""


class BackfillPlanView(msgspec.Struct, frozen=True, kw_only=True):
    """What a backfill would do."""

    since: datetime
    until: datetime
    instants: int
    fired: int
    """Of these, how many have had a run, as far as the ledger knows,"""
    runs: int
    """and how many would get one."""
    first: datetime | None
    last: datetime | None
    sample: list[datetime]
    """The first that would get one."""
    known_since: datetime
    """From when on the ledger is whole: whether an instant before that has had a run is not known for sure."""


class BackfillView(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    trigger: str
    job: str
    state: BackfillState
    """`running`; then `done`, `stopped` if what it needs is gone, or `cancelled`."""
    note: str
    """Why it stands where it stands."""
    since: datetime
    until: datetime
    concurrency: int
    priority: int
    rerun: bool
    reason: str
    by: str
    expected: int
    """How many instants there are."""
    made: int
    """How many of them got a run,"""
    passed: int
    """and how many had one already."""
    live: list[str]
    """Runs of its own that have not ended, as far as is known."""
    succeeded: int
    failed: int
    """Runs of its own that ended in any other way."""
    next: datetime | None
    """The first instant that is not accounted for; null: all are."""
    created_at: datetime
    moved_at: datetime


class BackfillsView(msgspec.Struct, frozen=True):
    """A page, newest first; `next` is the cursor of the one behind it."""

    backfills: list[BackfillView]
    next: str | None


class BackfillFireView(msgspec.Struct, frozen=True):
    at: datetime
    run: str


class BackfillFiresView(msgspec.Struct, frozen=True):
    """A page, oldest first; `next` is the cursor of the one behind it."""

    instants: list[BackfillFireView]
    next: str | None


STRUCTS = (NewBackfillBody, CancelBackfillBody, BackfillPlanView, BackfillView, BackfillsView, BackfillFiresView)

router = APIRouter(prefix="/api/v1", route_class=GuardedRoute, tags=["triggers"])
_new = msgspec.json.Decoder(NewBackfillBody)
_cancel = msgspec.json.Decoder(CancelBackfillBody)


@router.post(
    "/triggers/{name}/backfills",
    openapi_extra=accepts(NewBackfillBody) | answers({200: (BackfillPlanView,), 202: (BackfillView,)}),
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


@router.get("/backfills", openapi_extra=answers({200: (BackfillsView,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def list_backfills(
    request: Request, *, trigger: Trigger | None = None, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """Backfills, newest first."""
    before = None if cursor is None else parse_cursor(cursor)
    if "\x00" in (trigger or ""):
        # No name has it, and not every database can be asked for it.
        return show(BackfillsView([], None))
    found = await engine_of(request).backfills.list(namespace_of(request), trigger=trigger, before=before, limit=limit)
    following = id_text(found[-1].id) if len(found) == limit else None
    return show(BackfillsView([show_backfill(backfill) for backfill in found], following))


@router.get("/backfills/{id}", openapi_extra=answers({200: (BackfillView,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def get_backfill(request: Request, backfill_id: IdText) -> Response:
    """One backfill: how far it has come."""
    backfill = BackfillId(parse_run_id(backfill_id))
    return show(show_backfill(await engine_of(request).backfills.get(namespace_of(request), backfill)))


@router.get("/backfills/{id}/instants", openapi_extra=answers({200: (BackfillFiresView,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def list_filled(
    request: Request, backfill_id: IdText, *, limit: Limit = 100, cursor: Place | None = None
) -> Response:
    """The instants for which a backfill has made runs, oldest first."""
    backfill = BackfillId(parse_run_id(backfill_id))
    after = None if cursor is None else read_cursor(cursor)
    found = await engine_of(request).backfills.fires(namespace_of(request), backfill, after=after, limit=limit)
    return show(show_fires(found, limit=limit))


@router.post(
    "/backfills/{id}/cancel",
    openapi_extra=accepts(CancelBackfillBody, optional=True) | answers({200: (BackfillView,)}),
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


def parse_cursor(text: str) -> BackfillId:
    if not re.fullmatch(RUN_ID, text):
        raise InvalidInputError("cursor", "is not the `next` of a page", code="bad_cursor")
    return BackfillId(parse_run_id(text))


def show_plan(plan: BackfillPlan) -> BackfillPlanView:
    return BackfillPlanView(
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


def show_backfill(backfill: Backfill) -> BackfillView:
    return BackfillView(
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


def show_fires(fires: list[BackfillFire], *, limit: int) -> BackfillFiresView:
    following = write_cursor(fires[-1].fire_at) if len(fires) == limit else None
    return BackfillFiresView([BackfillFireView(fire.fire_at, id_text(fire.run)) for fire in fires], following)
