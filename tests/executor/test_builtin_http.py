"""The built-in handler `http`, against a real server on this machine."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from mainspring.domain.runs.run import RESULT_MAX
from mainspring.errors import ConfigError, InvalidInputError
from mainspring.executor.attempts.attempt import Attempt, encode
from mainspring.executor.attempts.context import Context
from mainspring.executor.attempts.signals import GiveUp
from mainspring.executor.builtin import builtin_handlers
from mainspring.executor.builtin.http import (
    BODY_MAX,
    GIVE_UP,
    AddressRefusedError,
    Http,
    RequestFailedError,
    RequestRefusedError,
)
from mainspring.executor.builtin.urls import follow, origin, read_url
from mainspring.executor.handlers.registry import Handlers
from mainspring.outgoing.guard import Guard
from mainspring.settings import ExecutorSettings
from tests.executor.fakes import TOKEN, run_id
from tests.executor.test_telemetry import Sink
from tests.executor.trial import attempted

LARGE = {
    "/huge": ("text/plain", b"x" * 3_000_000),
    "/marks": ("text/plain", b"\x01" * 400_000),
    "/numbers": ("application/json", b"[" + b"1e15," * 100_000 + b"0]"),
}
HERE = Http(Guard(["127.0.0.0/8", "::1/128"]))


class Echo:
    """Answers what it is told to by the path, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        self.silent = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.asked.append((head[0], headers, body))
        path = head[0].split()[1]
        if path == "/silent":
            await self.silent.wait()
        writer.write(answer_to(path))
        writer.close()


def answer_to(path: str) -> bytes:
    if path == "/json":
        return b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"ok":true}'
    if path == "/large":
        return b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n" + b"x" * 100_000
    if path in LARGE:
        kind, body = LARGE[path]
        return f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body
    if path.startswith("/moved/"):
        return f"HTTP/1.1 302 Found\r\nlocation: {path.removeprefix('/moved')}\r\ncontent-length: 0\r\n\r\n".encode()
    if path.startswith("/elsewhere/"):
        target = path.removeprefix("/elsewhere/")
        return f"HTTP/1.1 307 Moved\r\nlocation: {target}\r\ncontent-length: 0\r\n\r\n".encode()
    if path == "/astray":
        return b"HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/latest\r\ncontent-length: 0\r\n\r\n"
    code = path.rpartition("/")[2]
    return f"HTTP/1.1 {code} X\r\ncontent-length: 4\r\n\r\nsaid".encode()


@pytest.fixture
async def echo() -> AsyncIterator[tuple[Echo, str]]:
    server = Echo()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    async with listening:
        port = listening.sockets[0].getsockname()[1]
        yield server, f"http://127.0.0.1:{port}"
        server.silent.set()


def context() -> Context:
    handler = Handlers().add(HERE.request, name="http")
    return Context(Attempt(run_id(7), TOKEN, 2, b"{}", handler, 0.0), Sink())


async def test_a_request_carries_its_run_and_its_body_as_json(echo: tuple[Echo, str]) -> None:
    server, url = echo
    ctx = context()
    answer = await HERE.request(ctx, f"{url}/json", headers={"X-Team": "a"}, body={"order": 7})

    line, headers, body = server.asked[0]
    assert (answer["status"], answer["body"]) == (200, {"ok": True})
    assert line == "POST /json HTTP/1.1"
    assert json.loads(body) == {"order": 7}
    assert headers["idempotency-key"] == headers["mainspring-run"] == ctx.run
    assert (headers["mainspring-attempt"], headers["x-team"]) == ("2", "a")
    assert headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("path", "success", "ok"),
    [
        ("/204", ["2xx"], True),
        ("/404", ["2xx"], False),
        ("/404", ["2xx", "404"], True),
        ("/503", ["200-299"], False),
        ("/302", ["2xx"], False),
    ],
)
async def test_codes_are_judged_by_policy(echo: tuple[Echo, str], path: str, success: list[str], ok: bool) -> None:
    asking = HERE.request(context(), echo[1] + path, success=success)
    if ok:
        assert (await asking)["status"] == int(path[1:])
        return
    with pytest.raises(GiveUp if path == "/404" else RequestFailedError, match=f"answered {path[1:]}"):
        await asking


