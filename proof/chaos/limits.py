"""Jobs of the chaos app under limits, rates, routes and a breaker, and the downstream of that, which is down now and then."""

import asyncio
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from mainspring import App, Context, Hash, RetryPolicy
from mainspring.clock import Clock, SystemClock
from mainspring.contract.breakers import BreakerBody
from proof.records import JobRule, Records

GROUPS = 3
GATEWAY = "gateway"
DOWN = "CHAOS_DOWN"
"""The variable that names the file which is there while the downstream is not."""
UP_FOR, DOWN_FOR = 12.0, 8.0
TAKES, TAKES_LONG = 0.2, 2.0
LONG = frozenset({"latest", "replaces"})
"""Their runs are to find others under way."""
TRIES, BACKOFF = 50, 0.3
PROBES = 2
BREAKER = BreakerBody(
    failures=0.5, window=10, min_calls=3, wait=1, wait_max=4, probes=PROBES, probe_within=5, witnesses=1
)
"""Short enough for a trial to see it open, probed and closed."""

OPTIONS: dict[str, dict[str, Any]] = {
    "keyed": {"at_once": 1, "limit_key": "group"},
    "keyed_3": {"at_once": 3, "limit_key": "group"},
    "capped": {"at_once": 2},
    "rated": {"rate": "20/s"},
    "latest": {"at_once": 1, "limit_key": "group", "blocking": "latest"},
    "replaces": {"at_once": 1, "limit_key": "group", "blocking": "replace"},
    "hashed": {"route": Hash("group")},
    "in_turn": {"route": "round_robin"},
    "guarded": {"breaker": GATEWAY, "retry": RetryPolicy(attempts=TRIES, backoff=BACKOFF)},
}
RULES = {
    "keyed": JobRule(at_once=1, keyed=True),
    "keyed_3": JobRule(at_once=3, keyed=True),
    "capped": JobRule(at_once=2),
    "rated": JobRule(rate=20),
    "latest": JobRule(at_once=1, keyed=True, blocking="latest"),
    "replaces": JobRule(at_once=1, keyed=True, blocking="replace"),
    "hashed": JobRule(),
    "in_turn": JobRule(),
    "guarded": JobRule(attempts=TRIES, breaker=GATEWAY, probes=PROBES),
}

Recorded = Callable[[Context], AbstractContextManager[None]]
clock = SystemClock()


def add_limited(app: App, recorded: Recorded) -> None:
    for name, options in OPTIONS.items():
        app.job(name=name, **options)(handler_of(recorded, name))


def handler_of(recorded: Recorded, name: str) -> Callable[..., Any]:
    async def work(ctx: Context, payload: str, group: str = "") -> str:  # noqa: ARG001 the limit's key
        with recorded(ctx):
            await clock.sleep(TAKES_LONG if name in LONG else TAKES)
            if name == "guarded" and is_down():
                raise LookupError("the gateway is down")
            return payload

    return work


def is_down() -> bool:
    return Path(os.environ[DOWN]).exists()


def set_down(file: Path, *, down: bool) -> None:
    if down:
        file.touch()
    else:
        file.unlink(missing_ok=True)


def group_of(mark: str) -> str:
    """The key of a run's limit, by its mark, such as `k12`."""
    return f"g{int(''.join(filter(str.isdigit, mark)) or 0) % GROUPS}"


@asynccontextmanager
async def breaking_down(file: Path, clock: Clock) -> AsyncIterator[None]:
    """While the block lasts the downstream is down every now and then; after it, it is well."""

    async def break_down() -> None:
        while True:
            await clock.sleep(UP_FOR)
            set_down(file, down=True)
            await clock.sleep(DOWN_FOR)
            set_down(file, down=False)

    breaking = asyncio.create_task(break_down())
    try:
        yield
    finally:
        breaking.cancel()
        with suppress(asyncio.CancelledError):
            await breaking
        set_down(file, down=False)


def seconds_over_limits(records: Records) -> float:
    """For how long more handlers of a job or key ran than its limit allows: where a machine stood still beyond its lease."""
    return sum(sum(over(steps, most)) for steps, most in places(records))


def places(records: Records) -> Iterator[tuple[list[tuple[float, int]], int]]:
    """Each job or key under a limit: when handlers began (1) and ended (-1), and how many may run."""
    rows = {row.run: row for row in records.run_rows}
    begun: dict[tuple[str, int], float] = {}
    found: dict[tuple[str, str], list[tuple[float, int]]] = defaultdict(list)
    for line in records.executions:
        row = rows.get(line.run)
        rule = None if row is None else RULES.get(row.job)
        if row is None or rule is None or not rule.at_once:
            continue
        if line.event == "start":
            begun[line.run, line.attempt] = line.at
        elif line.event in ("end", "killed") and (line.run, line.attempt) in begun:
            steps = found[row.job, row.group if rule.keyed else ""]
            steps += [(begun.pop((line.run, line.attempt)), 1), (line.at, -1)]
    for (job, _), steps in found.items():
        yield steps, RULES[job].at_once


def over(steps: list[tuple[float, int]], most: int) -> Iterator[float]:
    running = 0
    for (at, change), (until, _) in pairwise(sorted(steps)):
        running += change
        if running > most:
            yield until - at
