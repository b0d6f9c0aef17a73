"""Jobs for every pool, and a caller that enqueues them inside of a span; run as a program, it is that caller."""

import sys

import psycopg
from opentelemetry import trace

from mainspring import App, AsyncClient, Client, Context, Pool, RetryPolicy
from mainspring.client.transactional import InTransactionSync
from mainspring.client.transport.requests import Enqueue
from mainspring.telemetry.start import start_tracing
from tests.support.processes import API_TOKEN

app = App("traced")


@app.job
async def on_loop(ctx: Context, url: str) -> None:
    """A step, and a run that this one enqueues."""
    await ctx.step("reserve", int, "1")
    async with AsyncClient(url, token=API_TOKEN) as client:
        await client.enqueue("on_thread")


@app.job
def on_thread(ctx: Context) -> None:
    with ctx.effect("charge"):
        pass


@app.job(pool=Pool.PROCESSES)
def in_process(ctx: Context) -> str:
    """Say which trace the handler sees as the current one."""
    ctx.step_sync("pack", int, "1")
    return f"{trace.get_current_span().get_span_context().trace_id:032x}"


@app.job(retry=RetryPolicy(attempts=2, backoff=0.01))
async def fails() -> None:
    raise ValueError("secret words")


@app.job
async def transacted() -> None:
    pass


@app.job
async def fired() -> None:
    pass


@app.job(queue="linked")
async def later() -> None:
    pass


def call(url: str, receiver: str, database: str) -> None:
    request = {"url": f"{receiver}/hook", "method": "POST"}
    with Client(url, token=API_TOKEN) as client, trace.get_tracer("caller").start_as_current_span("checkout"):
        client.enqueue("on_loop", {"url": url})
        client.enqueue_many([Enqueue(job="in_process"), Enqueue(job="in_process")])
        client.enqueue("http", request)
        client.enqueue("fails")
        client.enqueue("later", key="order-7")
        with psycopg.connect(database) as connection:
            InTransactionSync(client, connection).send(Enqueue(job="transacted"))


if __name__ == "__main__":
    start_tracing("caller")
    call(*sys.argv[1:])
