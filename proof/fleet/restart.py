"""Rolling restart of three servers and six executors under load, by the chart's timings."""

from collections import Counter

from mainspring import AsyncClient
from proof.fleet.stage import Load, Stage, client_of
from tests.support.processes import ExecutorProcess, ServerProcess

DRAIN_DELAY = 3
"""Seconds, as the chart has it."""
GRACE = 30
SERVERS, EXECUTORS = 3, 6
REST = 5.0
"""Seconds of load before the first and after the last restart."""
SECONDS = 0.05
"""Of each run."""


async def rolling_restart(stage: Stage, rate: float) -> bool:
    settings = {"drain_delay": DRAIN_DELAY}
    servers = [await stage.server(number, **settings) for number in range(SERVERS)]
    executors = [await stage.executor(f"e{number}", *servers[:2], grace=GRACE) for number in range(EXECUTORS)]
    async with client_of(*servers[:2]) as client:
        load = Load(client, rate, SECONDS)
        load.begin()
        await stage.clock.sleep(REST)
        began = stage.clock.monotonic()
        fresh, codes = await restart_servers(stage, servers, settings)
        codes += await restart_executors(stage, executors, fresh)
        took = stage.clock.monotonic() - began
        await stage.clock.sleep(REST)
        await load.end()
        ends = await load.settled(stage.ledger)
        again = await second_attempts(client, stage)
    print(f"restarted {SERVERS} servers and {EXECUTORS} executors in {took:.0f} s; exit codes {dict(Counter(codes))}")
    rate = len(load.accepted) / (took + 2 * REST)
    print(f"{len(load.accepted)} runs accepted at {rate:.0f}/s, {len(load.refused)} calls refused; {dict(ends)}")
    for reason, count in again.items():
        print(f"  {count} runs with a further attempt: {reason}")
    for reason in sorted(set(load.refused))[:5]:
        print(f"  refused: {reason}")
    lost = sum(count for reason, count in again.items() if "lost" in reason or "begun twice" in reason)
    return not load.refused and not lost and ends["succeeded"] == len(load.accepted) and set(codes) == {0}


async def restart_servers(
    stage: Stage, servers: list[ServerProcess], settings: dict[str, int]
) -> tuple[list[ServerProcess], list[int]]:
    """As a Deployment with maxSurge 1 and maxUnavailable 0: the new one is ready before the old one is told to stop."""
    fresh, codes = [], []
    for number, old in enumerate(servers):
        fresh.append(await stage.server(SERVERS + number, **settings))
        codes.append(await old.terminate())
    return fresh, codes


async def restart_executors(stage: Stage, executors: list[ExecutorProcess], servers: list[ServerProcess]) -> list[int]:
    """One at a time; a Service would lead each to the servers that there are now."""
    codes = []
    for number, executor in enumerate(executors):
        codes.append(await executor.terminate())
        await stage.executor(f"e{number}", *servers[:2], grace=GRACE)
    return codes


async def second_attempts(client: AsyncClient, stage: Stage) -> Counter[str]:
    """Runs with more than one attempt, by the outcome of the earlier ones and whether handlers began twice."""
    starts = stage.ledger.starts()
    numbered = {
        run for run, entries in starts.items() if max(entry.attempt for entry in entries) > 1 or len(entries) > 1
    }
    found: Counter[str] = Counter()
    for run in numbered:
        attempts = await client.attempts(run)
        earlier = ", ".join(str(one.outcome) for one in attempts)
        twice = "begun twice" if len(starts[run]) > 1 else "begun once"
        found[f"{earlier or 'none kept'} ({twice})"] += 1
    return found
