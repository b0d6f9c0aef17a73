"""Checks of this machine: settings and the home directory."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from mainspring.client.transport.servers import check_urls
from mainspring.domain.cluster.finding import Finding, ok, warn
from mainspring.settings import TOKEN_API, TOKEN_EXECUTOR, ServerSettings, load
from mainspring.settings.files import OTHERS
from mainspring.settings.origins import DEFAULT, Setting, list_settings
from mainspring.settings.sections import ClientSettings

URL = ("client", "url")


class MachineSettings(msgspec.Struct, frozen=True):
    """The settings of this machine, for clients and for servers."""

    settings: list[Setting]
    client: ClientSettings
    server: ServerSettings
    database_given: bool


def read_place(
    *, config: str | None, home: str | None, url: str | None, namespace: str | None, context: str | None
) -> MachineSettings:
    """Read the settings; raises ConfigError if one is wrong."""
    settings = list_settings(config=config, home=home, context=context if url is None else None)
    client = load(ClientSettings, {"home": home, "url": url, "namespace": namespace}, config=config, context=context)
    check_urls(client.url)
    server = load(ServerSettings, {"home": home}, config=config)
    file = Path(server.home) / "mainspring.db"
    return MachineSettings(settings, client, server, bool(server.database_url) or file.exists())


def check_configuration(place: MachineSettings) -> Finding:
    given = [setting for setting in place.settings if setting.origin != DEFAULT]
    address = next(setting for setting in place.settings if (setting.section, setting.name) == URL)
    origin = address.origin if address.value == place.client.url else "--url"
    namespace = f"namespace {place.client.namespace}" if place.client.namespace else "the token's namespace"
    return ok(
        "configuration",
        f"{len(given)} settings given, {len(place.settings) - len(given)} by default; "
        f"server {', '.join(place.client.url)} ({origin}), {namespace}",
    )


def check_home(home: Path) -> Finding:
    """Check that other users cannot read the home directory."""
    if not home.exists():
        return ok("home", f"{home} does not exist; a server makes it")
    if shared := list(readable_by_others(home)):
        advice = f"chmod {'700' if shared[0].is_dir() else '600'} {shared[0]}"
        return warn("home", f"others can read {', '.join(map(str, shared))}", advice)
    return ok("home", f"{home} is for its owner only")


def readable_by_others(home: Path) -> Iterator[Path]:
    if home.stat().st_mode & OTHERS:
        yield home
    for name in (TOKEN_API, TOKEN_EXECUTOR):
        path = home / name
        if path.exists() and path.stat().st_mode & OTHERS:
            yield path
