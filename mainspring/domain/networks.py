"""Which addresses are public: an own list, as that of a Python is only as new as that Python.

From the IANA registries of special-purpose IPv4 and IPv6 addresses, with all that is not globally reachable there, and with
the old ways of writing an IPv4 address inside an IPv6 one.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

SPECIAL_4 = {
    IPv4Network(network): kind
    for network, kind in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a carrier"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "for protocols"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "a relay of 6to4"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "for benchmarks"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
}

SPECIAL_6 = {
    IPv6Network(network): kind
    for network, kind in (
        ("::1/128", "loopback"),
        ("::/96", "an IPv4 address in an old spelling"),
        ("::ffff:0:0:0/96", "an IPv4 address in an old spelling"),
        ("64:ff9b:1::/48", "translated in a local network"),
        ("100::/64", "discarded"),
        ("100:0:0:1::/64", "a dummy prefix"),
        ("2001::/23", "for protocols"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
}

UNICAST = IPv6Network("2000::/3")
"""The only part of IPv6 from which public addresses have ever been given out."""
MAPPED = IPv6Network("::ffff:0:0/96")
TRANSLATED = IPv6Network("64:ff9b::/96")
"""Addresses that a gateway turns into IPv4 ones."""
RELAYED = IPv6Network("2002::/16")
"""6to4: the IPv4 address of a relay follows the prefix."""


def read_address(text: str) -> Address:
    """The address, without the zone that a link-local one may have; raises ValueError."""
    return ip_address(text.partition("%")[0])


def is_within(address: Address, networks: Iterable[Network]) -> bool:
    return any(inner(address) in network for network in networks)


def read_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Raises ValueError."""
    return tuple(ip_network(text, strict=False) for text in texts)


def inner(address: Address) -> Address:
    """The IPv4 address to which packets for an IPv6 one go, if they do."""
    # A disguise must not get past the list.
    if isinstance(address, IPv4Address):
        return address
    if address in MAPPED or address in TRANSLATED:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    if address in RELAYED:
        return IPv4Address((int(address) >> 80) & 0xFFFF_FFFF)
    return address


def why_not_public(address: Address) -> str | None:
    """The kind of network that the address is in; None if it is public."""
    reached = inner(address)
    if isinstance(reached, IPv4Address):
        return next((kind for network, kind in SPECIAL_4.items() if reached in network), None)
    kind = next((kind for network, kind in SPECIAL_6.items() if reached in network), None)
    return kind or (None if reached in UNICAST else "reserved")
