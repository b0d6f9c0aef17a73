"""One shared client per server in a process."""

from functools import lru_cache

from mainspring.client.client import Client


@lru_cache(maxsize=32)
def process_client(
    url: str | tuple[str, ...] | None, token: str | None, namespace: str | None, ca_file: str | None
) -> Client:
    """The same for the same server, so that its connections are kept; threads may share it, and a fork is noticed."""
    return Client(url, token=token, namespace=namespace, ca_file=ca_file)
