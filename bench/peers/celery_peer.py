"""Celery on Redis: acknowledged early, no results, a high prefetch for short tasks."""
# mypy: disable-error-code="import-not-found,import-untyped"

import datetime as dt
from collections.abc import Sequence

from celery import Celery
from probe import probe_from_environment
from script import PROCESSES, URL, main, replace_by

app = Celery("celery_peer", broker=URL)
app.conf.update(
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    worker_prefetch_multiplier=128,
    worker_disable_rate_limits=True,
    worker_send_task_events=False,
    broker_connection_retry_on_startup=True,
    enable_utc=True,
)
probe = probe_from_environment()


def start(payload: float) -> None:
    probe.start(payload)


noop = app.task(start, name="noop")

WORKER = "-A celery_peer worker --pool prefork -l ERROR --without-gossip --without-mingle --without-heartbeat"


class CeleryPeer:
    async def open(self) -> None:
        self.producer = app.amqp.producer_pool.acquire(block=True)

    async def setup(self) -> None:
        pass

    async def one(self, payload: float) -> None:
        noop.apply_async((payload,), producer=self.producer)

    async def many(self, payloads: Sequence[float]) -> None:
        for payload in payloads:
            noop.apply_async((payload,), producer=self.producer)

    async def later(self, payloads: Sequence[float], when: float) -> None:
        eta = dt.datetime.fromtimestamp(when, dt.UTC)
        for payload in payloads:
            noop.apply_async((payload,), eta=eta, producer=self.producer)

    def work(self) -> None:
        replace_by("celery", *WORKER.split(), "-c", str(PROCESSES))


if __name__ == "__main__":
    main(CeleryPeer())
