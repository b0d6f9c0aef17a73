"""How an address book is spoken to: by TLS or not, and with which credentials."""

from pathlib import Path
from ssl import SSLContext

from mainspring.discovery.address import Address
from mainspring.discovery.interface import RegistryAwayError
from mainspring.settings.security import trust


def tls_of(address: Address) -> SSLContext | None:
    """Raises ConfigError if the file holds no authorities."""
    return trust(address.ca_file) if address.tls else None


def credentials_of(address: Address) -> str:
    """Read at each call, since credentials are rotated; empty: none are named. Raises RegistryAwayError."""
    if not address.credentials_file:
        return ""
    try:
        return Path(address.credentials_file).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise RegistryAwayError(f"credentials_file: {error}") from None
