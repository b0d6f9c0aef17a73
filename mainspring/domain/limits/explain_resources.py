"""Why a run waits for resources or slots: what the executors that fit have left."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

from mainspring.domain.amounts import show_amount
from mainspring.domain.cluster.session import PoolUse, Presence, RunOnExecutor, Session
from mainspring.domain.ids import SessionId
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.obstacles import EXECUTOR, Obstacle
from mainspring.domain.routing.resources import needs_of


def booked_resources(
    job: Job, sessions: Sequence[Session], held: Sequence[RunOnExecutor], jobs: Mapping[tuple[str, str], Job]
) -> Obstacle | None:
    """None if one of these executors has room for another attempt of the job; `held` are all of their attempts."""
    needs = needs_of(job)
    if needs is None or not sessions:
        return None
    used: dict[SessionId, dict[str, float]] = {one.id: {} for one in sessions}
    running: dict[SessionId, int] = {}
    for run in held:
        others = needs_of(jobs.get((job.namespace, run.job)))
        for name, amount in others.amounts if others is not None else ():
            used[run.session][name] = used[run.session].get(name, 0.0) + amount
        running[run.session] = running.get(run.session, 0) + (run.job == job.name)
    if needs.at_once and all(running.get(one.id, 0) >= needs.at_once for one in sessions):
        text = f"Each executor that fits runs {needs.at_once} of {job.name} already, its limit on one executor"
        remedy = f"mainspring jobs edit {quote(job.name)}"
        return Obstacle(code="executor_limit", reason=None, text=text, remedy=remedy, facts={"at_once": needs.at_once})
    for name, amount in needs.amounts:
        left = {one.executor: one.abilities.resources.get(name, 0.0) - used[one.id].get(name, 0.0) for one in sessions}
        if max(left.values()) < amount:
            return too_little(name, amount, left)
    return None


def too_little(name: str, amount: float, left: Mapping[str, float]) -> Obstacle:
    closest = max(left, key=lambda executor: left[executor])
    among = "the executor that fits" if len(left) == 1 else f"the freest of {len(left)} executors that fit"
    free = show_amount(name, max(0.0, left[closest]))
    return Obstacle(
        code="booked",
        reason=None,
        text=f"It uses {name} = {show_amount(name, amount)}; {among}, {closest}, has {free} free",
        remedy=f"{EXECUTOR} --resource {quote(name)}=N",
        facts={"resource": name, "uses": amount, "free": left[closest], "executor": closest},
    )


def full_pools(handler: str, executors: Sequence[Presence]) -> Obstacle | None:
    """None if the pool of one of these executors has room for another attempt, as far as its last beat said."""
    uses = [use for one in executors for use in used_by(handler, one)]
    if not uses or len(uses) < len(executors) or any(use.taken < use.room for use in uses):
        return None
    taken, room = sum(use.taken for use in uses), sum(use.room for use in uses)
    names, pool = sorted({one.session.executor for one in executors}), uses[0].pool
    among = f"of executor {names[0]} is full" if len(names) == 1 else f"of each of {len(names)} executors is full"
    return Obstacle(
        code="pool_full",
        reason=None,
        text=f"Pool {pool} {among}: {taken} of {room} attempts",
        remedy=f"mainspring executors pools {names[0]} {pool}=CORE:MAX:QUEUE",
        facts={"pool": pool.value, "executors": names, "taken": taken, "room": room},
    )


def used_by(handler: str, executor: Presence) -> Iterator[PoolUse]:
    """How full the pool is that runs the handler there."""
    pool = executor.session.abilities.handlers.get(handler)
    yield from (use for use in (executor.load.pools if executor.load is not None else ()) if use.pool is pool)
