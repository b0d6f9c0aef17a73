"""Four ways to have an effect exactly once. Each first attempt is cut off where that hurts most."""

import os

import asyncpg
import psycopg

from mainspring import App, Context, RetryPolicy

app = App("shop")
again = RetryPolicy(attempts=3, backoff=0.01)


def database() -> psycopg.Connection:
    return psycopg.connect(os.environ["DATABASE_URL"])


@app.job(retry=again)
def set_price(ctx: Context, item: str, cents: int) -> None:
    """The fence: who comes late from an earlier attempt finds a higher one, and changes nothing."""
    with database() as connection:
        connection.execute(
            """
            INSERT INTO prices (item, cents, fence) VALUES (%s, %s, %s)
            ON CONFLICT (item) DO UPDATE SET cents = excluded.cents, fence = excluded.fence
            WHERE prices.fence < excluded.fence
            """,
            [item, cents, ctx.fence],
        )
    cut_off(ctx)


@app.job(retry=again)
def pay(ctx: Context, order: int, cents: int) -> None:
    """The idempotency key: a receiver that gets it twice acts once."""
    with database() as connection:
        connection.execute(
            'INSERT INTO payments (key, "order", cents) VALUES (%s, %s, %s) ON CONFLICT (key) DO NOTHING',
            [ctx.idempotency_key, order, cents],
        )
    cut_off(ctx)


@app.job(retry=again)
def send_mail(ctx: Context, to: str) -> str:
    """The effect ledger: what was begun is known, and what was done is not done again."""
    with ctx.effect("mail") as mail:
        if mail.first:
            post(to, mail.key)
            cut_off(ctx)
        elif mail.unknown and not was_posted(mail.key):
            post(to, mail.key)
    return mail.key


@app.job(retry=again)
async def book(ctx: Context, order: int) -> str:
    """Your own transaction: the booking and the run's success commit together, or not at all."""
    connection = await asyncpg.connect(os.environ["DATABASE_URL"])
    try:
        async with connection.transaction():
            await connection.execute("INSERT INTO bookings VALUES ($1)", order)
            await ctx.settle_in(connection, f"booked {order}")
            cut_off(ctx)
    finally:
        await connection.close()
    return "what is returned behind that is not kept"


def post(to: str, key: str) -> None:
    """Stands for a mail server, which takes anything as often as it comes."""
    with database() as connection:
        connection.execute('INSERT INTO outbox (key, "to") VALUES (%s, %s)', [key, to])


def was_posted(key: str) -> bool:
    """Stands for a look at what it has sent."""
    with database() as connection:
        return connection.execute("SELECT FROM outbox WHERE key = %s", [key]).fetchone() is not None


def cut_off(ctx: Context) -> None:
    if ctx.attempt == 1:
        raise ConnectionError("the line went dead")
