"""The client that commands call a server with."""

from mainspring.client.client import Client
from mainspring.errors import ConfigError
from mainspring.settings import TOKEN_API, ClientSettings, load, read_token


def open_client(*, config: str | None, home: str | None, url: str | None, namespace: str | None) -> Client:
    settings = load(ClientSettings, {"home": home, "url": url, "namespace": namespace}, config=config)
    token = settings.token or read_token(settings.home, TOKEN_API)
    if not token:
        raise ConfigError(f"no token: set MAINSPRING_TOKEN, or --home to a server's home (not {settings.home})")
    return Client(settings.url, token=token, namespace=settings.namespace)
