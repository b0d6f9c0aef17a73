"""A sign-in at an identity provider, from the button to the person's claims."""

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.provider import REFUSED, Provider
from mainspring.domain.ids import Entropy
from mainspring.errors import AccessDeniedError, NotFoundError
from mainspring.identity.fetch import Fetcher
from mainspring.identity.id_token import UnknownKeyError, check_claims, denied, read_id_token
from mainspring.identity.metadata import KnownProvider, Metadata

TICKET_LIFE = 600
"""Seconds from the button to the return."""
WORD_BYTES = 32


class SignInTicket(msgspec.Struct, frozen=True, array_like=True):
    """A sign-in under way; it travels sealed in a cookie of the browser, so that the return may reach any server."""

    provider: str
    state: str
    nonce: str
    verifier: str
    back: str
    """The address that the provider was told to send the person back to."""
    then: str
    """The page of the console that the person wanted."""
    until: float


class Return(msgspec.Struct, frozen=True):
    """The query with which a provider sends a person back."""

    state: str
    code: str
    error: str


class Providers:
    """The identity providers of this server."""

    def __init__(self, providers: Iterable[Provider], fetcher: Fetcher, clock: Clock, entropy: Entropy) -> None:
        self._known = {each.name: KnownProvider(each, fetcher, clock) for each in providers}
        self._fetcher, self._clock, self._entropy = fetcher, clock, entropy

    def listed(self) -> list[Provider]:
        return [known.provider for known in self._known.values()]

    def provider(self, name: str) -> Provider:
        """Raises NotFoundError."""
        return self._find(name).provider

    async def begin(self, name: str, *, back: str, then: str) -> tuple[str, SignInTicket]:
        """The address to send the browser to; raises NotFoundError and ProviderAwayError."""
        known = self._find(name)
        metadata = await known.metadata()
        until = self._clock.now().timestamp() + TICKET_LIFE
        ticket = SignInTicket(name, self._word(), self._word(), self._word(), back, then, until)
        asked = {
            "response_type": "code",
            "client_id": known.provider.client_id,
            "redirect_uri": back,
            "scope": " ".join(known.provider.scopes),
            "state": ticket.state,
            "nonce": ticket.nonce,
            "code_challenge": challenge_of(ticket.verifier),
            "code_challenge_method": "S256",
        }
        joint = "&" if "?" in metadata.authorization_endpoint else "?"
        return f"{metadata.authorization_endpoint}{joint}{urlencode(asked)}", ticket

    async def finish(self, name: str, ticket: SignInTicket | None, answer: Return) -> dict[str, Any]:
        """The person's claims; raises NotFoundError, AccessDeniedError and ProviderAwayError."""
        known, now = self._find(name), self._clock.now().timestamp()
        if ticket is None or ticket.provider != name or ticket.until < now:
            raise AccessDeniedError(
                "this sign-in was not begun in this browser, or took too long", code="sign_in_expired"
            )
        if not hmac.compare_digest(ticket.state.encode(), answer.state.encode()):
            raise denied("it is for another sign-in")
        if answer.error or not answer.code:
            raise AccessDeniedError("the identity provider did not let the person in", code=REFUSED)
        metadata = await known.metadata()
        token = await self._redeem(known.provider, metadata, ticket, answer.code)
        claims = await self._claims(known, metadata, token)
        check_claims(claims, issuer=metadata.issuer, client_id=known.provider.client_id, nonce=ticket.nonce, now=now)
        return claims

    async def _redeem(self, provider: Provider, metadata: Metadata, ticket: SignInTicket, code: str) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": ticket.back,
            "code_verifier": ticket.verifier,
        }
        proof, headers = client_proof(provider, metadata)
        answer = await self._fetcher.post(metadata.token_endpoint, form | proof, headers)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise denied("it has no ID token")
        return token

    async def _claims(self, known: KnownProvider, metadata: Metadata, token: str) -> dict[str, Any]:
        offered = metadata.id_token_signing_alg_values_supported
        try:
            return read_id_token(token, await known.keys(), offered)
        except UnknownKeyError:
            # Providers exchange their keys at any time.
            fresh = await known.keys(anew=True)
        try:
            return read_id_token(token, fresh, offered)
        except UnknownKeyError:
            raise denied("no key of the issuer signed its ID token") from None

    def _find(self, name: str) -> KnownProvider:
        if name not in self._known:
            raise NotFoundError("provider", name)
        return self._known[name]

    def _word(self) -> str:
        return unpadded(self._entropy(WORD_BYTES))


def client_proof(provider: Provider, metadata: Metadata) -> tuple[dict[str, str], Mapping[str, str]]:
    """Fields and headers by which the provider knows this client."""
    if not provider.client_secret:
        return {"client_id": provider.client_id}, {}
    if "client_secret_basic" in metadata.token_endpoint_auth_methods_supported:
        pair = f"{quote(provider.client_id, safe='')}:{quote(provider.client_secret, safe='')}"
        return {}, {"authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    return {"client_id": provider.client_id, "client_secret": provider.client_secret}, {}


def challenge_of(verifier: str) -> str:
    return unpadded(hashlib.sha256(verifier.encode()).digest())


def unpadded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
