"""The app whose handlers run in child processes."""

import time

from bench.mainspring.names import NOOP, WORK
from bench.peers.probe import probe_from_environment
from bench.peers.workload import workload_from_environment
from mainspring import App, RetryPolicy

app = App("bench")
probe = probe_from_environment()
workload = workload_from_environment()


@app.job(name=NOOP, pool="processes")
def noop(payload: float) -> None:
    probe.start(payload)


@app.job(name=WORK, retry=RetryPolicy(attempts=1), pool="processes")
def work(payload: float, body: str = "") -> None:  # noqa: ARG001 it is brought, and not looked at
    probe.start(payload)
    if workload.wait:
        time.sleep(workload.wait)
    workload.finish(payload)
