"""`GET /api/v1/runs/{id}/why` of runs anywhere among a million that wait."""

import json
import time
from http.client import HTTPConnection
from urllib.parse import urlsplit

from bench.mainspring.names import NOOP, PARKED
from bench.measurement import Measurement
from bench.options import Options
from bench.stats import percentile
from bench.systems.mainspring_drain import Drainable
from bench.systems.mainspring_installation import Installation

COUNT, COUNT_QUICK = 1_000_000, 20_000
CALLS, CALLS_QUICK = 300, 50


def why_waiting(system: Drainable, options: Options) -> list[Measurement]:
    """Runs of two jobs, whose executors have left."""
    count, calls = (COUNT_QUICK, CALLS_QUICK) if options.quick else (COUNT, CALLS)
    place = system.here
    place.register("bench.mainspring.parked:app")
    loading = sum(place.ask("fill", job, str(count // 2), "0") for job in (PARKED, NOOP))
    place.store.tidy()
    values = sorted(ask_each(place, waiting_runs(place, count, calls)))
    more: dict[str, object] = {
        "count": count,
        "calls": len(values),
        "p50": percentile(values, 0.5),
        "loading_rate": count / loading,
    }
    details: dict[str, object] = {**system.details, **more, "min": values[0], "max": values[-1]}
    return [Measurement("dispatch", system.name, "why p99", percentile(values, 0.99), "ms", details)]


def waiting_runs(place: Installation, count: int, calls: int) -> list[str]:
    """Ids from all over the crowd, evenly apart."""
    postgres = place.store.kind == "postgres"
    joined = "string_agg(id::text, ',')" if postgres else "group_concat(lower(hex(id)))"
    numbered = f"SELECT id, row_number() OVER (ORDER BY id) AS n FROM {place.store.live}"
    with place.store.read() as reader:
        found = reader.value(f"SELECT {joined} FROM ({numbered}) AS r WHERE r.n % {count // calls} = 1")
    return str(found).split(",")


def ask_each(place: Installation, runs: list[str]) -> list[float]:
    """Milliseconds of each answer, over one connection that stays open."""
    where = urlsplit(place.environment["MAINSPRING_URL"])
    http = HTTPConnection(where.hostname or "", where.port)
    headers = {"authorization": f"Bearer {place.environment['MAINSPRING_TOKEN']}"}
    values = []
    for run in runs:
        begin = time.perf_counter()
        http.request("GET", f"/api/v1/runs/{run}/why", headers=headers)
        answer = http.getresponse()
        body = json.loads(answer.read())
        values.append((time.perf_counter() - begin) * 1000)
        if answer.status != 200 or not body["reasons"]:
            raise ValueError(f"{run}: {body}")
    return values
