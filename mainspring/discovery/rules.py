"""Which addresses that no setting names may be shown a token."""

import fnmatch
import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec

from mainspring.domain.cluster.server import check_address
from mainspring.errors import ConfigError
from mainspring.settings.loopback import is_loopback

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class AddressRules(msgspec.Struct, frozen=True):
    """An address book may be wrong, old or a stranger's: what it says is dialled only within these rules."""

    hosts: tuple[str, ...] = ()
    """Patterns such as *.fleet.example; empty: every host."""
    networks: tuple[Network, ...] = ()
    """Where a server may be spoken to without TLS."""
    here_only: bool = False
    """Only servers on this machine."""

    def objection(self, url: str, said_by: str = "") -> str:
        """Why this address is ignored; empty if it may be shown the token."""
        try:
            host = urlsplit(check_address("address", url)).hostname or ""
        except ConfigError:
            return "it is not the address of a server"
        if is_loopback(host):
            # Said by another machine, it names that machine.
            here = not said_by or is_loopback(urlsplit(said_by).hostname or "")
            return "" if here else "it names the machine that said it"
        if self.here_only:
            return "only servers on this machine are named in the settings, and discovery_hosts names no others"
        if self.hosts and not any(fnmatch.fnmatchcase(host, pattern.lower()) for pattern in self.hosts):
            return "its host is not among discovery_hosts"
        if urlsplit(url).scheme == "https" or self._within(host):
            return ""
        return "it is without TLS and not in discovery_networks"

    def _within(self, host: str) -> bool:
        # A name may lead anywhere by the time it is dialled.
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.networks)


def address_rules(hosts: Sequence[str], networks: Sequence[str]) -> AddressRules:
    """Raises ConfigError that names the setting."""
    try:
        read = tuple(ipaddress.ip_network(text) for text in networks)
    except ValueError as error:
        raise ConfigError(f"discovery_networks: {error}; a network is written like 10.0.0.0/8") from None
    return AddressRules(tuple(hosts), read)
