"""The app of a job whose runs go to executors in turn."""

from bench.mainspring.names import IN_TURN
from bench.peers.probe import probe_from_environment
from mainspring import App

app = App("routed")
probe = probe_from_environment()


@app.job(name=IN_TURN, route="round_robin")
async def in_turn(payload: float) -> None:
    probe.start(payload)
