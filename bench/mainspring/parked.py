"""The app of a job whose executor comes once, to make it known, and never again."""

from bench.mainspring.names import PARKED
from mainspring import App

app = App("parked")


@app.job(name=PARKED)
async def parked(payload: float) -> None:
    raise AssertionError(payload)
