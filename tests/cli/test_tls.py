"""A server behind its own certificate: who trusts it comes in, who does not is told why."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mainspring import AsyncClient, Client, ConfigError, UnavailableError
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.websocket import WebSocketDial
from mainspring.executor.process.executor import Executor
from mainspring.server import prepare, serve
from mainspring.settings import ExecutorSettings, ServerSettings
from tests.cli.certificates import Certificate, make_certificate
from tests.support.limits import HANG

STRONG = "s" * 32


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def settings(tmp_path: Path, certificate: Certificate) -> ServerSettings:
    home = str(tmp_path / "home")
    return ServerSettings(home=home, port=0, tls_certificate=certificate.certificate, tls_key=certificate.key)


@pytest.fixture
async def server(settings: ServerSettings) -> AsyncIterator[ServerSettings]:
    stop, listening = asyncio.Event(), asyncio.Queue[ServerSettings]()
    running = asyncio.create_task(serve(settings, stop, listening=listening.put_nowait))
    yield await listening.get()
    stop.set()
    await running


async def test_clients_and_executors_that_trust_the_certificate_come_in(
    server: ServerSettings, certificate: Certificate
) -> None:
    trusted = certificate.certificate
    async with AsyncClient(server.url, token=server.api_token, ca_file=trusted) as client:
        found = await client.namespaces.list()
    with Client(server.url, token=server.api_token, ca_file=trusted) as plain:
        also = await asyncio.to_thread(plain.namespaces.list)
    connection = await WebSocketDial(server.executor_token, trusted)(server.url, HANG)
    await connection.close()

    assert server.url.startswith("https://127.0.0.1:")
    assert [each.name for each in found] == [each.name for each in also] == ["default"]


async def test_a_whole_executor_works_over_tls(server: ServerSettings, certificate: Certificate) -> None:
    executor = Executor(
        Handlers(),
        ExecutorSettings(servers=(server.url,), token=server.executor_token, ca_file=certificate.certificate),
    )
    running = asyncio.create_task(asyncio.to_thread(executor.run, signals=False))
    async with AsyncClient(server.url, token=server.api_token, ca_file=certificate.certificate) as client:
        while not [
            each for each in (await client.tokens.list()).tokens if each.role == "executor" and each.last_used_at
        ]:
            pass
    executor.stop()

    assert await running == 0


async def test_the_environment_may_name_whom_to_trust(
    server: ServerSettings, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAINSPRING_CA_FILE", certificate.certificate)
    async with AsyncClient(server.url, token=server.api_token) as client:
        assert await client.namespaces.list()


async def test_who_does_not_trust_the_certificate_is_told_so(server: ServerSettings, tmp_path: Path) -> None:
    stranger = make_certificate(tmp_path, "stranger").certificate
    async with AsyncClient(server.url, token=server.api_token) as client:
        with pytest.raises(UnavailableError, match="certificate is not trusted"):
            await client.namespaces.list()
    with (
        Client(server.url, token=server.api_token, ca_file=stranger) as plain,
        pytest.raises(UnavailableError, match="certificate is not trusted"),
    ):
        await asyncio.to_thread(plain.namespaces.list)
    with pytest.raises(ConnectionError, match="certificate is not trusted"):
        await WebSocketDial(server.executor_token)(server.url, HANG)


async def test_plain_http_gets_no_answer(server: ServerSettings) -> None:
    with (
        Client(server.url.replace("https", "http"), token=server.api_token) as client,
        pytest.raises(UnavailableError, match="http or https"),
    ):
        await asyncio.to_thread(client.namespaces.list)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tls_certificate": ""}, "tls_certificate is missing"),
        ({"tls_key": ""}, "tls_key is missing"),
        ({"tls_certificate": "/no/such.pem"}, "tls_certificate: '/no/such.pem' cannot be read: No such file"),
        ({"tls_key": "/no/such.key"}, "tls_key: '/no/such.key' cannot be read: No such file"),
        ({"tls_key": "{other}"}, "is not the key of the certificate"),
        ({"tls_key": "{locked}"}, "tls_key is encrypted"),
        ({"tls_certificate": "{text}"}, "are not both PEM files"),
        ({"api_token": "short"}, "MAINSPRING_API_TOKEN is shorter than 32 characters"),
        ({"executor_token": "e" * 31}, "MAINSPRING_EXECUTOR_TOKEN is shorter than 32 characters"),
        ({"api_token": STRONG, "executor_token": STRONG}, "must differ"),
    ],
    ids=str,
)
def test_a_server_does_not_start_with_settings_that_cannot_be_meant(
    settings: ServerSettings, tmp_path: Path, changes: dict[str, str], reason: str
) -> None:
    (tmp_path / "text").write_text("nothing")
    files = {
        "other": make_certificate(tmp_path, "other").key,
        "locked": make_certificate(tmp_path, "locked", password="secret").key,
        "text": str(tmp_path / "text"),
    }
    given = {name: value.format(**files) for name, value in changes.items()}
    shown = ServerSettings(
        **{"home": settings.home, "tls_certificate": settings.tls_certificate, "tls_key": settings.tls_key} | given  # type: ignore[arg-type]
    )

    with pytest.raises(ConfigError, match=reason):
        prepare(shown)
    assert not Path(settings.home).exists()


def test_other_machines_are_not_spoken_to_in_the_clear(
    settings: ServerSettings, caplog: pytest.LogCaptureFixture
) -> None:
    plain = ServerSettings(home=settings.home, host="0.0.0.0", api_token=STRONG, executor_token=STRONG + "e")
    with pytest.raises(ConfigError, match=r"host 0\.0\.0\.0 is reachable from outside.*MAINSPRING_TLS_CERTIFICATE"):
        prepare(plain)
    assert not Path(settings.home).exists()

    caplog.set_level(logging.WARNING)
    prepare(ServerSettings(home=settings.home, host="0.0.0.0", insecure=True))
    assert "plain HTTP on 0.0.0.0" in caplog.text


def test_with_a_certificate_any_host_will_do(settings: ServerSettings, caplog: pytest.LogCaptureFixture) -> None:
    prepare(
        ServerSettings(
            home=settings.home, host="0.0.0.0", tls_certificate=settings.tls_certificate, tls_key=settings.tls_key
        )
    )

    assert caplog.text == ""


@pytest.mark.parametrize("content", [None, "nothing"])
def test_a_list_of_authorities_that_cannot_be_read_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    client = Client("https://127.0.0.1:1", token="x", ca_file=str(path))

    with pytest.raises(ConfigError, match=r"ca_file: .*ca\.pem' cannot be read"):
        client.namespaces.list()
