"""python -m bench.console.reads [--database sqlite|postgres] [--runs N] [--triggers N]: each read of the console, in ms."""

import argparse
import os
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from bench.console.fill import fill_postgres, fill_sqlite
from bench.console.place import Place, opened
from bench.stats import percentile

CALLS = 20
TARGET = 50.0
SHOWN, PATH_SHOWN = 16, 100
JOBS, QUEUES = 200, 20
JOBS_ASKED, TRIGGERS_ASKED = 10, 50
"""As many as pages ask for at once."""
QUERIES = (
    *("", "state:failed", "job:greet", "queue:default state:succeeded", "state:failed since:24h", "tag:none"),
    *("duration:>30s", "error:*gateway*", "attempt:>1 since:7d", "label.country:DE", "input.name:anna"),
    *("key:none", "wait:>1m", "state:failed -error:*gateway*"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """Things that pages are opened for."""

    run: str
    fingerprint: str
    executor: str
    flow: str
    now: datetime


def reads(of: Asked) -> list[str]:
    """What pages ask for, as the console's sources name it."""
    listed = [f"runs?limit=50&q={quote(q)}" if q else "runs?limit=50" for q in QUERIES]
    counted = [f"runs/count?q={quote(q)}" for q in QUERIES]
    drawn = [f"runs/histogram?q={quote(q)}" for q in QUERIES]
    of_run = [f"runs/{of.run}{part}" for part in ("", "/attempts", "/logs", "/logs?limit=500", "/why", "/memory")]
    figures = [f"rates?step={step}&steps={steps}" for step, steps in (("minute", 60), ("hour", 24), ("hour", 168))]
    hour = (of.now + timedelta(hours=3)).strftime("%Y-%m-%dT%H:00:00Z")
    day = (of.now - timedelta(days=1)).strftime("%Y-%m-%dT%H:00:00Z")
    jobs = "&".join(f"name=job-{number}" for number in range(JOBS_ASKED))
    made = "&".join(f"name=made-{number}" for number in range(1, TRIGGERS_ASKED + 1))
    return [
        *("overview", "whoami", "views", "namespaces", *listed, *counted, *drawn, *of_run, *figures),
        *("alert-rules", "approvals?limit=50", "backfills?limit=100", "breakers", "calendars?limit=200", "channels"),
        *("dead-letters?limit=100", f"dead-letters/{of.fingerprint}?limit=100", "events/types?limit=100", "limits"),
        *("executors?limit=200", f"executors/{of.executor}", "jobs?handler=workflow&limit=200", "jobs?limit=500"),
        *("jobs?prefix=job-7&limit=200", "settings", "batches?limit=100", f"marks?since={day}"),
        *("jobs/greet", "jobs/greet/versions?limit=100", "queues?limit=200", "queues/default", "queues/default/rates"),
        *("rates/jobs?step=hour&steps=168", "rates?step=hour&steps=48&job=greet", "runs?limit=500", "servers"),
        *("rates/jobs?step=hour&steps=24", f"figures/jobs?{jobs}", "figures/jobs?name=greet&name=charge"),
        *("silences", "slos", "sweeps?limit=50", "tokens?limit=200", "triggers?limit=200", "users?limit=200"),
        *("triggers/nightly", "triggers?job=greet&limit=100", "findings", "audit?limit=100", "maintenance"),
        *("triggers?prefix=made-9&limit=200", "triggers?kind=cron&limit=200", "triggers?state=paused&limit=200"),
        *("triggers?calendar=closed&limit=100", "calendars/closed", f"calendars/closed/days?year={of.now.year}"),
        *(f"figures/triggers?{made}", "triggers/nightly/instants?limit=500"),
        *("audit?kind=trigger&key=nightly&limit=100", "audit?actor=nobody&limit=100", "search?q=made", "search?q=gre"),
        *(f"search?q={of.run[:8]}", f"search?q={of.run}", "workflows/wide", "workflows/wide/grid?limit=100"),
        *(f"workflow-runs/{of.flow}", f"workflow-runs/{of.flow}/steps?limit=200&times=true"),
        *("runs?job=greet&limit=200", "runs?job=greet&state=failed&limit=8", f"runs?parent={of.run}&limit=50"),
        *("runs?queue=default&state=queued&state=waiting&sort=oldest&limit=20", "invariants", "alerts?limit=100"),
        *("runs?queue=default&state=running&sort=oldest&limit=20", "forecast?hours=24&step=900"),
        *("forecast?hours=24&step=3600", f"forecast/cell?at={hour}&step=900&limit=1000"),
    ]


def prepare(place: Place) -> None:
    """What pages show beside runs and triggers."""
    trigger = {"job": "greet", "when": {"kind": "interval", "every": 86_400}, "input": {"name": "n"}}
    place.call("PUT", "triggers/nightly", trigger)
    place.call("PUT", "calendars/closed", {"zone": "Europe/Berlin", "dates": {"2026-12-25": "closed"}})
    place.call("PUT", "workflows/wide", {"steps": {"only": {"job": "greet", "input": {"name": "a"}}}})
    for number in range(JOBS):
        place.call("PUT", f"jobs/job-{number}", {"handler": "greet", "queue": f"queue-{number % QUEUES}"})
    for job, given in (("greet", {"name": "anna"}), ("charge", {"order": 1}), ("wide", {})):
        _, made = place.call("POST", "runs", {"job": job, "input": given})
        place.call("GET", f"runs/{made['id']}?wait=30")


@dataclass(frozen=True, slots=True, order=True)
class Read:
    """Milliseconds of one read: until it was answered, and of processors for each; the first one found nothing prepared."""

    p95: float
    p50: float
    processor: float
    first: float
    path: str

    def __str__(self) -> str:
        took = f"p95 {self.p95:7.1f}  p50 {self.p50:7.1f}  processor {self.processor:7.1f}  first {self.first:7.1f}"
        return f"{took}  {self.path[:PATH_SHOWN]}"


def measure(place: Place) -> list[Read]:
    _, page = place.call("GET", "runs?limit=1&job=greet")
    _, flows = place.call("GET", "runs?limit=1&job=wide")
    _, dead = place.call("GET", "dead-letters")
    _, executors = place.call("GET", "executors")
    of = Asked(
        run=page["runs"][0]["id"],
        fingerprint=dead["groups"][0]["fingerprint"],
        executor=executors["executors"][0]["name"],
        flow=flows["runs"][0]["id"],
        now=datetime.now(UTC),
    )
    return sorted((read_of(place, path) for path in reads(of)), reverse=True)


def read_of(place: Place, path: str) -> Read:
    first, _ = place.call("GET", path)
    begun = place.processor_with_database()
    values = [place.call("GET", path)[0] for _ in range(CALLS)]
    processor = (place.processor_with_database() - begun) * 1000 / CALLS
    return Read(percentile(values, 0.95), percentile(values, 0.5), processor, first, path)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.console.reads", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--triggers", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, opened(options.database, Path(folder)) as place:
        prepare(place)
        place.stop()
        if options.database == "sqlite":
            fill_sqlite(Path(folder) / "mainspring.db", options.runs, options.triggers)
        else:
            fill_postgres(place.store_url, options.runs, options.triggers)
        place.start()
        found = measure(place)
    slow = [one for one in found if one.p95 > TARGET]
    load = os.getloadavg()[0]
    print(
        f"{options.database}: {len(found)} reads, {options.runs:,} runs, {options.triggers:,} triggers, load {load:.1f}"
    )
    print(f"{len(found) - len(slow)} of {len(found)} within {TARGET:.0f} ms at p95, ", end="")
    print(f"{sum(one.processor <= TARGET for one in found)} take no more of the processors; the slowest:")
    print("\n".join(f"  {one}" for one in found[:SHOWN]))


if __name__ == "__main__":
    main()
