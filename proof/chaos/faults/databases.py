"""A PostgreSQL that crashes, fails over, runs out of disk or connections, or cannot clean up behind a long transaction."""

import asyncio
import random
from contextlib import suppress

import asyncpg

from proof.chaos.burst import drain_burst
from proof.chaos.collect import forgotten, read_audit
from proof.chaos.figures import Figure, going
from proof.chaos.places import DATABASE, STRANGER
from proof.chaos.stage import Stage
from proof.chaos.waiting import until
from proof.records import Transition

GOING_MAX = 5.0
FAILOVER_MAX = 10.0
LOAD = 4.0
LAG = 3.0
FULL = 6.0
EATEN = 6.0
LOCKED = 6.0
BURST = 3_000
CHURN = 10
"""Bursts between the one measured at first and the one measured at last, with a transaction open all the while."""
TRIES = 4
RATIO_MIN = 0.7


async def crash_postgres(stage: Stage, lot: random.Random) -> list[Figure]:
    async with stage.fault("store_outage", stage.primary.place, "PostgreSQL killed and started again"):
        await stage.primary.crash()
        await stage.sleep(lot.uniform(0.5, 3))
        await stage.primary.start()
        since = stage.now()
        back = await going(stage, since)
    return [Figure(fault="crash_postgres", what="all going after PostgreSQL is back", value=back, target=GOING_MAX)]


async def fail_over_sync(stage: Stage, lot: random.Random) -> list[Figure]:
    """Every commit is on both before it is confirmed, so nothing may be lost."""
    old = stage.primary
    async with stage.fault("fail_over_sync", old.place):
        await old.require_standby("*")
        await until(lambda: is_sync(stage), "a synchronous standby")
        await stage.sleep(LOAD + lot.uniform(0, 1))
        accepted = set(stage.requests.accepted())
        lost_before = await gone(stage, accepted)
        since = stage.now()
        await old.crash()
        await promote(stage)
        back = await going(stage, since)
        lost = await gone(stage, set(stage.requests.accepted()) - lost_before)
        await stage.standby.follow(stage.primary)
    return [
        Figure(fault="fail_over_sync", what="accepted runs lost", value=len(lost), unit="", target=0),
        Figure(fault="fail_over_sync", what="all going after the primary's death", value=back, target=FAILOVER_MAX),
    ]


async def fail_over_async(stage: Stage, lot: random.Random) -> list[Figure]:
    """The standby is behind when the primary dies: what it had not received is gone, and only that."""
    old = stage.primary
    async with stage.fault("fail_over_async", old.place):
        accepted_before = set(stage.requests.accepted())
        lost_before = await gone(stage, accepted_before)
        cut_at = stage.now()
        stage.cut(*stage.databases)
        await stage.sleep(LAG + lot.uniform(0, 1))
        since = stage.now()
        await old.crash()
        stage.mend(*stage.databases)
        await promote(stage)
        stage.failovers.append((cut_at - LAG, stage.now()))
        back = await going(stage, since)
        lost = await gone(stage, set(stage.requests.accepted()) - lost_before)
        explained = await note_forgotten(stage, old)
        await stage.standby.follow(stage.primary)
    return [
        Figure(fault="fail_over_async", what="runs lost inside the lag", value=len(lost), unit=""),
        Figure(
            fault="fail_over_async", what="lost before the lag", value=len(lost & accepted_before), unit="", target=0
        ),
        Figure(fault="fail_over_async", what="lost without a trace", value=len(lost - explained), unit="", target=0),
        Figure(fault="fail_over_async", what="lag of the standby", value=since - cut_at),
        Figure(fault="fail_over_async", what="all going after the primary's death", value=back, target=FAILOVER_MAX),
    ]


async def promote(stage: Stage) -> None:
    """What a fail-over tool does: promote the standby, and lead the pooler there. Servers find it by themselves."""
    await stage.standby.promote()
    stage.primary, stage.standby = stage.standby, stage.primary
    await stage.primary.require_standby("")
    stage.pooler.lead_to(stage.primary)


async def is_sync(stage: Stage) -> bool:
    return await stage.primary.standby_state() == "sync"


async def gone(stage: Stage, accepted: set[str]) -> set[str]:
    """Accepted runs that the primary has never heard of."""
    rows = await stage.ask(
        "SELECT a.run FROM unnest($1::text[]) AS a(run)"
        " WHERE NOT EXISTS (SELECT FROM mainspring.live AS r WHERE r.id = a.run::uuid)"
        " AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = a.run::uuid)",
        list(accepted),
    )
    return {str(row["run"]) for row in rows}


