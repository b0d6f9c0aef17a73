"""Jobs of the shop that the browser tests look at."""

import time

from mainspring import App, Context, RetryPolicy

app = App("shop")
BIG = 9_007_199_254_740_993
"""A number that a browser's own would round."""
MARKUP = "<img src=x onerror=alert(1)> \u202eevil\u202c"


@app.job
def greet(ctx: Context, name: str) -> dict[str, int | str]:
    """Greets."""
    ctx.logger.info("hello %s", name)
    return {"greeting": f"hello {name}", "id": BIG}


@app.job(queue="pay", retry=RetryPolicy(attempts=2, backoff=0.05))
def charge(ctx: Context, order: int) -> None:
    ctx.logger.warning("gateway slow for order %d", order)
    raise ConnectionError(f"the gateway did not answer for order {order}")


@app.job
def hostile(ctx: Context) -> None:
    ctx.logger.info(MARKUP)
    raise ValueError(MARKUP)


@app.job(queue="slow")
def stand(ctx: Context) -> None:
    """Runs until it is cancelled."""
    ctx.progress(0.62, "page 310 of 500")
    while True:
        ctx.raise_if_stopping()
        time.sleep(0.02)


@app.job(queue="nobody-listens")
def chatter(ctx: Context, lines: int) -> None:
    for number in range(lines):
        ctx.logger.info("line %d of %d", number, lines)


@app.job(queue="late", retry=RetryPolicy(attempts=1))
def settle_up(ctx: Context, order: int) -> int:
    """Fails once: a retry by hand succeeds."""
    if ctx.attempt == 1:
        raise TimeoutError(f"the bank did not answer for order {order}")
    return order
