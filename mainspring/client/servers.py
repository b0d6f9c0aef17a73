"""Which server to talk to, and what every call to it carries."""

from mainspring.errors import ConfigError, UnavailableError
from mainspring.settings import TOKEN_API, ClientSettings, load, read_token

TIMEOUT = 30.0

Given = tuple[str | None, str | None, str | None]
"""URL, token and namespace, as far as the caller named them."""


def find_server(given: Given) -> ClientSettings:
    """What the caller named, or else what the environment and the home directory say."""
    url, token, namespace = given
    settings = load(ClientSettings, {"url": url, "token": token, "namespace": namespace})
    found = settings.token or read_token(settings.home, TOKEN_API)
    if not found:
        raise ConfigError(f"no token: set MAINSPRING_TOKEN, or MAINSPRING_HOME to a server's home, not {settings.home}")
    return ClientSettings(url=settings.url, token=found, namespace=settings.namespace)


def headers(settings: ClientSettings) -> dict[str, str]:
    return {"authorization": f"Bearer {settings.token}", "mainspring-namespace": settings.namespace}


def unreachable(url: object, error: Exception) -> UnavailableError:
    return UnavailableError(f"{url} cannot be reached: {str(error) or type(error).__name__}")
