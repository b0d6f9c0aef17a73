"""The app whose handlers run on threads."""

from bench.mainspring.names import NOOP
from bench.peers.probe import probe_from_environment
from mainspring import App

app = App("bench")
probe = probe_from_environment()


@app.job(name=NOOP)
def noop(payload: float) -> None:
    probe.start(payload)
