"""Jobs that do nothing, each under other limits."""

from bench.mainspring.names import FAIR, GATED, KEYED_1, KEYED_20, PLAIN
from bench.peers.probe import probe_from_environment
from mainspring import App

app = App("limited")
probe = probe_from_environment()


@app.job(name=PLAIN)
async def plain(payload: float, key: int = 0) -> None:  # noqa: ARG001 the input of all of them is the same
    probe.start(payload)


# Beside these two, its queue has a limit: none of the three is ever reached.
@app.job(name=GATED, queue="gated", at_once=20_000, rate="1000000/s")
async def gated(payload: float, key: int = 0) -> None:  # noqa: ARG001
    probe.start(payload)


@app.job(name=KEYED_20, at_once=20, limit_key="key")
async def keyed_20(payload: float, key: int) -> None:  # noqa: ARG001
    probe.start(payload)


@app.job(name=KEYED_1, at_once=1, limit_key="key")
async def keyed_1(payload: float, key: int) -> None:  # noqa: ARG001
    probe.start(payload)


@app.job(name=FAIR, fair="key")
async def fair(payload: float, key: int) -> None:  # noqa: ARG001
    probe.start(payload)
