"""The app whose jobs fail for good, each run at once."""

from bench.mainspring.names import failing_name
from mainspring import App, RetryPolicy

JOBS = 500
app = App("failing")


async def fail(payload: float) -> None:
    raise RuntimeError(f"asked for by {payload:g}")


for number in range(JOBS):
    app.job(name=failing_name(number), retry=RetryPolicy(attempts=1))(fail)
