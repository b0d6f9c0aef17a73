"""`kill -9` of one of two servers while a thousand workflow runs are under way."""

from collections import Counter

from mainspring.client.transport.requests import Enqueue
from proof.fleet.stage import Load, Stage, client_of
from proof.fleet.strides import LENGTH, Stride, read
from tests.support.processes import eventually

EXECUTORS = 4
SECONDS = 2.0
"""Of each step."""
WITHIN = 3.0
"""Seconds for which a workflow run may stand still."""
MIDDLE = 3
"""Steps that each has begun when the server is killed."""


async def killed_server(stage: Stage, flows: float) -> bool:
    count = round(flows)
    servers = [await stage.server(number) for number in range(2)]
    room = 2 * count // EXECUTORS
    for number in range(EXECUTORS):
        # Half of them are with the server that is killed.
        order = servers if number % 2 == 0 else servers[::-1]
        await stage.executor(f"e{number}", *order, pools=(f"loop=0:{room}:{room}",))
    async with client_of(*servers[::-1]) as client:
        await client.enqueue_many([Enqueue(job="walk", input={"flow": n, "seconds": SECONDS}) for n in range(count)])
        await eventually(lambda: begun(stage, count, MIDDLE), "the middle of all workflow runs", within=300.0)
        killed = stage.clock.monotonic()
        await servers[0].kill()
        load = Load(client, 0.0)
        await eventually(load.none_left, "the end of all workflow runs", within=300.0)
        failed = len((await client.list(states=["failed"], limit=100)).runs)
    strides = read(stage.ledger.path)
    still = sorted(standing_still(walk, killed) for walk in strides.values() if walk[-1].at > killed)
    steps = Counter((flow, stride.step) for flow, walk in strides.items() for stride in walk)
    runs = Counter(stride.run for walk in strides.values() for stride in walk)
    twice = sum(number > 1 for number in steps.values()) + sum(number > 1 for number in runs.values())
    missing = count * LENGTH - len(steps)
    late = sum(seconds > WITHIN for seconds in still)
    print(f"{len(still)} of {count} workflow runs were under way when a server of two was killed; {failed} failed")
    print(
        f"standing still: median {still[len(still) // 2]:.2f} s, longest {still[-1]:.2f} s (at most {WITHIN} s), {late} late"
    )
    print(f"steps: {len(steps)} begun, {missing} missing, {twice} begun twice (none)")
    return not (late or twice or missing or failed)


def begun(stage: Stage, count: int, steps: int) -> bool:
    walks = read(stage.ledger.path)
    return len(walks) == count and all(len(walk) >= steps for walk in walks.values())


def standing_still(walk: list[Stride], killed: float) -> float:
    """Seconds between the end of the step that was under way when the server was killed, or the kill, and the next step."""
    following = next(stride for stride in walk if stride.at > killed)
    before = max((stride.at for stride in walk if stride.at <= killed), default=killed)
    return following.at - max(killed, before + SECONDS)
