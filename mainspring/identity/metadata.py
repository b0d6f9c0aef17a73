"""A provider's own description and its keys, fetched when needed and kept for a while."""

from typing import Any
from urllib.parse import urlsplit

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.provider import Provider
from mainspring.identity.fetch import Fetcher, ProviderAwayError

KEPT = 3600.0
"""Seconds for which a description and keys are good."""
# A forged token must not make this server a flood.
AGAIN = 30.0
"""Seconds between two looks for a key that is not known."""
PLACE = "/.well-known/openid-configuration"


class Metadata(msgspec.Struct, frozen=True):
    """Of the provider's description only the parts that a sign-in uses."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    id_token_signing_alg_values_supported: tuple[str, ...] = ("RS256",)
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class KnownProvider:
    """One provider as this server knows it."""

    def __init__(self, provider: Provider, fetcher: Fetcher, clock: Clock) -> None:
        self.provider = provider
        self._fetcher, self._clock = fetcher, clock
        self._metadata: tuple[float, Metadata] | None = None
        self._keys: tuple[float, dict[str, Any]] | None = None

    async def metadata(self) -> Metadata:
        """Raises ProviderAwayError."""
        now = self._clock.monotonic()
        if self._metadata is None or now - self._metadata[0] > KEPT:
            self._metadata = now, await self._read_metadata()
        return self._metadata[1]

    async def keys(self, *, anew: bool = False) -> dict[str, Any]:
        """The provider's key set; `anew`: a key was not in it."""
        now = self._clock.monotonic()
        good_for = AGAIN if anew else KEPT
        if self._keys is None or now - self._keys[0] > good_for:
            self._keys = now, await self._fetcher.get((await self.metadata()).jwks_uri)
        return self._keys[1]

    async def _read_metadata(self) -> Metadata:
        url = self.provider.issuer.rstrip("/") + PLACE
        try:
            found = msgspec.convert(await self._fetcher.get(url), Metadata)
        except msgspec.ValidationError as error:
            raise ProviderAwayError(f"{url}: {error}") from None
        if found.issuer.rstrip("/") != self.provider.issuer.rstrip("/"):
            raise ProviderAwayError(f"{url} describes another issuer")
        for endpoint in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri):
            if not is_as_safe(endpoint, self.provider.issuer):
                raise ProviderAwayError(f"{url} names an endpoint that is not https")
        return found


def is_as_safe(endpoint: str, issuer: str) -> bool:
    """Only an issuer on this machine may use plain HTTP, and then for itself alone."""
    parts, home = urlsplit(endpoint), urlsplit(issuer)
    return parts.scheme == "https" or (parts.scheme, parts.netloc) == (home.scheme, home.netloc)
