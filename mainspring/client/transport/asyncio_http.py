"""HTTP for asyncio: its library is heavy, and so imported by the first call and not before."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import httpx2

from mainspring.client.transport.fail_over import Choice, none_left
from mainspring.client.transport.requests import Request, T, parse
from mainspring.client.transport.servers import CONNECT_MAX, TIMEOUT, Given, find_server, headers, unreachable
from mainspring.client.transport.versions import Origin
from mainspring.client.values import check_params
from mainspring.client.waiting_in_handlers import heeded
from mainspring.clock import SystemClock
from mainspring.domain.runs.current import has_to_look
from mainspring.errors import UnavailableError
from mainspring.settings import ClientSettings
from mainspring.settings.security import trust

if TYPE_CHECKING:
    from ssl import SSLContext

CONNECT_RETRIES = 1
UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
"""Of a request that no connection was found for."""


class AsyncTransport:
    """Carries requests from one event loop to whichever of the servers takes them."""

    def __init__(self, given: Given, ca_file: str | None = None) -> None:
        settings = find_server(given, ca_file=ca_file)
        self._urls = tuple(url.rstrip("/") for url in dict.fromkeys(settings.url))
        self._choice = Choice(len(self._urls))
        self._monotonic = SystemClock().monotonic
        retrying = httpx2.AsyncHTTPTransport(retries=CONNECT_RETRIES, verify=verification(settings))
        self._http = httpx2.AsyncClient(headers=headers(settings), transport=retrying)

    async def call(self, request: Request[T]) -> T:
        errors: list[UnavailableError] = []
        for at in self._choice.order(self._monotonic()):
            try:
                answer = await self._call(self._urls[at], request)
            except UnavailableError as error:
                self._choice.note_failure(at, request, error, self._monotonic())
                errors.append(error)
                continue
            self._choice.answered(at)
            return answer
        raise none_left(errors)

    async def stream(self, request: Request[bytes]) -> AsyncGenerator[str, None]:
        """The lines of an answer as they come, until the server ends it."""
        errors: list[UnavailableError] = []
        for at in self._choice.order(self._monotonic()):
            begun = False
            try:
                async with aclosing(self._stream(self._urls[at], request)) as lines:
                    async for line in lines:
                        begun = True
                        yield line
            except UnavailableError as error:
                self._choice.note_failure(at, request, error, self._monotonic())
                if begun:
                    # The caller knows how far it has read, and asks for the rest.
                    raise
                errors.append(error)
                continue
            self._choice.answered(at)
            return
        raise none_left(errors)

    async def close(self) -> None:
        await self._http.aclose()

    async def _call(self, url: str, request: Request[T]) -> T:
        try:
            asking = self._http.request(**self._arguments(url, request))
            answer = await (heeded(asking) if request.wait and has_to_look() else asking)
        except httpx2.TransportError as error:
            raise unreachable(url, error, unsent=isinstance(error, UNSENT)) from error
        return parse(request, answer.status_code, answer.content, Origin(url, answer.headers))

    async def _stream(self, url: str, request: Request[bytes]) -> AsyncGenerator[str, None]:
        try:
            async with self._http.stream(**self._arguments(url, request)) as answer:
                if answer.status_code >= 300:
                    parse(request, answer.status_code, await answer.aread(), Origin(url, answer.headers))
                async for line in answer.aiter_lines():
                    yield line
        except httpx2.TransportError as error:
            raise unreachable(url, error) from error

    def _arguments(self, url: str, request: Request[Any]) -> dict[str, Any]:
        patience = TIMEOUT + request.wait
        connect_max = CONNECT_MAX if len(self._urls) > 1 else patience
        return call_arguments(url, request, httpx2.Timeout(patience, connect=connect_max))


def verification(settings: ClientSettings) -> "SSLContext | bool":
    """Whom to believe; for plain HTTP nobody, since reading all the certificates takes longer than a call."""
    return trust(settings.ca_file) if any(url.startswith("https:") for url in settings.url) else False


def call_arguments(url: str, request: Request[Any], timeout: httpx2.Timeout) -> dict[str, Any]:
    check_params(request.params)
    return {
        "method": request.method,
        "url": url + request.path,
        "params": request.params or None,
        "content": request.body,
        "headers": {**request.headers, **({"content-type": "application/json"} if request.body is not None else {})},
        "timeout": timeout,
    }