@pytest.mark.parametrize(
    ("path", "give_up", "over"),
    [
        ("/400", GIVE_UP, True),
        ("/499", GIVE_UP, True),
        ("/408", GIVE_UP, False),
        ("/425", GIVE_UP, False),
        ("/429", GIVE_UP, False),
        ("/500", GIVE_UP, False),
        ("/404", [], False),
        ("/500", ["5xx"], True),
    ],
)
async def test_what_repeating_would_not_change_is_given_up(
    echo: tuple[Echo, str], path: str, give_up: list[str], *, over: bool
) -> None:
    with pytest.raises(GiveUp if over else RequestFailedError, match=f"answered {path[1:]}"):
        await HERE.request(context(), echo[1] + path, give_up=give_up)


async def test_an_answer_is_read_up_to_a_size(echo: tuple[Echo, str]) -> None:
    answer = await HERE.request(context(), f"{echo[1]}/large", "GET", max_bytes=1000)

    assert (len(answer["body"]), answer["truncated"]) == (1000, True)


async def test_it_waits_so_long_and_no_longer(echo: tuple[Echo, str]) -> None:
    with pytest.raises(RequestFailedError, match=r"took longer than 0\.2 s"):
        await HERE.request(context(), f"{echo[1]}/silent", timeout=0.2)


async def test_redirects_are_followed_only_if_asked_and_stay_guarded(echo: tuple[Echo, str]) -> None:
    server, url = echo
    with pytest.raises(RequestFailedError, match="answered 302"):
        await HERE.request(context(), f"{url}/moved/json")
    moved = await HERE.request(context(), f"{url}/moved/json", redirects=1)
    assert moved["body"] == {"ok": True}
    assert server.asked[-1][0] == "GET /json HTTP/1.1"
    with pytest.raises(AddressRefusedError, match=r"169\.254\.169\.254"):
        await HERE.request(context(), f"{url}/astray", redirects=1)


SECRETS = {
    "Authorization": "Bearer x",
    "Cookie": "session=x",
    "Proxy-Authorization": "Basic x",
    "X-Api-Key": "x",
    "Private-Token": "x",
}


async def test_no_credential_follows_a_redirect_to_another_origin(echo: tuple[Echo, str]) -> None:
    server, url = echo
    elsewhere = url.replace("127.0.0.1", "localhost")
    sent = SECRETS | {"Accept": "text/plain", "Content-Type": "text/x"}
    await HERE.request(context(), f"{url}/elsewhere/{elsewhere}/json", headers=sent, redirects=1)
    await HERE.request(context(), f"{url}/elsewhere/{elsewhere}/elsewhere/{url}/json", headers=sent, redirects=2)

    first, away, _, _, back = (headers for _, headers, _ in server.asked)
    assert {name.lower() for name in SECRETS} <= first.keys()
    for headers in (away, back):
        assert not {name.lower() for name in SECRETS} & headers.keys()
        assert (headers["accept"], headers["content-type"]) == ("text/plain", "text/x")
        assert headers["idempotency-key"] == headers["mainspring-run"]


def test_another_port_and_another_scheme_are_another_origin() -> None:
    assert origin("http://host/") != origin("https://host/")
    assert origin("http://host/") != origin("http://host:81/")
    assert origin("http://host/a") == origin("http://host/b")


async def test_credentials_stay_with_a_redirect_to_the_same_origin(echo: tuple[Echo, str]) -> None:
    server, url = echo
    await HERE.request(context(), f"{url}/moved/json", headers=SECRETS, redirects=1)

    assert {name.lower() for name in SECRETS} <= server.asked[1][1].keys()


async def test_a_password_in_an_address_is_sent_to_nobody(echo: tuple[Echo, str]) -> None:
    server, url = echo
    await HERE.request(context(), f"{url.replace('//', '//user:password@')}/moved/json", redirects=1)

    assert all("password" not in f"{line}{headers}" for line, headers, _ in server.asked)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"])
async def test_private_addresses_are_refused_in_every_spelling(echo: tuple[Echo, str], host: str) -> None:
    server, url = echo
    port = url.rpartition(":")[2]
    with pytest.raises((AddressRefusedError, RequestFailedError)):
        await Http(Guard()).request(context(), f"http://{host}:{port}/json")

    assert server.asked == []


def test_the_refusal_says_what_kind_of_network_it_is() -> None:
    assert Guard().refusal("93.184.215.14") is None
    assert Guard().refusal("fe80::1%eth0") == "fe80::1%eth0 (link-local)"
    assert Guard().refusal("64:ff9b::7f00:1") == "64:ff9b::7f00:1 (loopback)"


