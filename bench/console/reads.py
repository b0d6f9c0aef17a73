"""python -m bench.console.reads [--database sqlite|postgres] [--runs N] [--triggers N]: each read of the console, in ms."""

import argparse
import tempfile
from pathlib import Path
from urllib.parse import quote

from bench.console.fill import fill_postgres, fill_sqlite
from bench.console.place import Place, opened
from bench.stats import percentile

CALLS = 20
TARGET = 50.0
QUERIES = (
    *("", "state:failed", "job:greet", "queue:default state:succeeded", "state:failed since:24h", "tag:none"),
    *("duration:>30s", "error:*gateway*", "attempt:>1 since:7d"),
)


def reads(run: str, fingerprint: str, executor: str) -> list[str]:
    """What pages ask for, as the console's sources name it."""
    listed = [f"runs?limit=50&q={quote(q)}" if q else "runs?limit=50" for q in QUERIES]
    counted = [f"runs/count?q={quote(q)}" for q in QUERIES]
    drawn = [f"runs/histogram?q={quote(q)}" for q in QUERIES]
    of_run = [f"runs/{run}{part}" for part in ("", "/attempts", "/logs", "/why", "/memory")]
    figures = [f"rates?step={step}&steps={steps}" for step, steps in (("minute", 60), ("hour", 24), ("hour", 168))]
    return [
        *("overview", "whoami", "views", "namespaces", *listed, *counted, *drawn, *of_run, *figures),
        *("alert-rules", "approvals?limit=50", "backfills?limit=100", "breakers", "calendars?limit=200", "channels"),
        *("dead-letters?limit=100", f"dead-letters/{fingerprint}?limit=100", "events/types?limit=100", "limits"),
        *("executors?limit=200", f"executors/{executor}", "jobs?handler=workflow&limit=200", "jobs?limit=500"),
        *("jobs/greet", "jobs/greet/versions?limit=100", "queues?limit=200", "queues/default", "queues/default/rates"),
        *("rates/jobs?step=hour&steps=168", "rates?step=hour&steps=48&job=greet", "runs?limit=500", "servers"),
        *("silences", "slos", "sweeps?limit=50", "tokens?limit=200", "triggers?limit=200", "users?limit=200"),
        *("triggers/nightly", "triggers?job=greet&limit=100", "findings", "audit?limit=50", "maintenance"),
        *("runs?job=greet&limit=200", "runs?job=greet&state=failed&limit=8", f"runs?parent={run}&limit=50"),
        *("runs?queue=default&state=queued&state=waiting&sort=oldest&limit=20", "invariants", "alerts"),
        *("runs?queue=default&state=running&sort=oldest&limit=20", "forecast?hours=24&step=900"),
    ]


def prepare(place: Place) -> None:
    trigger = {"job": "greet", "when": {"kind": "interval", "every": 86_400}, "input": {"name": "n"}}
    place.call("PUT", "triggers/nightly", trigger)
    for job, given in (("greet", {"name": "anna"}), ("charge", {"order": 1})):
        _, made = place.call("POST", "runs", {"job": job, "input": given})
        place.call("GET", f"runs/{made['id']}?wait=30")


def measure(place: Place) -> list[tuple[float, float, str]]:
    _, page = place.call("GET", "runs?limit=1")
    _, dead = place.call("GET", "dead-letters")
    _, executors = place.call("GET", "executors")
    asked = reads(page["runs"][0]["id"], dead["groups"][0]["fingerprint"], executors["executors"][0]["name"])
    found = []
    for path in asked:
        place.call("GET", path)
        values = [place.call("GET", path)[0] for _ in range(CALLS)]
        found.append((percentile(values, 0.95), percentile(values, 0.5), path))
    return sorted(found, reverse=True)


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
    slow = [one for one in found if one[0] > TARGET]
    print(f"{options.database}: {len(found)} reads, {options.runs:,} runs, {options.triggers:,} triggers")
    print(f"{len(found) - len(slow)} of {len(found)} within {TARGET:.0f} ms at p95; the slowest:")
    for p95, p50, path in found[:12]:
        print(f"  p95 {p95:8.1f}  p50 {p50:8.1f}  {path}")


if __name__ == "__main__":
    main()
