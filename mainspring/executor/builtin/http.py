"""The built-in handler `http`: one request, guarded, bounded, and judged by its answer's code."""

import asyncio
from bisect import bisect_right
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import httpcore2
import msgspec

from mainspring.domain.runs.run import RESULT_MAX
from mainspring.errors import InvalidInputError
from mainspring.executor.attempts.attempt import encode
from mainspring.executor.attempts.context import Context
from mainspring.executor.attempts.signals import GiveUp
from mainspring.executor.builtin.codes import Codes
from mainspring.executor.builtin.urls import follow, origin, read_url, shown
from mainspring.outgoing.guard import Guard
from mainspring.outgoing.pinned import AddressForbiddenError, PinnedBackend, UnresolvedError
from mainspring.telemetry import names
from mainspring.telemetry.spans import request_span, traceparent
from mainspring.version import __version__

BODY_MAX = 512 * 1024
REFUSED_HEADERS = frozenset({"host", "content-length", "transfer-encoding", "connection", "upgrade"})
GIVE_UP = ["400-407", "409-424", "426-428", "430-499"]
"""Statuses that another try cannot mend: 4xx except a timeout (408), too early (425) and too many (429)."""
MOVED = (301, 302, 303, 307, 308)
CARRIED = frozenset(
    {
        *("accept", "accept-encoding", "accept-language", "content-encoding", "content-language", "content-type"),
        *("user-agent", "idempotency-key", "mainspring-run", "mainspring-attempt"),
    }
)
"""Headers sent along a redirect to another origin; any other header may hold a credential."""

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=3600)]
Size = Annotated[int, msgspec.Meta(ge=0, le=16 * 1024 * 1024)]
Hops = Annotated[int, msgspec.Meta(ge=0, le=5)]


class RequestFailedError(Exception):
    """No answer, or one whose code does not count as success."""


class RequestRefusedError(GiveUp):
    """A request that can never be sent."""

    def __init__(self, error: InvalidInputError) -> None:
        super().__init__(str(error))
        self.code = error.code


class AddressRefusedError(GiveUp):
    """The address lies in a range that this executor may not reach."""

    code = "address_refused"


class HttpAnswer(msgspec.Struct):
    status: int
    headers: dict[str, str]
    body: bytes
    truncated: bool


