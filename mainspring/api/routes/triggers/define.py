"""Serves triggers: defining, loading, pausing, skipping and firing them."""

from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import read_structs
from mainspring.api.http.paging import read_name_cursor, write_name_cursor
from mainspring.api.http.preconditions import is_known, path_to, tagged, unchanged
from mainspring.api.input.parameters import choice
from mainspring.api.routes.triggers.views import as_spec, show_trigger
from mainspring.contract.base.operation import EmptyBody
from mainspring.contract.operations import triggers
from mainspring.contract.operations.jobs import NoteQuery
from mainspring.contract.operations.runs import BODY_MANY_MAX
from mainspring.contract.triggers import FiredRun, LoadedTriggers, SkippedInstant, TriggerPage
from mainspring.domain.ids import id_text
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger, TriggerState
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.store.interface.triggers import TriggerFilter

router = Routes()


@router.bind(triggers.LIST_TRIGGERS)
async def list_triggers(call: Call, query: triggers.TriggerQuery) -> TriggerPage:
    texts = (query.prefix, query.job, query.owner, query.calendar, query.group)
    if any("\x00" in (text or "") for text in texts):
        # No name has it, and not every database can be asked for it.
        return TriggerPage([], None)
    wanted = TriggerFilter(
        namespace=call.namespace,
        prefix=query.prefix,
        job=query.job,
        kind=None if query.kind is None else choice("kind", query.kind, triggers.KINDS),
        state=None if query.state is None else TriggerState(choice("state", query.state, TriggerState)),
        owner=query.owner,
        calendar=query.calendar,
        group=query.group,
        after=read_name_cursor("trigger", query.cursor),
        limit=query.limit,
    )
    found, last = await call.engine.triggers.page(wanted)
    following = None if last is None else write_name_cursor("trigger", last)
    seen = [await call.engine.triggers.as_seen(trigger) for trigger in found]
    return TriggerPage([show_trigger(trigger) for trigger in seen], following)


@router.bind(triggers.LOAD_TRIGGERS, reads_body=True)
async def load_triggers(call: Call, query: NoteQuery) -> LoadedTriggers:
    with call.request.app.state.intake.hold() as held:
        specs = await read_structs(call.request, TriggerSpec, most=BODY_MANY_MAX, held=held)
        if not 1 <= len(specs) <= triggers.BULK_MAX:
            raise InvalidInputError("body", f"needs 1 to {triggers.BULK_MAX} triggers", code="bad_body")
        made = await call.engine.triggers.define(call.namespace, specs, actor=call.actor, note=query.note)
    return LoadedTriggers(len(made))


@router.bind(triggers.GET_TRIGGER)
async def get_trigger(call: Call, name: str) -> Response:
    trigger = await call.engine.triggers.get(call.namespace, name)
    if is_known(call.request, trigger.revision):
        return unchanged(trigger.revision)
    return await show_seen(call, trigger)


@router.bind(triggers.PUT_TRIGGER)
async def put_trigger(call: Call, name: str, body: triggers.TriggerBody) -> Response:
    expected, present = call.expected, await find(call, name)
    expected.check_version("trigger", name, None if present is None else present.revision)
    [made] = await call.engine.triggers.define(
        call.namespace,
        [as_spec(name, body)],
        actor=call.actor,
        note=body.note,
        match=None if present is None else present.revision,
        create=present is None,
    )
    return await show_seen(call, made, created=path_to("triggers", name) if present is None else "")


@router.bind(triggers.DELETE_TRIGGER)
async def delete_trigger(call: Call, name: str, query: NoteQuery) -> None:
    expected, match = call.expected.seeing(), None
    # Without an expected version nothing is read, so that a trigger whose row is damaged can be deleted.
    if expected.absent or expected.versions is not None:
        match = (await call.engine.triggers.get(call.namespace, name)).revision
        expected.check_version("trigger", name, match)
    await call.engine.triggers.delete(call.namespace, name, actor=call.actor, reason=query.note, match=match)


@router.bind(triggers.PAUSE_TRIGGER)
async def pause_trigger(call: Call, name: str, body: triggers.PauseTriggerBody) -> Response:
    return await show_seen(
        call, await call.engine.triggers.pause(call.namespace, name, reason=body.reason, actor=call.actor)
    )


@router.bind(triggers.RESUME_TRIGGER)
async def resume_trigger(call: Call, name: str, _body: EmptyBody) -> Response:
    return await show_seen(call, await call.engine.triggers.resume(call.namespace, name, actor=call.actor))


@router.bind(triggers.SKIP_NEXT)
async def skip_next(call: Call, name: str, _body: EmptyBody) -> SkippedInstant:
    trigger, skipped = await call.engine.triggers.skip_next(call.namespace, name, actor=call.actor)
    return SkippedInstant(skipped, show_trigger(await call.engine.triggers.as_seen(trigger)))


@router.bind(triggers.FIRE_NOW)
async def fire_now(call: Call, name: str, _body: EmptyBody) -> FiredRun:
    fire = await call.engine.triggers.fire_now(call.namespace, name, actor=call.actor)
    return FiredRun(id_text(fire.run), passed_over=list(fire.passed_over))


async def show_seen(call: Call, trigger: Trigger, *, created: str = "") -> Response:
    view = show_trigger(await call.engine.triggers.as_seen(trigger))
    return tagged(view, trigger.revision, created=created)


async def find(call: Call, name: str) -> Trigger | None:
    try:
        return await call.engine.triggers.get(call.namespace, name)
    except NotFoundError:
        return None
