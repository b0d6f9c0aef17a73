"""Addresses of address books, and the settings of a server that names itself: bad ones are refused with the setting's name."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from mainspring.announcing import open_books
from mainspring.clock import Clock, SystemClock
from mainspring.discovery import address as addresses
from mainspring.discovery.address import Address, open_registry, parse_address
from mainspring.discovery.dns import NamesOnly
from mainspring.errors import ConfigError
from mainspring.settings import ServerSettings
from mainspring.settings.security import check_place

POSTGRES = "postgresql://mainspring@db.example/mainspring"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nacos://h:1/x", "the schemes are http, https, consul"),
        ("etcd", "needs a host"),
        ("etcd://h:99999/x", "bad host or port"),
        ("etcd://h:0/x", "bad host or port"),
        ("etcd://h:port/x", "bad host or port"),
        ("etcd://user:pass@h:1/x", "credentials_file"),
        ("etcd://h:1/../x", "without '..'"),
        ("etcd://h:1/a/../x", "without '..'"),
        ("consul:///x", "needs a host"),
        ("dns://h:1?every=soon", "bad option every"),
        ("dns://h:1?every=0s", "bad option every"),
        ("dns://h:1?tls=perhaps", "bad option tls"),
        ("dns://h:1?often=1", "unknown option 'often'"),
        ("dns://h:1?credentials_file=/etc/hostname", "dns:// takes no credentials_file"),
        ("kubernetes://servers:1", "service.namespace"),
        ("consul://h:1/x?tls=true&credentials_file=/no/such/file", "credentials_file: '/no/such/file' cannot be read"),
        ("consul://h:1/x?ca_file=", "ca_file: '' cannot be read"),
        ("consul://h:1/x?credentials_file=/etc/hostname", "would travel in the clear"),
    ],
)
def test_a_bad_address_is_refused_with_the_name_of_its_setting(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=r"^discovery: ") as refused:
        open_registry(parse_address(text), SystemClock())

    assert reason in str(refused.value)


def test_a_file_without_authorities_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ca").write_text("none")
    with pytest.raises(ConfigError, match="ca_file"):
        open_registry(parse_address(f"etcd://h:1/x?ca_file={tmp_path}/ca"), SystemClock())


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (ServerSettings(host="0.0.0.0", discovery=("etcd://e1:2379",)), "every one of this machine"),
        (ServerSettings(host="::", discovery=("etcd://e1:2379",)), "every one of this machine"),
        (ServerSettings(host="0.0.0.0", discovery=("etcd://e1:2379",), balance=False), "every one of this machine"),
        (
            ServerSettings(host="0.0.0.0", database_url=POSTGRES),
            "set balance = false where all servers have one address",
        ),
        (ServerSettings(host="0.0.0.0", advertise_url="http://127.0.0.1:8484"), "other machines cannot reach"),
        (ServerSettings(host="10.0.0.1", advertise_url="http://localhost:8484"), "other machines cannot reach"),
        (ServerSettings(advertise_url="https://user:pass@s1.example"), "advertise_url"),
        (ServerSettings(advertise_url="https://s1.example:99999"), "advertise_url"),
        (ServerSettings(advertise_url="ftp://s1.example"), "advertise_url"),
    ],
)
def test_an_address_that_others_cannot_use_is_not_advertised(settings: ServerSettings, reason: str) -> None:
    with pytest.raises(ConfigError, match=r"^advertise_url") as refused:
        check_place(settings)

    assert reason in str(refused.value)


@pytest.mark.parametrize(
    "settings",
    [
        ServerSettings(host="0.0.0.0", database_url=POSTGRES, advertise_url="https://s1.example:8484"),
        ServerSettings(host="0.0.0.0", database_url=POSTGRES, balance=False),
        ServerSettings(host="10.0.0.1", database_url=POSTGRES),
        ServerSettings(host="0.0.0.0"),
    ],
    ids=["address", "one address of all", "one of many", "alone on its SQLite"],
)
def test_a_server_that_has_an_address_or_needs_none_starts(settings: ServerSettings) -> None:
    check_place(settings)


@pytest.mark.parametrize("text", ["dns://servers:8484", "dns+srv://_mainspring._tcp.example", "kubernetes://s.fleet"])
def test_a_server_is_not_announced_in_a_book_that_others_keep(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^discovery: nothing can be announced in"):
        open_books([text], SystemClock())


class Nacos(NamesOnly):
    """An address book of others."""

    def __init__(self, address: Address, clock: Clock) -> None:
        super().__init__(address, clock)
        self.hosts = address.hosts


def test_an_address_book_of_others_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("nacos", f"{__name__}:Nacos", addresses.GROUP)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point] if group == addresses.GROUP else [])
    opened = open_registry(parse_address("nacos://n1:8848/fleet"), SystemClock())

    assert isinstance(opened, Nacos)
    assert opened.hosts == (("n1", 8848),)