class Http:
    """Sends requests through the guard."""

    def __init__(self, guard: Guard) -> None:
        self._backend = PinnedBackend(guard)
        self._tls = httpcore2.default_ssl_context()

    async def request(
        self,
        ctx: Context,
        url: str,
        method: Method = "POST",
        headers: dict[str, str] = {},  # noqa: B006 never changed
        body: Any = None,
        success: list[str] = ["2xx"],  # noqa: B006
        give_up: list[str] = GIVE_UP,
        timeout: Seconds = 30.0,
        max_bytes: Size = BODY_MAX,
        redirects: Hops = 0,
    ) -> dict[str, Any]:
        """Send a request; `body` is sent as JSON unless it is a text.

        Codes outside `success` fail the attempt, and those in `give_up` the run: sending the same again would not help.
        """
        try:
            url = read_url(url)
            good, hopeless = Codes(success, field="success"), Codes(give_up, field="give_up")
            sent, content = prepare(ctx, headers, body)
            with request_span(method, shown(url), urlsplit(url).hostname or "") as told:
                if trace := traceparent():
                    sent.setdefault("traceparent", trace)
                async with asyncio.timeout(timeout):
                    answer = await self._follow(method, url, sent, content, max_bytes, redirects)
                if told is not None:
                    told(names.CODE, answer.status)
        except InvalidInputError as error:
            raise RequestRefusedError(error) from None
        except AddressForbiddenError as error:
            reason = f"{error}, which this executor may not reach: its operator can allow it by http_networks"
            raise AddressRefusedError(reason) from None
        except UnresolvedError as error:
            raise RequestFailedError(str(error)) from None
        except TimeoutError:
            raise RequestFailedError(f"{method} {shown(url)} took longer than {timeout:g} s") from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException, OSError) as error:
            raise RequestFailedError(f"{method} {shown(url)}: {error or type(error).__name__}") from None
        ctx.logger.info("%s %s answered %d with %d bytes", method, shown(url), answer.status, len(answer.body))
        if answer.status not in good:
            text = answer.body[:500].decode("utf-8", "replace")
            failed = RequestFailedError(f"{method} {shown(url)} answered {answer.status}: {text}")
            if answer.status in hopeless:
                raise GiveUp(str(failed)) from failed
            raise failed
        return fitted(answer)

    async def _follow(
        self, method: str, url: str, headers: dict[str, str], content: bytes, max_bytes: int, hops: int
    ) -> HttpAnswer:
        while True:
            answer = await self._send(method, url, headers, content, max_bytes)
            target = answer.headers.get("location")
            if answer.status not in MOVED or not target or hops == 0:
                return answer
            hops -= 1
            following = follow(url, target)
            if origin(following) != origin(url):
                headers = {name: value for name, value in headers.items() if name in CARRIED}
            if answer.status == 303 or (answer.status in (301, 302) and method == "POST"):
                method, content = "GET", b""
            url = following

    async def _send(self, method: str, url: str, headers: dict[str, str], content: bytes, max_bytes: int) -> HttpAnswer:
        async with (
            httpcore2.AsyncConnectionPool(ssl_context=self._tls, network_backend=self._backend) as pool,
            pool.stream(method, url, headers=list(headers.items()), content=content) as response,
        ):
            body, truncated = bytearray(), False
            async for chunk in response.aiter_stream():
                body += chunk
                if len(body) > max_bytes:
                    del body[max_bytes:]
                    truncated = True
                    break
            named = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
            return HttpAnswer(response.status, named, bytes(body), truncated)


def prepare(ctx: Context, headers: dict[str, str], body: Any) -> tuple[dict[str, str], bytes]:
    for name, value in headers.items():
        if name.lower() in REFUSED_HEADERS:
            raise InvalidInputError("headers", f"{name} is set by the executor itself", code="bad_headers")
        if not (name.isascii() and name.isprintable()) or any(ord(mark) < 32 or ord(mark) == 127 for mark in value):
            raise InvalidInputError(
                "headers", f"{name!r} has characters that a header cannot carry", code="bad_headers"
            )
    ours = {
        "user-agent": f"mainspring/{__version__}",
        "accept": "*/*",
        "idempotency-key": ctx.idempotency_key,
        "mainspring-run": ctx.run,
        "mainspring-attempt": str(ctx.attempt),
    }
    given = {name.lower(): value for name, value in headers.items()}
    if body is None:
        return ours | given, b""
    if isinstance(body, str):
        return {"content-type": "text/plain; charset=utf-8"} | ours | given, body.encode()
    return {"content-type": "application/json"} | ours | given, msgspec.json.encode(body)


def fitted(answer: HttpAnswer) -> dict[str, Any]:
    """The result, cut to the size limit."""
    # The request was sent, and must not be repeated because of its answer's size.
    result = {"status": answer.status, "headers": answer.headers, "body": read(answer), "truncated": answer.truncated}
    if len(encode(result)) <= RESULT_MAX:
        return result
    text = answer.body.decode("utf-8", "replace")
    result |= {"body": "", "truncated": True}
    # Between two quotes, which the empty body has as well.
    left = RESULT_MAX - len(encode(result)) + 2
    size = bisect_right(range(min(len(text), left) + 1), left, key=lambda end: len(encode(text[:end]))) - 1
    return result | {"body": text[:size], "truncated": answer.truncated or size < len(text)}


def read(answer: HttpAnswer) -> Any:
    if "json" in answer.headers.get("content-type", ""):
        try:
            return msgspec.json.decode(answer.body)
        except msgspec.DecodeError:
            pass
    return answer.body.decode("utf-8", "replace")
