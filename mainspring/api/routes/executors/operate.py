"""Executors: who is there and how busy, and keeping them from new work."""

import re
from datetime import datetime
from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import read_struct, show
from mainspring.api.openapi.document import accepts, answers
from mainspring.domain.cluster.session import Cordon, PoolSize, Presence, SessionLoad, SessionState
from mainspring.domain.ids import SessionId, id_text, parse_run_id
from mainspring.errors import InvalidInputError
from mainspring.scheduler.operations.executors import GRACE_MAX, REASON_MAX, ExecutorDetail
from mainspring.scheduler.operations.jobs import LINES
from mainspring.store.interface import PresenceFilter

PAGE_MAX = 500
GRACE_DEFAULT = 30.0

ExecutorName = Annotated[str, Path(alias="name", description="Written as %2F, a slash is part of the name.")]
CURSOR = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([^\x00]*)", re.DOTALL)
Cursor = Annotated[str, Query(json_schema_extra={"pattern": f"^({CURSOR.pattern})?$"})]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Reason = Annotated[str, msgspec.Meta(max_length=REASON_MAX, extra_json_schema={"pattern": f"^{LINES.pattern}$"})]


class SteerBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""


class DrainBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""
    grace: Annotated[float, msgspec.Meta(ge=0, le=GRACE_MAX)] = GRACE_DEFAULT
    """Seconds that attempts under way have to end by themselves."""


class PoolView(msgspec.Struct, frozen=True):
    """A pool's size; `room` is how many attempts it may hold in all, and `taken` how many it holds."""

    pool: str
    core: int
    max: int
    queue: int
    room: int
    taken: int | None


class LoadView(msgspec.Struct, frozen=True):
    """As the executor's last beat said."""

    cpu: float
    """Share of one core."""
    memory: int
    """Resident bytes."""
    running: int
    waiting: int
    at: datetime
    strays: int
    """Threads that go on with attempts which were given up."""


class BlockedView(msgspec.Struct, frozen=True):
    """A handler that kept the executor's event loop from all others."""

    handler: str
    """Empty if it could not be told which."""
    run: str
    seconds: float
    at: datetime
    place: str
    """Where in its code it was."""


class StuckView(msgspec.Struct, frozen=True):
    """A pool whose slots are held by `strays`, given up and going on, and `waits`, for runs that need the same pool."""

    pool: str
    strays: int
    waits: int


class CordonView(msgspec.Struct, frozen=True):
    at: datetime
    actor: str
    reason: str
    drain_at: datetime | None
    grace: float


class ExecutorView(msgspec.Struct, frozen=True, kw_only=True):
    """A living session of an executor: one start of it."""

    name: str
    namespace: str
    session: str
    state: str
    """`live`, `draining` or `cordoned`."""
    server: str
    host: str
    code_version: str
    labels: dict[str, str]
    queues: list[str]
    handlers: int
    pools: list[PoolView]
    load: LoadView | None
    opened_at: datetime
    lease_until: datetime
    lease_age: float
    """Seconds since the lease was renewed last."""
    blocked: list[BlockedView]
    """Handlers that lately blocked its event loop, the newest last."""
    stuck: list[StuckView]
    """Pools without a usable slot: runs wait for one with the reason `stuck`."""
    cordon: CordonView | None


class ExecutorsView(msgspec.Struct, frozen=True):
    """A page; `next` is the cursor of the one behind it."""

    executors: list[ExecutorView]
    next: str | None


class HeldRunView(msgspec.Struct, frozen=True):
    id: str
    job: str
    attempt: int
    claimed_at: datetime
    session: str


class ExecutorDetailView(msgspec.Struct, frozen=True, kw_only=True):
    """The executors of one name: usually one, none while it is away, two for a moment while it restarts."""

    name: str
    namespace: str
    cordon: CordonView | None
    sessions: list[ExecutorView]
    handlers: dict[str, str]
    """With the pool that runs each."""
    runs: list[HeldRunView]
    """Some of what they have."""
    more: bool
    """Whether they have more."""


STRUCTS = (SteerBody, DrainBody, ExecutorsView, ExecutorDetailView)

router = APIRouter(prefix="/api/v1/executors", route_class=GuardedRoute, tags=["executors"])
_steer = msgspec.json.Decoder(SteerBody)
_drain = msgspec.json.Decoder(DrainBody)


@router.get("", openapi_extra=answers({200: (ExecutorsView,)}), response_model=None)
@require(Permission.EXECUTORS_READ)
async def list_executors(request: Request, *, limit: Limit = 50, cursor: Cursor = "") -> Response:
    """Executors that are connected, by name."""
    query = PresenceFilter(namespace=namespace_of(request), limit=limit)
    if cursor:
        query = msgspec.structs.replace(query, after=parse_cursor(cursor))
    found = await engine_of(request).executors.list(query)
    following, now = write_cursor(found[-1]) if len(found) == limit else None, request.app.state.clock.now()
    return show(ExecutorsView([show_executor(presence, now) for presence in found], following))


@router.get("/{name}", openapi_extra=answers({200: (ExecutorDetailView,)}), response_model=None)
@require(Permission.EXECUTORS_READ)
async def get_executor(request: Request, name: ExecutorName) -> Response:
    """One executor, with its handlers and some of what it has."""
    return show_detail(request, await engine_of(request).executors.get(namespace_of(request), name))


