"""Addresses that a request may reach: public ones, and those that the operator named."""

import ipaddress
from collections.abc import Iterable

from mainspring.domain.networks import Network, is_within, read_address, why_not_public
from mainspring.errors import ConfigError


class Guard:
    """Private, local and reserved networks are refused, unless the operator allows them."""

    def __init__(
        self, networks: Iterable[str] = (), *, setting: str = "http_networks", only_these: bool = False
    ) -> None:
        """`only_these`: public addresses are refused, too."""
        self._only_these = only_these
        self._allowed = [parse_network(text, setting) for text in networks]

    def permits(self, text: str) -> bool:
        return self.refusal(text) is None

    def refusal(self, text: str) -> str | None:
        """The address with the kind of network that it is in, unless it may be reached."""
        address = read_address(text)
        if is_within(address, self._allowed):
            return None
        kind = why_not_public(address) or ("public" if self._only_these else None)
        return None if kind is None else f"{text} ({kind})"


def parse_network(text: str, setting: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise ConfigError(f"{setting}: {text!r} is not a network such as 10.0.0.0/8") from None
