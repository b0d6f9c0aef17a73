"""Two faults at once: what each of them does to the other is nobody's design."""

import asyncio
import random

from proof.chaos.faults import connections, databases, deaths, partitions
from proof.chaos.figures import Figure, going
from proof.chaos.stage import Stage

ANYWHERE = (
    (deaths.freeze_executor, databases.crash_postgres),
    (deaths.kill_executor, deaths.freeze_server),
    (deaths.kill_server, databases.crash_postgres),
    (deaths.kill_executor, connections.kill_pooler),
    (deaths.freeze_executor, databases.fail_over_sync),
    (connections.cut_connections, databases.fail_over_sync),
)
WITH_PARTITIONS = (
    (partitions.isolate_executor, databases.crash_postgres),
    (partitions.isolate_executor, deaths.kill_server),
    (partitions.cut_from_database, deaths.freeze_executor),
)
GOING_MAX = 5.0
PAIRS = 2


async def two_at_once(stage: Stage, lot: random.Random) -> list[Figure]:
    """Two pairs by lot. What holds for one fault alone is not asked of it here; that all goes on afterwards is."""
    pairs = ANYWHERE + WITH_PARTITIONS if stage.network.can_cut else ANYWHERE
    found: list[Figure] = []
    for one, other in lot.sample(pairs, PAIRS):
        name = f"{one.__name__} and {other.__name__}"
        async with stage.fault("two_at_once", detail=name):
            await asyncio.gather(one(stage, lot), other(stage, lot))
            stage.mend_all()
            since = stage.now()
            back = await going(stage, since)
            await stage.healthy()
        found.append(Figure(fault="two_at_once", what=f"all going after {name}", value=back, target=GOING_MAX))
    return found
