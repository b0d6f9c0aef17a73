"""What a shop does at night: a workflow that people approve, and labels that are printed two at a time."""

import asyncio
import random

from mainspring import App, Context, RetryPolicy, approval, either, otherwise, when

app = App("night desk")

COUNTRIES = ("AT", "CH", "DE", "FR", "IT")


@app.job(queue="finance")
async def read_sales(ctx: Context, day: str) -> list[str]:
    """The countries that had sales on a day."""
    await asyncio.sleep(random.uniform(0.5, 2))
    ctx.logger.info("sales of %s are read", day)
    return list(COUNTRIES)


@app.job(queue="finance", retry=RetryPolicy(attempts=2, backoff=1.0))
async def book_country(ctx: Context, country: str, day: str) -> int:
    """The tax office of one country is slow, and sometimes says no."""
    await asyncio.sleep(random.uniform(1, 4))
    if country == "IT" and random.random() < 0.3:
        raise ConnectionError(f"the tax office of {country} does not answer")
    ctx.logger.info("%s is booked for %s", country, day)
    return random.randrange(10_000, 90_000)


@app.job(queue="finance")
async def balance(totals: list[int]) -> int:
    await asyncio.sleep(random.uniform(0.5, 1.5))
    return sum(totals)


@app.job(queue="finance")
async def post_ledger(cents: int) -> str:
    await asyncio.sleep(random.uniform(0.5, 2))
    return f"posted {cents / 100:.2f}"


@app.job(queue="finance")
async def keep_draft(day: str) -> str:
    return f"{day} stays a draft"


@app.job(queue="finance")
async def mail_summary(day: str) -> str:
    await asyncio.sleep(0.3)
    return f"summary of {day} is sent"


@app.workflow(queue="finance", finally_=mail_summary, cron="0 2 * * *", zone="Europe/Berlin")
def close_books(day: str = "yesterday") -> str:
    """Read, book by country, balance, have it approved, post."""
    totals = book_country.as_step(at_once=3).map(read_sales.step(day), day=day)
    cents = balance.step(totals)
    seen = approval("Close the books", details={"day": day}, timeout="12h", after=cents)
    with when(seen.approved):
        posted = post_ledger.step(cents)
    with otherwise():
        kept = keep_draft.step(day)
    return either(posted, kept, default="not posted")


@app.job(queue="labels", at_once=2)
async def print_label(ctx: Context, parcel: int) -> str:
    """There are two printers: whenever the van comes, this queue is late for a while."""
    await asyncio.sleep(random.uniform(1.5, 3))
    ctx.logger.info("label of parcel %d is printed", parcel)
    return f"parcel-{parcel}.pdf"
