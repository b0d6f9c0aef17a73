"""HTTP for asyncio: its library is heavy, and so imported by the first call and not before."""

from typing import Any

import httpx2

from mainspring.client.requests import Request, T, parse
from mainspring.client.servers import TIMEOUT, Given, find_server, headers, unreachable
from mainspring.settings import ClientSettings

CONNECT_RETRIES = 1


class AsyncTransport:
    """Carries requests from one event loop."""

    def __init__(self, given: Given) -> None:
        settings = find_server(given)
        retrying = httpx2.AsyncHTTPTransport(retries=CONNECT_RETRIES, verify=is_secure(settings))
        self._http = httpx2.AsyncClient(base_url=settings.url, headers=headers(settings), transport=retrying)

    async def call(self, request: Request[T]) -> T:
        try:
            answer = await self._http.request(**call_arguments(request))
        except httpx2.TransportError as error:
            raise unreachable(self._http.base_url, error) from error
        return parse(request, answer.status_code, answer.content)

    async def close(self) -> None:
        await self._http.aclose()


def is_secure(settings: ClientSettings) -> bool:
    """Whether certificates matter; reading them all for plain HTTP takes longer than a call."""
    return not settings.url.startswith("http:")


def call_arguments(request: Request[Any]) -> dict[str, Any]:
    return {
        "method": request.method,
        "url": request.path,
        "params": request.params or None,
        "content": request.body,
        "headers": {"content-type": "application/json"} if request.body is not None else None,
        "timeout": TIMEOUT + request.wait,
    }
