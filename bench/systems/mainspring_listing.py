"""Pages of `GET /api/v1/runs` with millions of runs in history, for every combination of filters that is offered."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from bench.measurement import Measurement
from bench.processes import run
from bench.stats import percentile
from bench.systems.mainspring_drain import Drainable
from bench.systems.mainspring_installation import Installation

COUNT, COUNT_QUICK = 5_000_000, 50_000
CALLS, CALLS_QUICK = 5, 2
PAST = Path(__file__).resolve().parent.parent / "mainspring" / "past.sql"

Filter = dict[str, str | list[str]]

PLACES: list[Filter] = [
    {},
    {"job": "job-1"},
    {"job": "job-40"},
    {"queue": "mail"},
    {"queue": "special"},
    {"job": "job-2", "queue": "special"},
]
STATES: list[Filter] = [
    {"state": state} for state in ("succeeded", "failed", "skipped", "queued", "waiting", "running")
]
MARKS: list[Filter] = [{"tag": "batch"}, {"label": "customer=7"}, {"tag": "batch", "label": "customer=7"}]


@dataclass(slots=True)
class Times:
    """Milliseconds of pages, and the question that took the longest."""

    values: list[float] = field(default_factory=list)
    middles: dict[str, float] = field(default_factory=dict)
    short: int = 0

    def add(self, question: str, values: list[float], *, short: bool) -> None:
        self.values += values
        self.middles[question] = percentile(values, 0.5)
        self.short += short

    @property
    def slowest(self) -> str:
        return max(self.middles, key=lambda question: self.middles[question])


def listing(system: Drainable, *, quick: bool) -> list[Measurement]:
    count, calls = (COUNT_QUICK, CALLS_QUICK) if quick else (COUNT, CALLS)
    here = system.here
    load(here, count)
    times: dict[str, Times] = {}
    asker = Asker(here)
    for kind, asked in questions():
        namespace = "small" if kind == "small neighbour" else "default"
        values, short = asker.ask(asked, namespace, calls)
        times.setdefault(kind, Times()).add(urlencode(asked, doseq=True), values, short=short)
    return [as_measurement(system, kind, found, count) for kind, found in times.items()]


def load(here: Installation, count: int) -> None:
    url = here.environment["MAINSPRING_DATABASE_URL"]
    run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-v", f"count={count}", "-f", str(PAST), url])
    # So that it knows the jobs.
    here.stop_server()
    here.start_server()


def questions() -> Iterator[tuple[str, Filter]]:
    """Every combination, newest and oldest first, from the end, from the middle and within a day of it."""
    middle = datetime.now(UTC) - timedelta(days=14)
    day: Filter = {"since": text(middle), "until": text(middle + timedelta(days=1))}
    for place, state, mark, (sort, when) in product(
        PLACES, [{}, *STATES], [{}, *MARKS], product(("newest", "oldest"), ("end", "middle", "day"))
    ):
        edge = "until" if sort == "newest" else "since"
        bounds: dict[str, Filter] = {"end": {}, "middle": {edge: text(middle)}, "day": day}
        yield kind_of(place, state, mark), {**place, **state, **mark, **bounds[when], "sort": sort}
    for state, sort in product([{}, *STATES], ("newest", "oldest")):
        yield "small neighbour", {**state, "sort": sort}


def text(instant: datetime) -> str:
    return instant.isoformat()


def kind_of(place: Filter, state: Filter, mark: Filter) -> str:
    parts = [*sorted(place), *state, *(["marks"] if mark else [])]
    return " + ".join(parts) or "no filter"


class Asker:
    """Asks over one connection that stays open, as a console would."""

    def __init__(self, here: Installation) -> None:
        where = urlsplit(here.environment["MAINSPRING_URL"])
        self._http = HTTPConnection(where.hostname or "", where.port)
        self._token = here.environment["MAINSPRING_TOKEN"]

    def ask(self, asked: Filter, namespace: str, calls: int) -> tuple[list[float], bool]:
        """Milliseconds of the calls, and whether the page was short although there was more."""
        headers = {"authorization": f"Bearer {self._token}", "mainspring-namespace": namespace}
        values, page = [], {}
        for _ in range(calls):
            begin = time.perf_counter()
            self._http.request("GET", "/api/v1/runs?" + urlencode(asked, doseq=True), headers=headers)
            answer = self._http.getresponse()
            content = answer.read()
            values.append((time.perf_counter() - begin) * 1000)
            page = json.loads(content)
            if answer.status != 200:
                raise ValueError(f"{asked}: {page}")
        return values, page["next"] is not None and len(page["runs"]) < 50


def as_measurement(system: Drainable, kind: str, times: Times, count: int) -> Measurement:
    details = {
        **system.details,
        "count": count,
        "pages": len(times.values),
        "questions": len(times.middles),
        "short_pages": times.short,
        "p50": percentile(times.values, 0.5),
        "p95": percentile(times.values, 0.95),
        "min": min(times.values),
        "max": max(times.values),
        "slowest": times.slowest,
    }
    return Measurement("listing", system.name, kind, times.middles[times.slowest], "ms", details)
