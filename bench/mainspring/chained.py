"""The app of chains that are drained beside plain runs of the same job."""

from bench.mainspring.names import PLAIN
from bench.peers.probe import probe_from_environment
from mainspring import App

app = App("chained")
probe = probe_from_environment()
LINKS = 10


@app.job(name=PLAIN)
async def link(payload: float) -> float:
    probe.start(payload)
    return payload


@app.workflow
def chained(payload: float) -> float:
    """Ten steps, one after the other."""
    value = link.step(payload)
    for _ in range(LINKS - 1):
        value = link.step(value)
    return value
