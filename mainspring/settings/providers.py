"""Identity providers, each described by a TOML file that the setting `oidc` names."""

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from mainspring.domain.access.permissions import NAMESPACE_ALL, check_namespace_name
from mainspring.domain.access.provider import PROVIDER_NAME, Provider
from mainspring.domain.access.user import check_roles
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import ConfigError, InvalidInputError
from mainspring.settings.files import read_secret, read_toml
from mainspring.settings.loopback import is_loopback
from mainspring.settings.sections import ServerSettings

WHAT = "identity provider"


def read_providers(settings: ServerSettings, env: Mapping[str, str] = os.environ) -> list[Provider]:
    """The providers of a server; raises ConfigError, also where the extra is not installed."""
    if settings.oidc and importlib.util.find_spec("joserfc") is None:
        raise ConfigError("oidc: install the extra that checks signatures: pip install 'mainspring[oidc]'")
    found = [read_provider(path, env) for path in settings.oidc]
    names = [provider.name for provider in found]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"oidc: two files describe the identity provider {name!r}")
    return found


def read_provider(path: str, env: Mapping[str, str]) -> Provider:
    """The provider of one file, named after the file unless it says otherwise."""
    table = {"name": Path(path).stem.lower(), **read_toml(path, WHAT)}
    known = Provider.__struct_fields__
    for field in table:
        if field not in known:
            raise ConfigError(f"{WHAT} {path!r}: unknown field {field}{did_you_mean(field, known)}")
    try:
        provider = msgspec.convert(table, Provider)
        check_provider(provider)
    except InvalidInputError as error:
        raise ConfigError(f"{WHAT} {path!r}: {error.field} {error.reason}") from None
    except msgspec.ValidationError as error:
        raise ConfigError(f"{WHAT} {path!r}: {error}") from None
    return msgspec.structs.replace(provider, client_secret=secret_of(provider.client_secret, path, env))


def check_provider(provider: Provider) -> None:
    """Raises InvalidInputError for a description that could never work, or not safely."""
    if not PROVIDER_NAME.fullmatch(provider.name):
        raise InvalidInputError("name", "is 1 to 40 of a-z, 0-9 and -, and begins with a letter or a digit")
    check_address("issuer", provider.issuer)
    if provider.redirect_url:
        check_address("redirect_url", provider.redirect_url)
    if not provider.client_id:
        raise InvalidInputError("client_id", "is empty")
    if "openid" not in provider.scopes:
        raise InvalidInputError("scopes", "need openid, without which a provider tells nothing of a person")
    for roles in provider.roles.values():
        by_namespace = roles if isinstance(roles, dict) else {NAMESPACE_ALL: roles}
        check_roles(by_namespace)
        for namespace in by_namespace:
            if namespace != NAMESPACE_ALL:
                check_namespace_name(namespace)


def check_address(field: str, url: str) -> None:
    parts = urlsplit(url)
    if not parts.hostname or parts.query or parts.fragment or parts.username:
        raise InvalidInputError(field, "is an address such as https://login.example.com")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
        raise InvalidInputError(field, "begins with https://, for people's identities travel there")


def secret_of(text: str, path: str, env: Mapping[str, str]) -> str:
    """The client's secret: `env:NAME`, `file:/path`, or the text itself."""
    kind, _, rest = text.partition(":")
    if kind == "file":
        return read_secret(rest, f"{WHAT} {path!r}")
    if kind != "env":
        return text
    if not env.get(rest):
        raise ConfigError(f"{WHAT} {path!r}: client_secret: the variable {rest} is not set")
    return env[rest]
