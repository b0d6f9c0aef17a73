"""HTTP for asyncio: its library is heavy, and so imported by the first call and not before."""

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

import httpx2

from mainspring.client.requests import Request, T, parse
from mainspring.client.servers import TIMEOUT, Given, find_server, headers, unreachable
from mainspring.client.versions import Origin
from mainspring.settings import ClientSettings
from mainspring.settings.security import trust

if TYPE_CHECKING:
    from ssl import SSLContext

CONNECT_RETRIES = 1


class AsyncTransport:
    """Carries requests from one event loop."""

    def __init__(self, given: Given, ca_file: str | None = None) -> None:
        settings = find_server(given, ca_file=ca_file)
        self._url = settings.url
        retrying = httpx2.AsyncHTTPTransport(retries=CONNECT_RETRIES, verify=verification(settings))
        self._http = httpx2.AsyncClient(base_url=settings.url, headers=headers(settings), transport=retrying)

    async def call(self, request: Request[T]) -> T:
        try:
            answer = await self._http.request(**call_arguments(request))
        except httpx2.TransportError as error:
            raise unreachable(self._url, error) from error
        return parse(request, answer.status_code, answer.content, Origin(self._url, answer.headers))

    async def stream(self, request: Request[bytes]) -> AsyncGenerator[str, None]:
        """The lines of an answer as they come, until the server ends it."""
        try:
            async with self._http.stream(**call_arguments(request)) as answer:
                if answer.status_code >= 300:
                    parse(request, answer.status_code, await answer.aread(), Origin(self._url, answer.headers))
                async for line in answer.aiter_lines():
                    yield line
        except httpx2.TransportError as error:
            raise unreachable(self._url, error) from error

    async def close(self) -> None:
        await self._http.aclose()


def verification(settings: ClientSettings) -> "SSLContext | bool":
    """Whom to believe; for plain HTTP nobody, since reading all the certificates takes longer than a call."""
    return False if settings.url.startswith("http:") else trust(settings.ca_file)


def call_arguments(request: Request[Any]) -> dict[str, Any]:
    return {
        "method": request.method,
        "url": request.path,
        "params": request.params or None,
        "content": request.body,
        "headers": {**request.headers, **({"content-type": "application/json"} if request.body is not None else {})},
        "timeout": TIMEOUT + request.wait,
    }
