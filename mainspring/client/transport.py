"""The HTTP library and the search for a server: heavy, and so imported by the first call and not before."""

from typing import Any

import httpx2

from mainspring.client.requests import Request, T, parse
from mainspring.errors import ConfigError, UnavailableError
from mainspring.settings import TOKEN_API, ClientSettings, load, read_token

TIMEOUT = 30.0
CONNECT_RETRIES = 1

Given = tuple[str | None, str | None, str | None]
"""URL, token and namespace, as far as the caller named them."""


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


class SyncTransport:
    """Carries requests from plain code."""

    def __init__(self, given: Given) -> None:
        settings = find_server(given)
        retrying = httpx2.HTTPTransport(retries=CONNECT_RETRIES, verify=is_secure(settings))
        self._http = httpx2.Client(base_url=settings.url, headers=headers(settings), transport=retrying)

    def call(self, request: Request[T]) -> T:
        try:
            answer = self._http.request(**call_arguments(request))
        except httpx2.TransportError as error:
            raise unreachable(self._http.base_url, error) from error
        return parse(request, answer.status_code, answer.content)

    def close(self) -> None:
        self._http.close()


def find_server(given: Given) -> ClientSettings:
    """What the caller named, or else what the environment and the home directory say."""
    url, token, namespace = given
    settings = load(ClientSettings, {"url": url, "token": token, "namespace": namespace})
    found = settings.token or read_token(settings.home, TOKEN_API)
    if not found:
        raise ConfigError(f"no token: set MAINSPRING_TOKEN, or MAINSPRING_HOME to a server's home, not {settings.home}")
    return ClientSettings(url=settings.url, token=found, namespace=settings.namespace)


def headers(settings: ClientSettings) -> dict[str, str]:
    return {"authorization": f"Bearer {settings.token}", "mainspring-namespace": settings.namespace}


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


def unreachable(url: object, error: Exception) -> UnavailableError:
    return UnavailableError(f"{url} cannot be reached: {str(error) or type(error).__name__}")
