"""Serves metrics in Prometheus' text format."""

import asyncio
import functools
import os
import platform
import resource
from collections.abc import Iterable
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.engine_gate import gate_of
from mainspring.contract.operations.cluster import GET_METRICS
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.exposition import CONTENT_TYPE, write
from mainspring.domain.metrics.family import Series
from mainspring.errors import NotFoundError
from mainspring.version import __version__
from mainspring.wire.messages import PROTOCOL

PROCESS, BOOT = Path("/proc/self"), Path("/proc/stat")
START_TICKS = 19
"""Place of the start among the fields of a process after its name, in ticks since the machine's boot."""

router = Routes()


@router.bind(GET_METRICS)
async def get_metrics(call: Call) -> Response:
    if not call.request.app.state.serves_metrics:
        raise NotFoundError("page", "/metrics", "the setting `metrics` of this server is off")
    return await answer(call.request, call.place)


def open_listener(app: Starlette) -> Starlette:
    """An application that serves the metrics of another one to callers without a token."""

    async def endpoint(_request: Request) -> Response:
        return await answer(Request({"type": "http", "app": app}), None)

    return Starlette(routes=[Route("/metrics", endpoint, methods=["GET"])])


async def answer(request: Request, namespace: str | None) -> Response:
    """The series as text; other calls get their turn between two pieces of it."""
    gate = gate_of(request)
    found = gate.engine().metrics.collect(namespace)
    if namespace is None:
        found += [*of_server(request), *request.app.state.traffic.series(), *of_process()]
    pieces: list[str] = []
    for series in found:
        for piece in write(series):
            pieces.append(piece)
            await asyncio.sleep(0)
    return Response("".join(pieces), media_type=CONTENT_TYPE)


def of_server(request: Request) -> Iterable[Series]:
    found = gate_of(request).readiness()
    versions = (__version__, str(PROTOCOL), platform.python_version())
    yield Series(declared.SERVER_INFO, [(versions, 1)])
    yield Series(declared.ATTACHED, [((), found.executors)])
    yield Series(declared.READY, [((), found.ready)])


def of_process() -> Iterable[Series]:
    """As Prometheus' own clients show it; where there is no /proc, processor time alone."""
    times = os.times()
    yield Series(declared.PROCESS_CPU, [((), times.user + times.system)])
    if PROCESS.exists():
        virtual, resident = map(int, (PROCESS / "statm").read_text().split()[:2])
        page, (files_max, _) = os.sysconf("SC_PAGE_SIZE"), resource.getrlimit(resource.RLIMIT_NOFILE)
        yield Series(declared.PROCESS_VIRTUAL, [((), virtual * page)])
        yield Series(declared.PROCESS_MEMORY, [((), resident * page)])
        yield Series(declared.PROCESS_START, [((), started_at())])
        yield Series(declared.PROCESS_FILES, [((), sum(1 for _ in (PROCESS / "fd").iterdir()))])
        yield Series(declared.PROCESS_FILES_MAX, [((), files_max)])


@functools.cache
def started_at() -> float:
    """The start of this process, in seconds since the Unix epoch."""
    booted = next(line for line in BOOT.read_text().splitlines() if line.startswith("btime "))
    # The name stands in brackets, and may have spaces and brackets in it.
    fields = (PROCESS / "stat").read_text().rpartition(")")[2].split()
    return int(booted.split()[1]) + int(fields[START_TICKS]) / os.sysconf("SC_CLK_TCK")
