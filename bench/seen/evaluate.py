"""What an evaluation of 10,000 alert rules over 2,000 jobs costs, in processor time and on the clock."""

import asyncio
import time
from statistics import median
from typing import Any

import asyncpg

from bench.measurement import Measurement
from bench.options import Options
from bench.systems.mainspring_drain import Drainable
from mainspring.clock import SystemClock
from mainspring.domain.alerts.rule import AlertKind, AlertSpec
from mainspring.domain.ids import Ids
from mainspring.domain.jobs.job import JobSpec
from mainspring.scheduler.alerts.evaluate_alerts import EvaluateAlerts
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import SchedulerSettings
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.store.interface.alerts.alerts import Defining

RULES, JOBS, NAMESPACE = 10_000, 2_000, "default"
ROUNDS = 12
ROLLUPS = """
INSERT INTO mainspring.rollups
  (step, at, line, job, state, runs, wait_sum, wait_max, duration_sum, duration_max, waits, durations)
SELECT 60, date_trunc('minute', now()) - m * interval '1 minute', 1, j.id, 3, 20, 0, 0, 0, 0, '', ''
FROM generate_series(0, 14) AS m, (SELECT id FROM mainspring.jobs ORDER BY id LIMIT $1) AS j
ON CONFLICT DO NOTHING
"""
KINDS: tuple[tuple[AlertKind, dict[str, Any]], ...] = (
    (AlertKind.RUN_FAILED, {"over": 600.0, "at_least": 3}),
    (AlertKind.FAILURE_RATE, {"above": 0.5}),
    (AlertKind.STALE, {"older_than": 86_400.0}),
    (AlertKind.RUN_LONG, {"older_than": 3600.0}),
    (AlertKind.TRIGGER_LATE, {}),
)


def evaluate(system: Drainable, options: Options) -> list[Measurement]:
    url = system.here.environment["MAINSPRING_DATABASE_URL"]
    wall, cpu = asyncio.run(measure(url, rules=options.scaled(RULES), jobs=options.scaled(JOBS)))
    details = {**system.details, "rules": RULES, "jobs": JOBS, "rounds": ROUNDS, "wall": wall, "cpu": cpu}
    share = median(cpu) / EvaluateAlerts.period * 100
    return [
        Measurement("seen", system.name, "evaluation of 10,000 rules", max(wall) * 1000, "ms", details),
        Measurement("seen", system.name, "evaluation, share of a core", share, "%", details),
    ]


async def measure(url: str, *, rules: int, jobs: int) -> tuple[list[float], list[float]]:
    """Seconds on the clock and of this process for each round, once it is warm."""
    store, clock = await open_store(url), SystemClock()
    try:
        await prepare(store, clock, rules=rules, jobs=jobs)
        await roll_up(url, jobs)
        server = Scheduler(store, SchedulerSettings(name="bench"), clock, Ids())
        await server.catalog.tick()
        wall: list[float] = []
        cpu: list[float] = []
        for number in range(ROUNDS + 2):
            await server.observation.surveying.tick()
            began, used = time.monotonic(), time.process_time()
            await server.alerting.evaluating.evaluate(clock.now())
            if number >= 2:
                wall.append(time.monotonic() - began)
                cpu.append(time.process_time() - used)
        return wall, cpu
    finally:
        await store.close()


async def prepare(store: Store, clock: SystemClock, *, rules: int, jobs: int) -> None:
    now = clock.now()
    names = [f"job-{number}" for number in range(jobs)]
    for start in range(0, jobs, 500):
        specs = [JobSpec(name=name, handler="noop") for name in names[start : start + 500]]
        await store.jobs.register(NAMESPACE, specs, now=now)
    definitions = [
        Defining(noun="rule", name=f"rule-{number}", spec=spec_of(number, names), updated_at=now)
        for number in range(rules)
    ]
    for start in range(0, rules, 1000):
        await store.alerts.define(NAMESPACE, definitions[start : start + 1000], [], [])


async def roll_up(url: str, jobs: int) -> None:
    """Roll-ups as a busy quarter of an hour leaves them: each job with successes in every minute."""
    connection: Any = await asyncpg.connect(url)
    try:
        await connection.execute(ROLLUPS, jobs)
    finally:
        await connection.close()


def spec_of(number: int, jobs: list[str]) -> AlertSpec:
    kind, fields = KINDS[number % len(KINDS)]
    return AlertSpec(kind=kind, job=jobs[number // len(KINDS) % len(jobs)], **fields)
