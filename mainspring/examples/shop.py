"""The jobs of a small web shop: `mainspring up` runs these when no other app is named."""

import asyncio
import hashlib
import random
from datetime import date
from time import sleep, time

from mainspring import App, Context, Pool, RetryPolicy, Trigger

app = App("shop")

GATEWAY_TURN, GATEWAY_DOWN = 180, 40
"""Seconds from one breakdown of the SMS gateway to the next, and how long each lasts."""


@app.job
async def welcome_mail(email: str, name: str = "friend") -> str:
    """Async: hundreds of these share one event loop."""
    await asyncio.sleep(0.2)
    return f"Dear {name}, welcome! (sent to {email})"


@app.job(queue="images")
def thumbnail(picture: str, width: int = 320) -> dict[str, str | int]:
    """A plain function runs on a thread."""
    sleep(random.uniform(0.1, 0.4))
    return {"picture": picture.replace(".", f"-{width}."), "width": width}


@app.job(queue="reports", pool=Pool.PROCESSES, priority=3)
def sales_report(day: date, rounds: int = 300_000) -> str:
    """Heavy on the CPU, so it gets a process of its own."""
    digest = day.isoformat().encode()
    for _ in range(rounds):
        digest = hashlib.sha256(digest).digest()
    return f"report-{day}-{digest.hex()[:8]}.pdf"


@app.job(retry=RetryPolicy(attempts=5, backoff=0.5))
async def charge_card(order: int, cents: int) -> str:
    """The bank is down half of the time; Mainspring tries again."""
    await asyncio.sleep(0.1)
    if random.random() < 0.5:
        raise ConnectionError("the bank does not answer")
    return f"order {order}: {cents / 100:.2f} paid"


@app.job(
    queue="reports",
    triggers=[Trigger(name="rebuild-search", cron="H 2 1 * *", overlap="skip", description="Monthly, from scratch.")],
)
def rebuild_search(ctx: Context, products: int = 200) -> int:
    """Slow: it logs, and says how far it has come."""
    for done in range(1, products + 1):
        if ctx.should_stop:
            raise InterruptedError(f"stopped after {done - 1} products")
        sleep(0.02)
        ctx.progress(done / products, f"{done} of {products}")
        if done % 50 == 0:
            ctx.logger.info("indexed %d products", done)
    return products


@app.job(queue="sms", priority=7, breaker="sms-gateway", rate="50/s", retry=RetryPolicy(attempts=5, backoff=1.0))
async def send_sms(phone: str, text: str) -> str:
    """Enqueue a thousand of these in one call: `app.enqueue_many(send_sms.call(…) for …)`.

    The gateway breaks down now and then: `mainspring breakers history sms-gateway` tells.
    """
    await asyncio.sleep(0.01)
    if time() % GATEWAY_TURN < GATEWAY_DOWN:
        raise ConnectionError("the gateway does not answer")
    return f"{len(text)} letters to {phone}"
