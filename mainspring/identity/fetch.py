"""Calls an identity provider: through the address guard, in bounded time, with bounded answers."""

import asyncio
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import httpcore2
import msgspec

from mainspring.errors import UnavailableError
from mainspring.outgoing.guard import Guard
from mainspring.outgoing.pinned import AddressForbiddenError, PinnedBackend, UnresolvedError

TIMEOUT = 10.0
ANSWER_MAX = 256 * 1024
OK = 200
FORM = ("content-type", "application/x-www-form-urlencoded")
JSON = ("accept", "application/json")


class ProviderAwayError(UnavailableError):
    """An identity provider does not answer, or not as it should."""

    code = "provider_away"


class Fetcher:
    """Answers are JSON objects."""

    def __init__(self, guard: Guard, *, tls: ssl.SSLContext | None = None) -> None:
        self._backend = PinnedBackend(guard)
        self._tls = tls or httpcore2.default_ssl_context()

    async def get(self, url: str) -> dict[str, Any]:
        """Raises ProviderAwayError."""
        return await self._call("GET", url, [JSON], b"")

    async def post(self, url: str, form: Mapping[str, str], headers: Mapping[str, str]) -> dict[str, Any]:
        """Raises ProviderAwayError."""
        return await self._call("POST", url, [JSON, FORM, *headers.items()], urlencode(form).encode())

    async def _call(self, method: str, url: str, headers: list[tuple[str, str]], body: bytes) -> dict[str, Any]:
        try:
            async with asyncio.timeout(TIMEOUT):
                status, answer = await self._send(method, url, headers, body)
        except TimeoutError:
            raise ProviderAwayError(f"{url} gives no answer within {TIMEOUT:g} s") from None
        except AddressForbiddenError as error:
            raise ProviderAwayError(f"{error}: the server's operator can allow it by oidc_networks") from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            raise ProviderAwayError(f"{url}: {error or type(error).__name__}") from None
        except (UnresolvedError, OSError) as error:
            raise ProviderAwayError(f"{url}: {error}") from None
        return read_answer(url, status, answer)

    async def _send(self, method: str, url: str, headers: list[tuple[str, str]], body: bytes) -> tuple[int, bytes]:
        async with (
            httpcore2.AsyncConnectionPool(ssl_context=self._tls, network_backend=self._backend) as pool,
            pool.stream(method, url, headers=headers, content=body) as response,
        ):
            answer = bytearray()
            async for chunk in response.aiter_stream():
                answer += chunk
                if len(answer) > ANSWER_MAX:
                    raise ProviderAwayError(f"{url} answers with more than {ANSWER_MAX} bytes")
            return response.status, bytes(answer)


def read_answer(url: str, status: int, answer: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(answer)
    except (msgspec.DecodeError, RecursionError):
        found = None
    if status != OK:
        # `error` is a code of the protocol; descriptions of others are not repeated.
        code = found.get("error", "") if isinstance(found, dict) else ""
        raise ProviderAwayError(f"{url} answers {status} {str(code)[:60]}".rstrip())
    if not isinstance(found, dict):
        raise ProviderAwayError(f"{url} does not answer with a JSON object")
    return found
