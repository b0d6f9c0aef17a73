"""Requests by route: the template of the path, never the path itself."""

import functools
from collections.abc import Callable, Coroutine
from time import perf_counter
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.errors import problem_of
from mainspring.contract.base.operation import Operation
from mainspring.domain.metrics.declared import FRAME_BYTES, FRAMES, REQUEST_SECONDS, REQUESTS
from mainspring.domain.metrics.family import Series
from mainspring.domain.metrics.numbers import Histogram, Totals
from mainspring.errors import MainspringError

Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]
BROKEN = 500


class Traffic:
    """How many requests each route answered, with which code, and how long that took; and frames of executors."""

    def __init__(self) -> None:
        self._requests, self._seconds = Totals(REQUESTS), Histogram(REQUEST_SECONDS)
        self._frames, self._bytes = Totals(FRAMES), Totals(FRAME_BYTES)

    def add(self, operation: Operation[Any], code: int, seconds: float) -> None:
        self._requests.add((operation.path, operation.method, str(code)))
        self._seconds.observe(seconds, (operation.path,))

    def frame(self, direction: str, size: int) -> None:
        """Count a frame from or to an executor."""
        self._frames.add((direction,))
        self._bytes.add((direction,), size)

    def series(self) -> list[Series]:
        return [each.series() for each in (self._requests, self._seconds, self._frames, self._bytes)]


def counted(endpoint: Endpoint, operation: Operation[Any]) -> Endpoint:
    """The endpoint, with its answers counted; a long answer counts when it begins."""

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
            request.app.state.traffic.add(operation, code, perf_counter() - began)
        return response

    return count
