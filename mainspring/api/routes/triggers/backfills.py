"""Serves backfills: runs for past fire times of a trigger, created in the background."""

from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import respond
from mainspring.api.http.paging import next_of, read_id_cursor, read_instant_cursor, write_instant_cursor
from mainspring.api.views import view_of
from mainspring.contract.bulk import BackfillInfo, BackfillPage, BackfillPreview, FilledInstant, FilledPage
from mainspring.contract.operations import bulk
from mainspring.domain.bulk.backfill import Backfill, BackfillFire, BackfillId
from mainspring.domain.bulk.backfill_checks import BackfillPlan, BackfillRequest
from mainspring.domain.ids import id_text, parse_run_id

router = Routes()


@router.bind(bulk.CREATE_BACKFILL)
async def create_backfill(call: Call, name: str, body: bulk.NewBackfillBody) -> BackfillInfo | Response:
    wanted = BackfillRequest(
        since=body.since,
        until=body.until,
        concurrency=body.concurrency,
        priority=body.priority,
        rerun=body.rerun,
        reason=body.reason,
    )
    if body.dry_run:
        return respond(show_plan(await call.engine.backfills.preview(call.namespace, name, wanted)))
    return show_backfill(await call.engine.backfills.begin(call.namespace, name, wanted, actor=call.actor))


@router.bind(bulk.LIST_BACKFILLS)
async def list_backfills(call: Call, query: bulk.BackfillQuery) -> BackfillPage:
    before = None if query.cursor is None else BackfillId(read_id_cursor(query.cursor))
    if "\x00" in (query.trigger or ""):
        # No name has it, and not every database can be asked for it.
        return BackfillPage([], None)
    backfills = await call.engine.backfills.list(
        call.namespace, trigger=query.trigger, before=before, limit=query.limit
    )
    following = next_of(backfills, query.limit, lambda last: id_text(last.id))
    return BackfillPage([show_backfill(backfill) for backfill in backfills], following)


@router.bind(bulk.GET_BACKFILL)
async def get_backfill(call: Call, backfill_id: str) -> BackfillInfo:
    return show_backfill(await call.engine.backfills.get(call.namespace, BackfillId(parse_run_id(backfill_id))))


@router.bind(bulk.LIST_FILLED)
async def list_filled(call: Call, backfill_id: str, query: bulk.FilledQuery) -> FilledPage:
    backfill = BackfillId(parse_run_id(backfill_id))
    after = None if query.cursor is None else read_instant_cursor(query.cursor)
    fires = await call.engine.backfills.fires(call.namespace, backfill, after=after, limit=query.limit)
    return show_fires(fires, limit=query.limit)


@router.bind(bulk.CANCEL_BACKFILL)
async def cancel_backfill(call: Call, backfill_id: str, body: bulk.CancelBackfillBody) -> BackfillInfo:
    backfill = BackfillId(parse_run_id(backfill_id))
    cancelled = await call.engine.backfills.cancel(call.namespace, backfill, actor=call.actor, reason=body.reason)
    return show_backfill(cancelled)


def show_plan(plan: BackfillPlan) -> BackfillPreview:
    return view_of(BackfillPreview, plan, sample=list(plan.sample))


def show_backfill(backfill: Backfill) -> BackfillInfo:
    return view_of(
        BackfillInfo,
        backfill,
        id=id_text(backfill.id),
        trigger=backfill.spec.name,
        job=backfill.spec.job,
        by=backfill.actor.name,
        live=[id_text(run) for run in backfill.live],
        next=backfill.place,
    )


def show_fires(fires: list[BackfillFire], *, limit: int) -> FilledPage:
    following = next_of(fires, limit, lambda last: write_instant_cursor(last.fire_at))
    return FilledPage([FilledInstant(fire.fire_at, id_text(fire.run)) for fire in fires], following)
