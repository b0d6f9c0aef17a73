"""Serves executors."""

import re
from datetime import datetime

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import bad_cursor, next_of
from mainspring.contract.executors import (
    BlockedInfo,
    CordonInfo,
    ExecutorInfo,
    ExecutorPage,
    ExecutorSessions,
    HeldRun,
    LoadInfo,
    PoolInfo,
    PoolWishInfo,
    StuckInfo,
)
from mainspring.contract.operations import executors
from mainspring.domain.cluster.session import Cordon, PoolSize, Presence, SessionLoad, SessionState
from mainspring.domain.ids import SessionId, id_text, parse_run_id
from mainspring.scheduler.operations.executors import ExecutorDetail
from mainspring.store.interface import PresenceFilter

CURSOR = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([^\x00]*)", re.DOTALL)

router = Routes()


@router.bind(executors.LIST_EXECUTORS)
async def list_executors(call: Call, query: executors.ExecutorQuery) -> ExecutorPage:
    wanted = PresenceFilter(namespace=call.namespace, limit=query.limit)
    if query.cursor:
        wanted = msgspec.structs.replace(wanted, after=parse_cursor(query.cursor))
    presences, now = await call.engine.executors.list(wanted), call.now
    following = next_of(presences, query.limit, write_cursor)
    return ExecutorPage([show_executor(presence, now) for presence in presences], following)


@router.bind(executors.GET_EXECUTOR)
async def get_executor(call: Call, name: str) -> ExecutorSessions:
    return show_detail(await call.engine.executors.get(call.namespace, name), call.now)


@router.bind(executors.CORDON_EXECUTOR)
async def cordon_executor(call: Call, name: str, body: executors.CordonBody) -> ExecutorSessions:
    cordoned = await call.engine.executors.cordon(call.namespace, name, actor=call.actor, reason=body.reason)
    return show_detail(cordoned, call.now)


@router.bind(executors.UNCORDON_EXECUTOR)
async def uncordon_executor(call: Call, name: str, body: executors.CordonBody) -> ExecutorSessions:
    freed = await call.engine.executors.uncordon(call.namespace, name, actor=call.actor, reason=body.reason)
    return show_detail(freed, call.now)


@router.bind(executors.DRAIN_EXECUTOR)
async def drain_executor(call: Call, name: str, body: executors.DrainBody) -> ExecutorSessions:
    drained = await call.engine.executors.drain(
        call.namespace, name, actor=call.actor, reason=body.reason, grace=body.grace
    )
    return show_detail(drained, call.now)


@router.bind(executors.RESIZE_EXECUTOR)
async def resize_executor(call: Call, name: str, body: executors.ResizeBody) -> ExecutorSessions:
    sizes = {
        pool: None if size is None else PoolSize(pool, size.core, size.max, size.queue)
        for pool, size in body.pools.items()
    }
    resized = await call.engine.executors.resize(call.namespace, name, sizes, actor=call.actor, reason=body.reason)
    return show_detail(resized, call.now)


def show_detail(detail: ExecutorDetail, now: datetime) -> ExecutorSessions:
    handlers = [one.session.abilities.handlers for one in detail.sessions]
    return ExecutorSessions(
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
        wanted=[
            PoolWishInfo(one.pool.value, one.core, one.max, one.queue, one.at, one.actor, one.reason)
            for one in detail.wanted
        ],
    )


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
        resources=abilities.resources,
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
    """The state that operators see: a draining executor is `draining` until it holds no attempt."""
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