@router.post(
    "/{name}/cordon",
    openapi_extra=accepts(SteerBody, optional=True) | answers({200: (ExecutorDetailView,)}),
    response_model=None,
)
@require(Permission.EXECUTORS_STEER)
async def cordon_executor(request: Request, name: ExecutorName) -> Response:
    """Let it take nothing new, over restarts too; what it has goes on."""
    body = await read_struct(request, _steer, optional=True)
    steering, actor = engine_of(request).executors, actor_of(request)
    return show_detail(request, await steering.cordon(namespace_of(request), name, actor=actor, reason=body.reason))


@router.post(
    "/{name}/uncordon",
    openapi_extra=accepts(SteerBody, optional=True) | answers({200: (ExecutorDetailView,)}),
    response_model=None,
)
@require(Permission.EXECUTORS_STEER)
async def uncordon_executor(request: Request, name: ExecutorName) -> Response:
    """Let it take work again, after a cordon or a drain."""
    body = await read_struct(request, _steer, optional=True)
    steering, actor = engine_of(request).executors, actor_of(request)
    return show_detail(request, await steering.uncordon(namespace_of(request), name, actor=actor, reason=body.reason))


@router.post(
    "/{name}/drain",
    openapi_extra=accepts(DrainBody, optional=True) | answers({200: (ExecutorDetailView,)}),
    response_model=None,
)
@require(Permission.EXECUTORS_STEER)
async def drain_executor(request: Request, name: ExecutorName) -> Response:
    """Cordon it, and let it finish or hand back what it has; it stays connected, and idle."""
    body = await read_struct(request, _drain, optional=True)
    steering, actor = engine_of(request).executors, actor_of(request)
    drained = await steering.drain(namespace_of(request), name, actor=actor, reason=body.reason, grace=body.grace)
    return show_detail(request, drained)


def show_detail(request: Request, detail: ExecutorDetail) -> Response:
    now = request.app.state.clock.now()
    handlers = [one.session.abilities.handlers for one in detail.sessions]
    view = ExecutorDetailView(
        name=detail.executor,
        namespace=detail.namespace,
        cordon=show_cordon(detail.cordon),
        sessions=[show_executor(presence, now) for presence in detail.sessions],
        handlers={name: pool.value for each in handlers for name, pool in each.items()},
        runs=[
            HeldRunView(id_text(held.id), held.job, held.attempt, held.claimed_at, id_text(held.session))
            for held in detail.runs
        ],
        more=detail.more,
    )
    return show(view)


def show_executor(presence: Presence, now: datetime) -> ExecutorView:
    session, load = presence.session, presence.load
    abilities = session.abilities
    renewed_at = presence.since if load is None else load.at
    return ExecutorView(
        name=session.executor,
        namespace=session.namespace,
        session=id_text(session.id),
        state=state_of(presence),
        server=presence.server,
        host=abilities.host,
        code_version=abilities.code_version,
        labels=abilities.labels,
        queues=abilities.queues,
        handlers=len(abilities.handlers),
        pools=[show_pool(size, presence) for size in abilities.pools],
        load=show_load(load),
        opened_at=presence.since,
        lease_until=session.lease_until,
        lease_age=max((now - renewed_at).total_seconds(), 0.0),
        blocked=[] if load is None else [BlockedView(*msgspec.structs.astuple(one)) for one in load.blocked],
        stuck=[] if load is None else [StuckView(one.pool.value, one.strays, one.waits) for one in load.stuck],
        cordon=show_cordon(presence.cordon),
    )


def show_load(load: SessionLoad | None) -> LoadView | None:
    return None if load is None else LoadView(load.cpu, load.memory, load.running, load.waiting, load.at, load.strays)


def state_of(presence: Presence) -> str:
    """What an operator calls it: one that was told to drain drains until it has nothing left."""
    if presence.session.state is SessionState.DRAINING:
        return "draining"
    cordon, load = presence.cordon, presence.load
    if cordon is None:
        return "live"
    if cordon.drain_at is None:
        return "cordoned"
    idle = load is not None and load.at >= cordon.drain_at and not any(pool.taken for pool in load.pools)
    return "cordoned" if idle else "draining"


def show_pool(size: PoolSize, presence: Presence) -> PoolView:
    used = next((one for one in presence.load.pools if one.pool is size.pool), None) if presence.load else None
    room, taken = (size.room, None) if used is None else (used.room, used.taken)
    return PoolView(size.pool.value, size.core, size.max, size.queue, room, taken)


def show_cordon(cordon: Cordon | None) -> CordonView | None:
    if cordon is None:
        return None
    return CordonView(cordon.at, cordon.actor, cordon.reason, cordon.drain_at, cordon.grace)


def write_cursor(presence: Presence) -> str:
    return f"{id_text(presence.session.id)}.{presence.session.executor}"


def parse_cursor(text: str) -> tuple[str, SessionId]:
    found = CURSOR.fullmatch(text)
    if found is None:
        raise InvalidInputError("cursor", "is not the `next` of a page", code="bad_cursor")
    return found[2], SessionId(parse_run_id(found[1]))
