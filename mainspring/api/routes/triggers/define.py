"""Triggers: look at them, make, change and load them, pause them, skip an instant, fire one now."""

from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.bodies import BODY_MANY_MAX, BODY_ONE_MAX
from mainspring.api.http.json_io import read_struct, read_structs, show
from mainspring.api.http.preconditions import IF_MATCH, IF_NONE_MATCH, expected_of, is_known, tagged
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.openapi.trigger_limits import LIMITS
from mainspring.api.routes.jobs.define import NoteText
from mainspring.api.routes.triggers.views import STRUCTS, as_spec, show_trigger
from mainspring.contract.runs import AcceptedRun
from mainspring.contract.triggers import (
    BULK_MAX,
    LoadedTriggers,
    NoBody,
    PauseTriggerBody,
    SkippedInstant,
    TriggerBody,
    TriggerInfo,
    TriggerPage,
)
from mainspring.contract.view import REF
from mainspring.domain.ids import id_text
from mainspring.domain.triggers.checks import NAME_MAX
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger, TriggerState
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.store.interface.triggers import TriggerFilter

__all__ = ["LIMITS", "STRUCTS", "router"]

PAGE_MAX = 500
CURSOR = "trigger:"
KINDS = ("cron", "interval", "delay", "once", "windows", "webhook", "event")

TriggerName = Annotated[str, Path(alias="name", max_length=NAME_MAX)]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Cursor = Annotated[str, Query(pattern=rf"^({CURSOR}[^\x00]*)?$")]
Kind = Annotated[str, Query(json_schema_extra={"enum": list(KINDS)})]
State = Annotated[str, Query(json_schema_extra={"enum": [state.value for state in TriggerState]})]

router = APIRouter(prefix="/api/v1/triggers", route_class=GuardedRoute, tags=["triggers"])
_trigger = msgspec.json.Decoder(TriggerBody)
_pause = msgspec.json.Decoder(PauseTriggerBody)
_nothing = msgspec.json.Decoder(NoBody)

MANY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "array",
                    "items": {"$ref": REF.format(name="TriggerSpec")},
                    "minItems": 1,
                    "description": f"Up to {BULK_MAX}, each name once.",
                }
            }
        },
    }
}


