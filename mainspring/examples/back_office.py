"""What a shop does behind the counter: jobs as classes, typed input, batches, and a file that came from the bank."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from time import sleep
from typing import Annotated

from mainspring import INJECTED, App, Context, Inject, Job, RetryPolicy, Trigger
from mainspring.examples.shop import send_sms

app = App("back office")


@dataclass
class BankLine:
    """A line of the bank's file."""

    order: int
    cents: int


class BankLedger:
    """Stands for a connection that is opened once for a process and shared by its attempts."""

    def __init__(self) -> None:
        self.booked = 0


@asynccontextmanager
async def open_ledger() -> AsyncIterator[BankLedger]:
    yield BankLedger()


@app.job(queue="finance", priority=8)
async def reconcile(
    ctx: Context, lines: list[BankLine], ledger: Annotated[BankLedger, Inject(open_ledger, scope="process")] = INJECTED
) -> dict[str, int]:
    """Typed input: each line is checked when the run is enqueued, and again when it starts."""
    for number, line in enumerate(lines, start=1):
        await asyncio.sleep(0.01)
        ledger.booked += line.cents
        ctx.progress(number / len(lines), f"order {line.order}")
    ctx.logger.info("booked %d lines", len(lines))
    return {"lines": len(lines), "cents": sum(line.cents for line in lines)}


@app.job
class NightlyReport(Job):
    """A job as a class: one instance for each process, `run` for each attempt."""

    queue = "reports"
    priority = 2

    def run(self, day: date) -> str:
        """Pretend to read a day's sales."""
        sleep(0.3)
        return f"{day:%A}: {random.randrange(100, 900)} orders"


@app.job(queue="sms")
async def sms_campaign(text: str, phones: list[str]) -> int:
    """A job that enqueues others: one call, all or none."""
    await app.enqueue_many(send_sms.options(priority=1).call(phone=phone, text=text) for phone in phones)
    return len(phones)


@app.job(queue="exports", retry=RetryPolicy(attempts=2))
async def export_orders(ctx: Context, orders: int = 600) -> str:
    """Takes half a minute: long enough to look at it, and to cancel it."""
    for done in range(1, orders + 1):
        await asyncio.sleep(0.05)
        ctx.progress(done / orders, f"{done} of {orders} orders")
        if done % 100 == 0:
            ctx.logger.info("wrote %d of %d orders", done, orders)
    return "orders.csv"


@app.job(
    retry=RetryPolicy(attempts=3, backoff=1.0),
    triggers=[
        Trigger(name="sync-north", every=timedelta(minutes=2), input={"supplier": "north"}, overlap="skip"),
        Trigger(name="sync-south", cron="*/5 8-18 * * mon-fri", zone="Europe/Berlin", input={"supplier": "south"}),
    ],
)
def sync_stock(supplier: str) -> int:
    """Fails for good with one supplier: see `mainspring runs list --state failed`."""
    if supplier == "acme":
        raise PermissionError("acme has closed our account")
    sleep(0.1)
    return random.randrange(1000)


@app.job(queue="maintenance", priority=0, cron="30 3 * * sun", zone="Europe/Berlin")
def delete_old_carts(ctx: Context, days: int = 30) -> int:
    """The least urgent of all: it starts by itself on Sundays, and runs when nothing else wants the slot."""
    sleep(0.2)
    ctx.logger.info("carts older than %d days are gone", days)
    return random.randrange(50)
