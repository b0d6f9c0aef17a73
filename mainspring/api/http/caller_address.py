"""The address that a caller comes from, also through a proxy that the operator trusts."""

from ipaddress import ip_address, ip_network

from starlette.requests import HTTPConnection

from mainspring.api.http.headers import headers


def address_of(connection: HTTPConnection) -> str:
    """The caller's address; nothing if only a proxy's is known, which all of its callers share."""
    client = connection.client
    if client is None:
        return ""
    if not is_trusted(client.host, connection.app.state.trusted_proxies):
        return client.host
    # Proxies add to the end: what stands before the last entry is the caller's own word.
    forwarded = ",".join(headers(connection, b"x-forwarded-for")).rpartition(",")[2].strip()
    try:
        return str(ip_address(forwarded))
    except ValueError:
        return ""


def is_trusted(host: str, proxies: tuple[str, ...]) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in ip_network(text, strict=False) for text in proxies)
