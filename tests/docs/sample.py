"""The jobs that guides speak of without showing them."""

import asyncio

from mainspring import App, Context, RetryPolicy

app = App("docs")


@app.job(queue="mail", retry=RetryPolicy(attempts=3))
async def send_mail(to: str) -> str:
    return f"sent to {to}"


@app.job(queue="mail")
async def welcome_mail(email: str, name: str = "friend") -> str:
    return f"Dear {name}, welcome! (sent to {email})"


@app.job
async def report(ctx: Context, day: str) -> str:
    """Goes on until it is cancelled."""
    ctx.logger.info("the report of %s begins", day)
    await asyncio.Event().wait()
    return day


@app.job
async def reconcile(day: str) -> str:
    return f"{day} is booked"


@app.job(name="Reconcile")
async def reconcile_file(file: str) -> str:
    return f"{file} is booked"


@app.job
async def quick(ctx: Context) -> str:
    ctx.logger.info("done at once")
    return "done"


@app.job
async def fails() -> None:
    raise ValueError("no luck")
