"""An ID token is taken only with a good signature of the issuer's keys, for this client, this sign-in, and in time."""

import base64
import hmac
import json
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from mainspring.errors import AccessDeniedError
from mainspring.identity.id_token import UnknownKeyError, check_claims, read_id_token
from mainspring.identity.providers import challenge_of

KEY = RSAKey.generate_key(2048, {"kid": "1", "use": "sig"})
KEYS = {"keys": [KEY.as_dict(private=False)]}
NOW = 2_000_000_000.0
CLAIMS: dict[str, Any] = {
    "iss": "https://login.example.com",
    "sub": "7",
    "aud": "mainspring",
    "nonce": "n",
    "iat": NOW,
    "exp": NOW + 60,
}


def packed(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def signed(claims: dict[str, Any], *, key: Any = KEY, alg: str = "RS256", kid: str = "1") -> str:
    return jwt.encode({"alg": alg, "kid": kid}, claims, key, algorithms=[alg])


def check(**changes: Any) -> None:
    found = read_id_token(signed(CLAIMS | changes), KEYS, ["RS256"])
    check_claims(found, issuer="https://login.example.com", client_id="mainspring", nonce="n", now=NOW)


def test_a_good_token_is_taken() -> None:
    check()
    check(aud=["other", "mainspring"])


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://evil.example"},
        {"aud": "other"},
        {"aud": ["other"]},
        {"azp": "other"},
        {"nonce": "another"},
        {"nonce": None},
        {"exp": NOW - 120},
        {"exp": "soon"},
        {"exp": True},
        {"iat": NOW + 600},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 300},
        {"sub": "a\nb"},
    ],
)
def test_a_token_with_a_wrong_claim_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(AccessDeniedError, match="was not taken"):
        check(**changes)


def test_a_token_of_another_key_is_refused() -> None:
    other = RSAKey.generate_key(2048, {"kid": "1"})
    with pytest.raises(UnknownKeyError):
        read_id_token(signed(CLAIMS, key=other), KEYS, ["RS256"])
    with pytest.raises(UnknownKeyError):
        read_id_token(signed(CLAIMS, kid="2"), KEYS, ["RS256"])


def test_a_token_signed_with_the_public_half_is_refused() -> None:
    """The oldest trick: an HMAC whose key is the issuer's public key, which everyone has."""
    head, body = (packed(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": "1"}, CLAIMS))
    mac = hmac.digest(KEY.as_pem(private=False), f"{head}.{body}".encode(), "sha256")
    with pytest.raises(AccessDeniedError):
        read_id_token(f"{head}.{body}.{packed(mac)}", KEYS, ["RS256", "HS256"])


@pytest.mark.parametrize("text", ["", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "x" * 10_000])
def test_text_that_is_no_signed_token_is_refused(text: str) -> None:
    with pytest.raises((AccessDeniedError, UnknownKeyError)):
        read_id_token(text, KEYS, ["RS256", "none"])


@pytest.mark.parametrize("keys", [{}, {"keys": None}, {"keys": [None, "x"]}, {"keys": [{"kty": "oct", "k": "eA"}]}])
def test_a_malformed_key_set_signs_nothing(keys: dict[str, Any]) -> None:
    with pytest.raises((AccessDeniedError, UnknownKeyError)):
        read_id_token(signed(CLAIMS), keys, ["RS256"])


def test_the_challenge_is_that_of_the_standard() -> None:
    assert challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
