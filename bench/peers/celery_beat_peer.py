"""Celery beat and a worker on Redis; beat keeps its entries in memory and their last runs in a file."""
# mypy: disable-error-code="import-not-found,import-untyped"

import os
import sys
from pathlib import Path
from typing import Any

from cadence import COUNT, KIND, minute_of
from celery import Celery
from celery.schedules import crontab, schedule
from probe import probe_from_environment
from script import PROCESSES, URL, replace_by

app = Celery("celery_beat_peer", broker=URL)
app.conf.update(
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    worker_prefetch_multiplier=128,
    worker_disable_rate_limits=True,
    worker_send_task_events=False,
    broker_connection_retry_on_startup=True,
    enable_utc=True,
    timezone="UTC",
)
probe = probe_from_environment()
WORKER = "-A celery_beat_peer worker --pool prefork -l ERROR --without-gossip --without-mingle --without-heartbeat"


def start(number: float) -> None:
    probe.start(number)


noop = app.task(start, name="noop")


def entry(number: int) -> dict[str, Any]:
    # A relative schedule keeps to whole seconds; a plain one counts from when the last message went out.
    when = schedule(1.0, relative=True) if KIND == "seconds" else crontab(minute=minute_of(number))
    return {"task": "noop", "schedule": when, "args": (number,)}


def main() -> None:
    if sys.argv[1] == "work":
        replace_by("celery", *WORKER.split(), "-c", str(PROCESSES))
    file = Path(os.environ["BENCH_PROBE"]) / "beat"
    replace_by("celery", "-A", "celery_beat_peer", "beat", "-l", "ERROR", "-s", str(file), "--pidfile", f"{file}.pid")


if __name__ == "__main__":
    main()
elif "beat" in sys.argv:
    app.conf.beat_schedule = {f"bench-{number}": entry(number) for number in range(1, COUNT + 1)}
