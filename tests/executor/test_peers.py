"""Nothing that a network does ends an executor."""

import asyncio
import logging
import ssl
from pathlib import Path

import pytest

from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.websocket import WebSocketDial
from mainspring.executor.process.executor import EXIT_OK, Executor
from mainspring.wire.messages import Outcomes
from tests.cli.certificates import make_certificate
from tests.executor.fakes import run_id, start
from tests.executor.peers import PEERS, Peer, closes, hangs_up, peer_at, says
from tests.executor.stand_in import StandIn, stand_in
from tests.executor.test_executor import Running, settings

LIBRARY_WORDS = ("ConnectionClosed", "handshake", "Traceback", "keepalive", "frame received", "HTTP response")


class Roaming(Running):
    """An executor with addresses of its own."""

    def __init__(self, *urls: str) -> None:
        self.executor = Executor(sums(), settings(*urls))
        self._ending = None


def sums() -> Handlers:
    handlers = Handlers()

    async def add(one: int, two: int) -> int:
        return one + two

    handlers.add(add)
    return handlers


async def works(server: StandIn) -> bool:
    line = await server.connections.get()
    await line.say(start(1, name="add", raw=b'{"one":1,"two":2}'))
    return (await line.heard.hear(Outcomes)).runs == [run_id(1)]


@pytest.mark.parametrize("peer", PEERS.values(), ids=PEERS)
async def test_an_executor_goes_on_from_a_peer_to_a_server(peer: Peer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with peer_at(peer) as port, stand_in() as server:
        running = Roaming(f"http://127.0.0.1:{port}", server.url)
        async with running:
            worked = await works(server)
        code = await running.stop()

    assert (worked, code) == (True, EXIT_OK)
    [line] = [one for one in caplog.records if one.levelno >= logging.WARNING]
    assert line.getMessage().startswith(f"no connection to http://127.0.0.1:{port}: ")
    assert not [word for word in LIBRARY_WORDS if word in caplog.text]


async def test_an_executor_goes_on_from_a_peer_that_speaks_no_tls() -> None:
    async with (
        peer_at(closes) as shut,
        peer_at(says(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as plain,
        stand_in() as server,
    ):
        running = Roaming(f"https://127.0.0.1:{shut}", f"https://127.0.0.1:{plain}", server.url)
        async with running:
            worked = await works(server)
        code = await running.stop()

    assert (worked, code) == (True, EXIT_OK)


async def test_an_executor_goes_on_from_a_peer_whose_certificate_has_become_another(tmp_path: Path) -> None:
    made = make_certificate(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(made.certificate, made.key)
    async with peer_at(hangs_up, tls) as port, stand_in() as server:
        running = Roaming(f"https://127.0.0.1:{port}", server.url)
        async with running:
            worked = await works(server)
        code = await running.stop()

    assert (worked, code) == (True, EXIT_OK)


async def test_an_executor_goes_on_from_a_name_that_no_resolver_takes() -> None:
    async with stand_in() as server:
        running = Roaming(f"http://{'a' * 64}.localhost:1", server.url)
        async with running:
            worked = await works(server)
        code = await running.stop()

    assert (worked, code) == (True, EXIT_OK)


async def test_a_peer_that_says_nothing_is_waited_for_as_long_as_was_said() -> None:
    async def keeps_silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with peer_at(keeps_silent) as port:
        with pytest.raises(ConnectionError, match=r"did not answer within 0\.1 s"):
            await WebSocketDial("token")(f"http://127.0.0.1:{port}", 0.1)
