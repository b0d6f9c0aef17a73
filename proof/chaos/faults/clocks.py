"""A server's wall clock that jumps, by libfaketime; the database's stays right."""

import random

from proof.chaos.figures import Figure, going
from proof.chaos.places import CLOCKED
from proof.chaos.stage import Stage

JUMPS = ("+1h", "-1h", "+5s", "-5s")
LONG = 5.0
GOING_MAX = 5.0


async def jump_clocks(stage: Stage, lot: random.Random) -> list[Figure]:
    """A running process may not notice; one that starts with a wrong clock follows the database's."""
    jumps = lot.sample(JUMPS, 2)
    server = stage.fleet.servers[CLOCKED[0]]
    async with stage.fault("jump_clocks", ", ".join(CLOCKED), ", ".join(jumps)):
        since = stage.now()
        for jump in jumps:
            for place in CLOCKED:
                stage.fleet.set_clock(place, jump)
            await stage.sleep(LONG)
        rate = stage.ledger.ends_between(since, stage.now()) / (LONG * len(jumps))
        await server.kill()
        restarted = stage.now()
        server.start()
        back = await going(stage, restarted)
        for place in CLOCKED:
            stage.fleet.set_clock(place, "+0")
        await stage.sleep(LONG)
    return [
        Figure(fault="jump_clocks", what="runs done meanwhile", value=rate, unit="/s", target=5.0, least=True),
        Figure(
            fault="jump_clocks", what="all going with a server started in the wrong hour", value=back, target=GOING_MAX
        ),
    ]