def test_an_operator_may_allow_a_network() -> None:
    assert Guard(["10.0.0.0/8"]).permits("10.1.2.3")
    assert Guard(["10.0.0.0/8"]).permits("::ffff:10.1.2.3")
    assert not Guard(["10.0.0.0/8"]).permits("192.168.0.1")
    assert not Guard(["127.0.0.0/8"]).permits("::127.0.0.1")
    with pytest.raises(ConfigError, match="http_networks"):
        Guard(["10.0.0.0/99"])


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"url": "file:///etc/passwd"}, "bad_url"),
        ({"url": "gopher://x"}, "bad_url"),
        ({"url": "http://"}, "bad_url"),
        ({"url": "http://x:99999/"}, "bad_url"),
        ({"url": "http://x:http/"}, "bad_url"),
        ({"url": "http://[::1/"}, "bad_url"),
        ({"url": "http://a..b/"}, "bad_url"),
        ({"url": f"http://{'a' * 64}/"}, "bad_url"),
        ({"url": "http://x\x00y/"}, "bad_url"),
        ({"url": "http://x", "headers": {"Host": "y"}}, "bad_headers"),
        ({"url": "http://x", "headers": {"A": "b\r\nc: d"}}, "bad_headers"),
        ({"url": "http://x", "success": ["ok"]}, "bad_codes"),
    ],
)
async def test_what_cannot_be_asked_is_refused_for_good(given: dict[str, Any], code: str) -> None:
    with pytest.raises(RequestRefusedError) as refused:
        await HERE.request(context(), **given)

    assert refused.value.code == code


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("http://host/ü?q=ß x", "http://host/%C3%BC?q=%C3%9F%20x"),
        ("HTTP://Host:8080", "http://host:8080/"),
        ("https://müller.example/a%20b/?c=d&e=%2F#f", "https://xn--mller-kva.example/a%20b/?c=d&e=%2F"),
        ("http://[2001:db8::1]:80/", "http://[2001:db8::1]:80/"),
    ],
)
def test_an_address_is_written_as_the_wire_wants_it(written: str, asked: str) -> None:
    assert read_url(written) == asked
    assert read_url(asked) == asked


def test_a_redirect_keeps_the_bytes_of_its_target() -> None:
    assert follow("http://host/a/b", "ü".encode().decode("latin-1")) == "http://host/a/%C3%BC"
    with pytest.raises(InvalidInputError, match="url"):
        follow("http://host/", "//host:99999/")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://x:99999/"])
async def test_what_is_refused_ends_the_run_whatever_its_policy(url: str) -> None:
    handlers = Handlers()
    handlers.add(Http(Guard()).request, name="http")
    attempt = await attempted(handlers, "http", url=url)

    assert attempt.failure is not None
    assert attempt.failure.code == ("bad_url" if "x" in url else "address_refused")
    assert "gave_up" in attempt.kinds


@pytest.mark.parametrize("path", ["/huge", "/marks"])
async def test_a_result_fits_whatever_comes(echo: tuple[Echo, str], path: str) -> None:
    answer = await HERE.request(context(), echo[1] + path, "GET", max_bytes=4_000_000)

    assert answer["truncated"] is True
    assert RESULT_MAX - 10 <= len(encode(answer)) <= RESULT_MAX
    assert answer_to(path).partition(b"\r\n\r\n")[2].startswith(answer["body"].encode())


async def test_json_that_is_larger_when_it_is_written_again_stays_a_text(echo: tuple[Echo, str]) -> None:
    answer = await HERE.request(context(), f"{echo[1]}/numbers", "GET")

    assert (answer["body"].encode(), answer["truncated"]) == (LARGE["/numbers"][1], False)
    assert len(encode(answer)) <= RESULT_MAX


async def test_an_answer_of_ordinary_size_fits_without_being_asked_for_less(echo: tuple[Echo, str]) -> None:
    answer = await HERE.request(context(), f"{echo[1]}/huge", "GET")

    assert (len(answer["body"]), answer["truncated"]) == (BODY_MAX, True)


async def test_a_port_where_nobody_listens_is_a_clear_failure() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(RequestFailedError, match=r"POST http://127\.0\.0\.1"):
            await HERE.request(context(), f"http://127.0.0.1:{port}/x")


def test_they_are_off_unless_allowed() -> None:
    assert list(builtin_handlers(ExecutorSettings())) == []
    assert [handler.name for handler in builtin_handlers(ExecutorSettings(allow=("http", "shell")))] == [
        "http",
        "shell",
    ]
    with pytest.raises(ConfigError, match="no built-in handler 'ssh'"):
        builtin_handlers(ExecutorSettings(allow=("ssh",)))
