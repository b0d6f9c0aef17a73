"""Procrastinate on PostgreSQL: asynchronous jobs, batched defers, finished jobs deleted."""
# mypy: disable-error-code="import-not-found,import-untyped"

import asyncio
import datetime as dt
from collections.abc import Sequence

import uvloop
from probe import probe_from_environment
from procrastinate import App, PsycopgConnector
from script import URL, chunks, main

CONCURRENCY = 20

app = App(connector=PsycopgConnector(conninfo=URL, min_size=2, max_size=CONCURRENCY + 2))
probe = probe_from_environment()


async def start(payload: float) -> None:
    probe.start(payload)


noop = app.task(name="noop")(start)


async def serve() -> None:
    async with app.open_async():
        await app.run_worker_async(
            concurrency=CONCURRENCY,
            delete_jobs="successful",
            fetch_job_polling_interval=0.5,
            install_signal_handlers=False,
        )


class ProcrastinatePeer:
    async def open(self) -> None:
        await app.open_async()

    async def setup(self) -> None:
        await app.open_async()
        await app.schema_manager.apply_schema_async()

    async def one(self, payload: float) -> None:
        await noop.defer_async(payload=payload)

    async def many(self, payloads: Sequence[float]) -> None:
        for part in chunks(payloads, 1000):
            await noop.batch_defer_async(*({"payload": payload} for payload in part))

    async def later(self, payloads: Sequence[float], when: float) -> None:
        job = noop.configure(schedule_at=dt.datetime.fromtimestamp(when, dt.UTC))
        for part in chunks(payloads, 1000):
            await job.batch_defer_async(*({"payload": payload} for payload in part))

    def work(self) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve())


if __name__ == "__main__":
    main(ProcrastinatePeer())