async def note_forgotten(stage: Stage, old: object) -> set[str]:
    """Open the old primary's files once more, where nobody else can reach them, and note what only it knew."""
    former = stage.standby
    assert former is old
    await former.start(alone=True)
    lost = forgotten(await read_audit(former, stage.scale), await read_audit(stage.primary, stage.scale))
    await former.stop()
    stage.forgotten += lost
    return {line.run for line in lost if isinstance(line, Transition)}


async def disk_full(stage: Stage, lot: random.Random) -> list[Figure]:
    """No room for data nor for the log; PostgreSQL may give up and is then started again once there is room."""
    async with stage.fault("disk_full", stage.primary.place):
        await asyncio.to_thread(stage.primary.fill_disk)
        await stage.sleep(FULL + lot.uniform(0, 2))
        stage.primary.empty_disk()
        with suppress(ChildProcessError):
            await until(stage.primary.answers, "PostgreSQL with room again")
        gave_up = not stage.primary.actor.alive
        if gave_up:
            await stage.primary.start()
        back = await going(stage, stage.now())
    told = " and PostgreSQL was started again" if gave_up else ""
    return [Figure(fault="disk_full", what=f"all going after there was room{told}", value=back, target=GOING_MAX)]


async def no_connections(stage: Stage, lot: random.Random) -> list[Figure]:
    """Strangers take every connection that is left; a server that starts meanwhile has to wait for one."""
    server = lot.choice(sorted(stage.fleet.servers))
    strangers: list[asyncpg.Connection] = []
    async with stage.fault("no_connections", server):
        await stage.fleet.servers[server].kill()
        with suppress(asyncpg.PostgresError):
            while True:
                strangers.append(await stranger(stage))
        stage.fleet.servers[server].start()
        before = stage.now()
        await stage.sleep(EATEN)
        rate = stage.ledger.ends_between(before, stage.now()) / EATEN
        since = stage.now()
        for one in strangers:
            one.terminate()
        back = await going(stage, since)
    return [
        Figure(fault="no_connections", what="runs done meanwhile", value=rate, unit="/s", target=1.0, least=True),
        Figure(fault="no_connections", what="all going after they left", value=back, target=GOING_MAX),
    ]


async def stranger(stage: Stage) -> asyncpg.Connection:
    return await stage.primary.connect(database=DATABASE, user=STRANGER, timeout=5)


async def lock_runs(stage: Stage, lot: random.Random) -> list[Figure]:
    """An administrator builds an index on the runs, or rewrites them: requests are told so, and no key is blamed for it."""
    mode = lot.choice(["SHARE", "ACCESS EXCLUSIVE"])
    connection = await stage.primary.connect(database=DATABASE)
    async with stage.fault("lock_runs", detail=mode):
        since = stage.now()
        await connection.execute(f"BEGIN; LOCK TABLE mainspring.runs IN {mode} MODE")
        await stage.sleep(LOCKED)
        connection.terminate()
        back = await going(stage, stage.now())
        blamed = stage.requests.answered("key_busy", since)
        busy = stage.requests.answered("store_busy", since)
    return [
        Figure(fault="lock_runs", what="keys that were blamed", value=blamed, unit="", target=0),
        Figure(
            fault="lock_runs", what="requests told that the store is busy", value=busy, unit="", target=1, least=True
        ),
        Figure(fault="lock_runs", what="all going afterwards", value=back, target=GOING_MAX),
    ]


async def long_transaction(stage: Stage, _lot: random.Random) -> list[Figure]:
    """A client's transaction stays open, so nothing that was updated since can be cleaned up.

    What is usual is measured before and afterwards: the machine may have got busier meanwhile.
    """
    before = await best_burst(stage)
    connection = await stage.primary.connect(database=DATABASE)
    async with stage.fault("long_transaction", detail="REPEATABLE READ, idle"):
        await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM mainspring.live")
        since = stage.now()
        for _ in range(CHURN):
            await drain_burst(stage, BURST)
        pinned = await best_burst(stage)
        held = stage.now() - since
        connection.terminate()
    await stage.primary.vacuum(DATABASE)
    after = await best_burst(stage)
    what = f"drain after {held:.0f} s and {BURST * CHURN} runs"
    ratio = 2 * pinned / (before + after)
    return [
        Figure(fault="long_transaction", what="drain, before", value=before, unit="/s"),
        Figure(fault="long_transaction", what=what, value=pinned, unit="/s"),
        Figure(fault="long_transaction", what="drain, afterwards", value=after, unit="/s"),
        Figure(fault="long_transaction", what="of the usual", value=ratio, unit="times", target=RATIO_MIN, least=True),
    ]


async def best_burst(stage: Stage) -> float:
    """A burst takes half a second, and something else on the machine may take as much of it: the best tells what can be."""
    return max([await drain_burst(stage, BURST) for _ in range(TRIES)])
