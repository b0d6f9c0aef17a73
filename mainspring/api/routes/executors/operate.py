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
from mainspring.api.http.paging import bad_cursor
from mainspring.api.openapi.document import accepts, answers
from mainspring.contract.executors import (
    BlockedInfo,
    CordonBody,
    CordonInfo,
    DrainBody,
    ExecutorInfo,
    ExecutorPage,
    ExecutorSessions,
    HeldRun,
    LoadInfo,
    PoolInfo,
    StuckInfo,
)
from mainspring.domain.cluster.session import Cordon, PoolSize, Presence, SessionLoad, SessionState
from mainspring.domain.ids import SessionId, id_text, parse_run_id
from mainspring.scheduler.operations.executors import ExecutorDetail
from mainspring.store.interface import PresenceFilter

PAGE_MAX = 500

ExecutorName = Annotated[str, Path(alias="name", description="Written as %2F, a slash is part of the name.")]
CURSOR = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([^\x00]*)", re.DOTALL)
Cursor = Annotated[str, Query(json_schema_extra={"pattern": f"^({CURSOR.pattern})?$"})]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]


STRUCTS = (CordonBody, DrainBody, ExecutorPage, ExecutorSessions)

router = APIRouter(prefix="/api/v1/executors", route_class=GuardedRoute, tags=["executors"])
_steer = msgspec.json.Decoder(CordonBody)
_drain = msgspec.json.Decoder(DrainBody)


@router.get("", openapi_extra=answers({200: (ExecutorPage,)}), response_model=None)
@require(Permission.EXECUTORS_READ)
async def list_executors(request: Request, *, limit: Limit = 50, cursor: Cursor = "") -> Response:
    """Executors that are connected, by name."""
    query = PresenceFilter(namespace=namespace_of(request), limit=limit)
    if cursor:
        query = msgspec.structs.replace(query, after=parse_cursor(cursor))
    found = await engine_of(request).executors.list(query)
    following, now = write_cursor(found[-1]) if len(found) == limit else None, request.app.state.clock.now()
    return show(ExecutorPage([show_executor(presence, now) for presence in found], following))


@router.get("/{name}", openapi_extra=answers({200: (ExecutorSessions,)}), response_model=None)
@require(Permission.EXECUTORS_READ)
async def get_executor(request: Request, name: ExecutorName) -> Response:
    """One executor, with its handlers and some of what it has."""
    return show_detail(request, await engine_of(request).executors.get(namespace_of(request), name))


@router.post(
    "/{name}/cordon",
    openapi_extra=accepts(CordonBody, optional=True) | answers({200: (ExecutorSessions,)}),
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
    openapi_extra=accepts(CordonBody, optional=True) | answers({200: (ExecutorSessions,)}),
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
    openapi_extra=accepts(DrainBody, optional=True) | answers({200: (ExecutorSessions,)}),
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
    view = ExecutorSessions(
        name=detail.executor,
        namespace=detail.namespace,
        cordon=show_cordon(detail.cordon),
        sessions=[show_executor(presence, now) for presence in detail.sessions],
        handlers={name: pool.value for each in handlers for name, pool in each.items()},
        runs=[
            HeldRun(id_text(held.id), held.job, held.attempt, held.claimed_at, id_text(held.session))
            for held in detail.runs
        ],
        more=detail.more,
    )
    return show(view)


def show_executor(presence: Presence, now: datetime) -> ExecutorInfo:
    session, load = presence.session, presence.load
    abilities = session.abilities
    renewed_at = presence.since if load is None else load.at
    return ExecutorInfo(
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
        blocked=[] if load is None else [BlockedInfo(*msgspec.structs.astuple(one)) for one in load.blocked],
        stuck=[] if load is None else [StuckInfo(one.pool.value, one.strays, one.waits) for one in load.stuck],
        cordon=show_cordon(presence.cordon),
    )


def show_load(load: SessionLoad | None) -> LoadInfo | None:
    return None if load is None else LoadInfo(load.cpu, load.memory, load.running, load.waiting, load.at, load.strays)


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


def show_pool(size: PoolSize, presence: Presence) -> PoolInfo:
    used = next((one for one in presence.load.pools if one.pool is size.pool), None) if presence.load else None
    room, taken = (size.room, None) if used is None else (used.room, used.taken)
    return PoolInfo(size.pool.value, size.core, size.max, size.queue, room, taken)


def show_cordon(cordon: Cordon | None) -> CordonInfo | None:
    if cordon is None:
        return None
    return CordonInfo(cordon.at, cordon.actor, cordon.reason, cordon.drain_at, cordon.grace)


def write_cursor(presence: Presence) -> str:
    return f"{id_text(presence.session.id)}.{presence.session.executor}"


def parse_cursor(text: str) -> tuple[str, SessionId]:
    found = CURSOR.fullmatch(text)
    if found is None:
        raise bad_cursor()
    return found[2], SessionId(parse_run_id(found[1]))
