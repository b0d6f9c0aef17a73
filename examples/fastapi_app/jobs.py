"""The jobs of the sign-up service."""

from mainspring import App, Context, RetryPolicy

app = App("signups")


@app.job(retry=RetryPolicy(attempts=5))
async def welcome(ctx: Context, email: str) -> str:
    ctx.logger.info("a mail to %s", email)
    return f"sent to {email}"


@app.job
def count_letters(email: str) -> int:
    return len(email)