@router.get("", openapi_extra=answers({200: (TriggerPage,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def list_triggers(
    request: Request,
    *,
    prefix: str = "",
    job: str | None = None,
    kind: Kind | None = None,
    state: State | None = None,
    owner: str | None = None,
    calendar: str | None = None,
    group: str | None = None,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
    """Triggers by name."""
    wanted, asked = parse_choice("kind", kind, KINDS), parse_choice("state", state, tuple(TriggerState))
    if any("\x00" in (text or "") for text in (prefix, job, owner, calendar, group)):
        # No name has it, and not every database can be asked for it.
        return show(TriggerPage([], None))
    query = TriggerFilter(
        namespace=namespace_of(request),
        prefix=prefix,
        job=job,
        kind=wanted,
        state=None if asked is None else TriggerState(asked),
        owner=owner,
        calendar=calendar,
        group=group,
        after=cursor.removeprefix(CURSOR),
        limit=limit,
    )
    triggers = engine_of(request).triggers
    found = await triggers.list(query)
    following = f"{CURSOR}{found[-1].name}" if len(found) == limit else None
    return show(TriggerPage([show_trigger(await triggers.as_seen(trigger)) for trigger in found], following))


@router.post("/bulk", openapi_extra=MANY | answers({200: (LoadedTriggers,)}), response_model=None)
@require(Permission.TRIGGERS_WRITE)
async def load_triggers(request: Request, *, note: NoteText = "") -> Response:
    """Make up to 10,000 triggers, or give those that are there these definitions: all or none."""
    with request.app.state.intake.hold() as held:
        specs = await read_structs(request, TriggerSpec, most=BODY_MANY_MAX, held=held)
        if not 1 <= len(specs) <= BULK_MAX:
            raise InvalidInputError("body", f"needs 1 to {BULK_MAX} triggers", code="bad_body")
        made = await engine_of(request).triggers.define(
            namespace_of(request), specs, actor=actor_of(request), note=note
        )
    return show(LoadedTriggers(len(made)))


@router.get("/{name}", openapi_extra=answers({200: (TriggerInfo,), 304: ()}, tagged=True), response_model=None)
@require(Permission.TRIGGERS_READ)
async def get_trigger(request: Request, name: TriggerName) -> Response:
    """One trigger; its revision is the `ETag`."""
    found = await engine_of(request).triggers.get(namespace_of(request), name)
    if is_known(request, found.revision):
        return tagged(Response(status_code=304), found.revision)
    return tagged(await show_seen(request, found), found.revision)


@router.put(
    "/{name}",
    openapi_extra=accepts(TriggerBody)
    | answers({200: (TriggerInfo,), 201: (TriggerInfo,)}, tagged=True)
    | {"parameters": [IF_MATCH, IF_NONE_MATCH]},
    response_model=None,
)
@require(Permission.TRIGGERS_WRITE)
async def put_trigger(request: Request, name: TriggerName) -> Response:
    """Make a trigger, or give it another definition; one that is there needs `If-Match`."""
    expected, body = expected_of(request), await read_struct(request, _trigger, most=BODY_ONE_MAX)
    present = await find(request, name)
    expected.check_version("trigger", name, None if present is None else present.revision)
    [made] = await engine_of(request).triggers.define(
        namespace_of(request),
        [as_spec(name, body)],
        actor=actor_of(request),
        note=body.note,
        match=None if present is None else present.revision,
        create=present is None,
    )
    answer = tagged(await show_seen(request, made, status=201 if present is None else 200), made.revision)
    if present is None:
        answer.headers["location"] = f"/api/v1/triggers/{quote(name, safe='')}"
    return answer


@router.delete(
    "/{name}", status_code=204, openapi_extra=answers({204: ()}) | {"parameters": [IF_MATCH]}, response_model=None
)
@require(Permission.TRIGGERS_WRITE)
async def delete_trigger(request: Request, name: TriggerName, *, note: NoteText = "") -> Response:
    """Take a trigger away, with the runs that were made ahead for it; runs that were due stay."""
    expected, triggers, namespace = expected_of(request).seeing(), engine_of(request).triggers, namespace_of(request)
    present = await triggers.get(namespace, name)
    expected.check_version("trigger", name, present.revision)
    match = None if expected.versions is None else present.revision
    await triggers.delete(namespace, name, actor=actor_of(request), reason=note, match=match)
    return Response(status_code=204)


@router.post(
    "/{name}/pause",
    openapi_extra=accepts(PauseTriggerBody, optional=True) | answers({200: (TriggerInfo,)}, tagged=True),
    response_model=None,
)
@require(Permission.TRIGGERS_STEER)
async def pause_trigger(request: Request, name: TriggerName) -> Response:
    """Fire at nothing from now on; runs that were made ahead are withdrawn, those that were due go on."""
    body = await read_struct(request, _pause, optional=True)
    found = await engine_of(request).triggers.pause(
        namespace_of(request), name, reason=body.reason, actor=actor_of(request)
    )
    return tagged(await show_seen(request, found), found.revision)


@router.post(
    "/{name}/resume",
    openapi_extra=accepts(NoBody, optional=True) | answers({200: (TriggerInfo,)}, tagged=True),
    response_model=None,
)
@require(Permission.TRIGGERS_STEER)
async def resume_trigger(request: Request, name: TriggerName) -> Response:
    """End a pause; the instants that passed meanwhile are skipped. Without a pause nothing is changed."""
    await read_struct(request, _nothing, optional=True)
    found = await engine_of(request).triggers.resume(namespace_of(request), name, actor=actor_of(request))
    return tagged(await show_seen(request, found), found.revision)


@router.post(
    "/{name}/skip-next",
    openapi_extra=accepts(NoBody, optional=True) | answers({200: (SkippedInstant,)}),
    response_model=None,
)
@require(Permission.TRIGGERS_STEER)
async def skip_next(request: Request, name: TriggerName) -> Response:
    """Leave out the next instant."""
    await read_struct(request, _nothing, optional=True)
    triggers = engine_of(request).triggers
    found, skipped = await triggers.skip_next(namespace_of(request), name, actor=actor_of(request))
    return show(SkippedInstant(skipped, show_trigger(await triggers.as_seen(found))))


@router.post(
    "/{name}/fire",
    status_code=201,
    openapi_extra=accepts(NoBody, optional=True) | answers({201: (AcceptedRun,)}),
    response_model=None,
)
@require(Permission.TRIGGERS_STEER)
async def fire_now(request: Request, name: TriggerName) -> Response:
    """Start a run as the trigger would, now, beside its instants."""
    await read_struct(request, _nothing, optional=True)
    run = await engine_of(request).triggers.fire_now(namespace_of(request), name, actor=actor_of(request))
    return show(AcceptedRun(id_text(run), existing=False), status=201)


async def show_seen(request: Request, trigger: Trigger, *, status: int = 200) -> Response:
    return show(show_trigger(await engine_of(request).triggers.as_seen(trigger)), status=status)


async def find(request: Request, name: str) -> Trigger | None:
    try:
        return await engine_of(request).triggers.get(namespace_of(request), name)
    except NotFoundError:
        return None


def parse_choice(field: str, said: str | None, known: tuple[str, ...]) -> str | None:
    if said is not None and said not in known:
        raise InvalidInputError(field, f"{said!r} is not one of {', '.join(known)}", code=f"bad_{field}")
    return said
