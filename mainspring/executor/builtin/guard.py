"""Which addresses a request may reach: what is public, and what the operator named."""

import ipaddress
from collections.abc import Iterable

from mainspring.errors import ConfigError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that a gateway turns into IPv4 ones."""


class Guard:
    """Private, local and reserved ranges are refused, unless the operator allows them."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self._allowed = [parse_network(text) for text in networks]

    def permits(self, text: str) -> bool:
        address = inner(ipaddress.ip_address(text.partition("%")[0]))
        if any(address in network for network in self._allowed):
            return True
        return address.is_global and not address.is_multicast


def inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for, if it does: a disguise must not get past the ranges."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in TRANSLATED:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


def parse_network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise ConfigError(f"http_networks: {text!r} is not a network such as 10.0.0.0/8") from None
