"""`mainspring servers` and `mainspring discovery show`."""

import json
from pathlib import Path

from tests.cli.scene import Place, Shell


def test_the_list_names_each_server_with_its_address(place: Place, call: Shell) -> None:
    code, out, _ = call("servers", "list", "--url", place.url, "--home", str(place.home))
    said = call("servers", "list", "--url", place.url, "--home", str(place.home), "--output", "json")[1]

    assert code == 0
    titles = ["name", "url", "zone", "version", "executors", "since", "commit_p99", "loop_delay", "state"]
    assert out.splitlines()[0].split() == titles
    [server] = json.loads(said)["servers"]
    assert (server["url"], server["state"]) == (place.url, "live")


def test_the_last_server_is_not_drained(place: Place, call: Shell) -> None:
    said = call("servers", "list", "--url", place.url, "--home", str(place.home), "--output", "json")[1]
    name = json.loads(said)["servers"][0]["name"]
    code, _, errors = call("servers", "drain", name, "--url", place.url, "--home", str(place.home))
    unknown, _, _ = call("servers", "drain", "nowhere", "--url", place.url, "--home", str(place.home))

    assert (code == 0, unknown == 0) == (False, False)
    assert "is the last one that takes work" in errors


def test_every_source_is_shown_with_its_servers_and_its_trouble(place: Place, call: Shell) -> None:
    books = f"{place.url},dns://localhost:8484,dns://no.such.name.invalid:1"
    code, out, errors = call("discovery", "show", "--url", books, "--home", str(place.home))
    lines = [line.split(maxsplit=3) for line in out.splitlines()]

    assert code == 0
    assert ["settings", place.url, "-", "used"] in lines
    assert ["servers", place.url, "-", "used"] in lines
    assert ["dns://localhost:8484", "http://127.0.0.1:8484", "-", "used"] in lines
    assert "dns://no.such.name.invalid:1 is away" in out + errors


def test_an_address_that_is_shown_no_token_is_named_with_the_reason(place: Place, call: Shell, tmp_path: Path) -> None:
    config = tmp_path / "mainspring.toml"
    config.write_text('[client]\ndiscovery_hosts = ["*.fleet.example"]\n')
    books = f"{place.url},dns://192.0.2.7:8484"
    code, out, _ = call("discovery", "show", "--config", str(config), "--url", books, "--home", str(place.home))

    assert code == 0
    assert "its host is not among discovery_hosts" in out
