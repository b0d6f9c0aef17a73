"""Keeps the shop a little busy so that there is something to see: `python -m mainspring.examples.feed [minutes]`."""

import asyncio
import random
import sys
from datetime import date, timedelta

from mainspring import ConflictError, NotFoundError, UnavailableError
from mainspring.examples.back_office import (
    BankLine,
    NightlyReport,
    delete_old_carts,
    export_orders,
    reconcile,
    sms_campaign,
    sync_stock,
)
from mainspring.examples.night import app as night
from mainspring.examples.night import close_books, print_label
from mainspring.examples.shop import charge_card, rebuild_search, sales_report, send_sms, thumbnail, welcome_mail

CUSTOMERS = ("anna", "bert", "cleo", "dora", "emil")
SUPPLIERS = ("north", "south", "east", "acme")
PAUSE = timedelta(seconds=3)
MINUTES_DEFAULT = 60
NIGHT, VAN, PARCELS = 40, 70, 50
"""Customers from one night of this shop to the next, and from one van to the next; how much a van takes."""


async def visit(number: int) -> None:
    """What one customer causes; now and then the shop's own chores."""
    customer = random.choice(CUSTOMERS)
    await welcome_mail.enqueue(email=f"{customer}@example.com", name=customer.title())
    await charge_card.enqueue(order=number, cents=random.randrange(500, 20_000))
    await thumbnail.enqueue(picture=f"{customer}.jpg")
    await send_sms.options(delay=timedelta(seconds=20)).enqueue(phone="+15550100", text="Your parcel is on its way")
    supplier = random.choice(SUPPLIERS)
    await sync_stock.options(labels={"supplier": supplier}).enqueue(supplier=supplier)
    if number % 10 == 0:
        await chores(number)
    if number % NIGHT == 1:
        await fall_asleep(number)
    if number % VAN == VAN - 1:
        await night.enqueue_many(print_label.call(parcel=number * 100 + parcel) for parcel in range(PARCELS))


async def chores(number: int) -> None:
    """What the shop itself does now and then."""
    await rebuild_search.enqueue()
    await export_orders.options(tags=["finance"]).enqueue()
    await reconcile.options(key=f"bank-file-{number}").enqueue(lines=[BankLine(order, 1999) for order in range(40)])
    await NightlyReport.enqueue(day=date(2030, 1, 1))
    await delete_old_carts.enqueue()
    await sms_campaign.enqueue(text="Sale!", phones=[f"+1555{n:04}" for n in range(50)])
    await sales_report.enqueue(day=date(2030, 1, 1))


async def fall_asleep(number: int) -> None:
    """Nights are short here. The feed decides on the books of the last one, unless a person was quicker."""
    for waiting in (await night.client.approvals.list()).approvals:
        if number % (3 * NIGHT) == 1:
            await night.client.approvals.reject(waiting.run, note="the totals look odd")
        else:
            await night.client.approvals.approve(waiting.run, note="as every night")
    await close_books.enqueue(day=str(number // NIGHT + 1))


async def feed(minutes: float) -> None:
    for number in range(int(minutes * 60 / PAUSE.total_seconds())):
        try:
            await visit(number)
        except (ConflictError, NotFoundError):
            # A person decided in the same moment.
            continue
        except UnavailableError as error:
            print(f"waiting for the server: {error}")
        await asyncio.sleep(PAUSE.total_seconds())


if __name__ == "__main__":
    asyncio.run(feed(float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES_DEFAULT))
