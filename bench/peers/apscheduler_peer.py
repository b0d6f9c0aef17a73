"""APScheduler in one process: jobs in memory, or in PostgreSQL if there is a URL; a pool of threads runs them."""
# mypy: disable-error-code="import-not-found,import-untyped"

import threading

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.cron import CronTrigger
from cadence import COUNT, KIND, minute_of, ready
from probe import probe_from_environment
from script import URL

THREADS = 20
LATE_MAX = 600
"""Seconds by which a start may be late; the default of 1 s would leave out what comes later."""
probe = probe_from_environment()


def start(number: float) -> None:
    probe.start(number)


def trigger(number: int) -> CronTrigger:
    return CronTrigger(second="*") if KIND == "seconds" else CronTrigger(minute=minute_of(number))


def store() -> MemoryJobStore | SQLAlchemyJobStore:
    if not URL.startswith("postgresql:"):
        return MemoryJobStore()
    return SQLAlchemyJobStore(URL.replace("postgresql:", "postgresql+psycopg:", 1))


def main() -> None:
    scheduler = BackgroundScheduler(
        jobstores={"default": store()},
        executors={"default": ThreadPoolExecutor(THREADS)},
        job_defaults={"misfire_grace_time": LATE_MAX, "coalesce": False, "max_instances": 10},
        timezone="UTC",
    )

    def load() -> None:
        for number in range(1, COUNT + 1):
            scheduler.add_job(start, trigger(number), args=(number,))

    # Jobs go into their store only while the scheduler runs, so it runs paused while they do.
    scheduler.start(paused=True)
    ready(load)
    scheduler.resume()
    threading.Event().wait()


if __name__ == "__main__":
    main()
