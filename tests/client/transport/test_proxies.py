"""Proxies of the environment, over real connections: plain calls are passed on, TLS goes through a tunnel."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from mainspring import AsyncClient, Client, UnavailableError
from mainspring.errors import ConfigError
from mainspring.settings.proxies import Proxy, find_proxy, is_excepted
from tests.cli.certificates import make_certificate
from tests.client.transport.scripted import Heard, answer, read_request, scripted

TOKEN = "token-of-the-tests-of-proxies"
VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("url", "environment", "expected"),
    [
        ("http://a.example", {"HTTP_PROXY": "http://p:3128"}, Proxy("p", 3128)),
        ("http://a.example", {"http_proxy": "p"}, Proxy("p", 80)),
        ("https://a.example", {"HTTP_PROXY": "http://p"}, None),
        ("https://a.example", {"HTTPS_PROXY": "http://p:1"}, Proxy("p", 1)),
        ("https://a.example", {"ALL_PROXY": "http://p:1"}, Proxy("p", 1)),
        ("http://a.example", {"HTTP_PROXY": "http://p", "NO_PROXY": "b.example, .example"}, None),
        ("http://127.0.0.1:8484", {"HTTP_PROXY": "http://p"}, None),
        ("http://localhost", {"HTTP_PROXY": "http://p"}, None),
        ("http://a.example", {"HTTP_PROXY": "http://p", "REQUEST_METHOD": "GET"}, None),
        ("http://a.example", {"http_proxy": "http://p", "REQUEST_METHOD": "GET"}, Proxy("p", 80)),
        (
            "http://a.example",
            {"HTTP_PROXY": "http://me:pass%20word@p:1"},
            Proxy("p", 1, {"proxy-authorization": "Basic bWU6cGFzcyB3b3Jk"}),
        ),
    ],
)
def test_the_environment_names_the_proxy(url: str, environment: dict[str, str], expected: Proxy | None) -> None:
    assert find_proxy(urlsplit(url), environment) == expected


@pytest.mark.parametrize("text", ["socks5://p:1", "http://", "https://p", "http://p:nan"])
def test_a_proxy_that_is_none_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(ConfigError, match=r"proxy of the environment is not one such as"):
        find_proxy(urlsplit("http://a.example"), {"HTTP_PROXY": text})


@pytest.mark.parametrize(
    ("exceptions", "expected"),
    [
        ("*", True),
        ("a.example", True),
        ("A.Example", True),
        (".example", True),
        ("*.example", True),
        ("example", True),
        ("a.example:8484", True),
        ("a.example:1", False),
        ("b.a.example", False),
        ("xample", False),
        ("", False),
        ("::1", False),
    ],
)
def test_exceptions_are_hosts_domains_and_ports(exceptions: str, *, expected: bool) -> None:
    assert is_excepted("a.example", 8484, exceptions) is expected


async def ask(kind: str, url: str, ca_file: str | None = None) -> str:
    if kind == "async":
        async with AsyncClient(url, token=TOKEN, ca_file=ca_file) as client:
            return (await client.enqueue("greet")).id
    with Client(url, token=TOKEN, ca_file=ca_file) as plain:
        return (await asyncio.to_thread(plain.enqueue, "greet")).id


@pytest.mark.parametrize("kind", ["async", "sync"])
async def test_a_plain_call_is_passed_on_by_the_proxy(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def accept(_: Heard) -> bytes:
        return answer()

    async with scripted(accept) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("//", "//me:word@"))
        await ask(kind, "http://server.example:8484/under")

        [heard] = proxy.heard
        assert heard.head.startswith(b"POST http://server.example:8484/under/api/v1/runs HTTP/1.1\r\n")
        assert b"host: server.example:8484\r\n" in heard.head
        assert b"proxy-authorization: Basic bWU6d29yZA==\r\n" in heard.head


class Tunnel:
    """A proxy that leads every tunnel to one port of this machine."""

    def __init__(self, port: int, verdict: bytes) -> None:
        self._port = port
        self._verdict = verdict
        self.asked: list[bytes] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.append((await read_request(reader, 1)).head)
        writer.write(b"HTTP/1.1 %s\r\n\r\n" % self._verdict)
        if self._verdict.startswith(b"200"):
            inner, outer = await asyncio.open_connection("127.0.0.1", self._port)
            async with asyncio.TaskGroup() as both:
                both.create_task(carry(reader, outer))
                both.create_task(carry(inner, writer))
        await shut(writer)


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while came := await reader.read(65_536):
            writer.write(came)
    await shut(writer)


async def shut(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ssl.SSLContext]:
    made = make_certificate(tmp_path_factory.mktemp("tls"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.certificate, made.key)
    return made.certificate, context


@pytest.fixture
async def tunnel() -> AsyncIterator[Callable[..., object]]:
    opened: list[asyncio.Server] = []

    async def make(port: int, verdict: bytes = b"200 Connection established") -> tuple[Tunnel, str]:
        made = Tunnel(port, verdict)
        opened.append(await asyncio.start_server(made.serve, "127.0.0.1", 0))
        return made, f"http://127.0.0.1:{opened[-1].sockets[0].getsockname()[1]}"

    yield make
    for server in opened:
        server.close()


@pytest.mark.parametrize("kind", ["async", "sync"])
async def test_tls_goes_through_a_tunnel_and_is_checked_at_its_end(
    kind: str, certificate: tuple[str, ssl.SSLContext], tunnel: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def accept(_: Heard) -> bytes:
        return answer()

    async with scripted(accept, tls=certificate[1]) as server:
        made, address = await tunnel(server.port)  # type: ignore[misc]
        monkeypatch.setenv("HTTPS_PROXY", address)
        # Not what the certificate names, and so refused; the name that it does name is this machine's own.
        with pytest.raises(UnavailableError, match="certificate is not trusted"):
            await ask(kind, "https://server.example:8484", certificate[0])
        refused = len(server.heard)
        monkeypatch.setattr("mainspring.settings.proxies.is_loopback", lambda _: False)
        await ask(kind, "https://localhost:8484", certificate[0])

        assert refused == 0
        assert [each.partition(b"\r\n")[0] for each in made.asked] == [
            b"CONNECT server.example:8484 HTTP/1.1",
            b"CONNECT localhost:8484 HTTP/1.1",
        ]
        assert b"authorization" not in b"".join(made.asked)
        assert server.heard[0].head.startswith(b"POST /api/v1/runs HTTP/1.1\r\n")


@pytest.mark.parametrize("kind", ["async", "sync"])
async def test_a_proxy_that_refuses_is_named(
    kind: str, tunnel: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, address = await tunnel(1, b"407 Proxy Authentication Required")  # type: ignore[misc]
    monkeypatch.setenv("HTTPS_PROXY", address)
    with pytest.raises(UnavailableError, match="the proxy on the way refused with 407"):
        await ask(kind, "https://server.example", make_certificate(tmp_path).certificate)
