"""Requests: counted by route, and bounded by class, so that the least important are refused first.

Outcomes, beats and hellos of executors come by their own connections and are never refused, nor are health checks. Of
requests, lists come last: only some of them read at once, so that connections to the database are left for claims, settlements
and enqueues.
"""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from enum import IntEnum
from time import perf_counter
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.errors import problem_of
from mainspring.contract.base.operation import Operation
from mainspring.domain.metrics.declared import FRAME_BYTES, FRAMES, REQUEST_SECONDS, REQUESTS
from mainspring.domain.metrics.family import Series
from mainspring.domain.metrics.numbers import Histogram, Totals
from mainspring.errors import MainspringError, UnavailableError

Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]
BROKEN = 500
LISTS_AT_ONCE = 6
"""Lists that read at once; the store has ten connections."""
LISTS_WAITING = 200
"""Lists that wait for their turn; more are refused."""
LIST_PATIENCE = 5.0
"""Seconds that a list waits for its turn."""
FRESH = 1.0
"""Seconds for which a look at the loop counts."""


class Traffic:
    """How many requests each route answered, with which code, and how long that took; and frames of executors."""

    def __init__(self) -> None:
        self._requests, self._seconds = Totals(REQUESTS), Histogram(REQUEST_SECONDS)
        self._frames, self._bytes = Totals(FRAMES), Totals(FRAME_BYTES)

    def add(self, path: str, method: str, code: int, seconds: float) -> None:
        self._requests.add((path, method, str(code)))
        self._seconds.observe(seconds, (path,))

    def frame(self, direction: str, size: int) -> None:
        """Count a frame from or to an executor."""
        self._frames.add((direction,))
        self._bytes.add((direction,), size)

    def series(self) -> list[Series]:
        return [each.series() for each in (self._requests, self._seconds, self._frames, self._bytes)]


class Work(IntEnum):
    """Classes of requests, the most important first."""

    ENQUEUE = 2
    STEER = 3
    LIST = 4


IN_FLIGHT_MAX = {Work.ENQUEUE: 20_000, Work.STEER: 20_000}
LAG_MAX = {Work.ENQUEUE: 5.0, Work.STEER: 2.0, Work.LIST: 0.5}
"""Seconds that one turn of the event loop may take before requests of the class are refused."""


def work_of(operation: Operation[Any]) -> Work:
    if operation.name in ("create_runs", "start_run"):
        return Work.ENQUEUE
    # A caller that follows logs waits for lines, and reads little.
    lists = operation.name.startswith(("list_", "search_", "count_")) and operation.name != "list_logs"
    return Work.LIST if lists else Work.STEER


def busy() -> UnavailableError:
    error = UnavailableError("the server has more to do than it can: try again in a moment")
    error.code = "busy"
    return error


class Overload:
    """Bounds on requests under way, and the lag of the event loop, measured only while requests come."""

    def __init__(self) -> None:
        self.lag = 0.0
        """The less of the last two looks: one slow turn, such as a long collection of garbage, is no overload."""
        self._last = 0.0
        self._looked_at = 0.0
        self._looking = False
        self._in_flight = dict.fromkeys(IN_FLIGHT_MAX, 0)
        self._lists = asyncio.Semaphore(LISTS_AT_ONCE)
        self._waiting = 0

    def enter(self, work: Work) -> None:
        """Count a request in, until `leave`; raises UnavailableError if the server has too much to do."""
        self._look()
        if self._in_flight[work] >= IN_FLIGHT_MAX[work] or self._lags(work):
            raise busy()
        self._in_flight[work] += 1

    def leave(self, work: Work) -> None:
        self._in_flight[work] -= 1

    async def list_turn(self) -> asyncio.Semaphore:
        """The right to read a list, which the caller gives back; raises UnavailableError."""
        self._look()
        if self._waiting >= LISTS_WAITING or self._lags(Work.LIST):
            raise busy()
        self._waiting += 1
        try:
            async with asyncio.timeout(LIST_PATIENCE):
                await self._lists.acquire()
        except TimeoutError:
            raise busy() from None
        finally:
            self._waiting -= 1
        return self._lists

    def _lags(self, work: Work) -> bool:
        return self.lag > LAG_MAX[work] and perf_counter() - self._looked_at < FRESH

    def _look(self) -> None:
        """Measure how long the loop takes to come round."""
        if not self._looking:
            self._looking = True
            asyncio.get_running_loop().call_soon(self._looked, perf_counter())

    def _looked(self, began: float) -> None:
        now = perf_counter()
        before = self._last if now - self._looked_at < FRESH + (now - began) else 0.0
        self._looking, self._looked_at, self._last = False, now, now - began
        self.lag = min(before, self._last)


def bounded(endpoint: Endpoint, operation: Operation[Any]) -> Endpoint:
    """The endpoint, for as many requests of its class as the server can serve at once."""
    work = work_of(operation)

    @functools.wraps(endpoint)
    async def bound(request: Request) -> Response:
        overload: Overload = request.app.state.overload
        if work is not Work.LIST:
            # No context manager: every enqueue passes here.
            overload.enter(work)
            try:
                return await endpoint(request)
            finally:
                overload.leave(work)
        turn = await overload.list_turn()
        try:
            return await endpoint(request)
        finally:
            turn.release()

    return bound


def counted(endpoint: Endpoint, operation: Operation[Any]) -> Endpoint:
    """The endpoint, with its answers counted by the template of the path; a long answer counts when it begins."""
    path, method = operation.path, operation.method

    @functools.wraps(endpoint)
    async def count(request: Request) -> Response:
        began, code = perf_counter(), BROKEN
        try:
            response = await endpoint(request)
            code = response.status_code
        except MainspringError as error:
            code = problem_of(error).status
            raise
        finally:
            request.app.state.traffic.add(path, method, code, perf_counter() - began)
        return response

    return count
