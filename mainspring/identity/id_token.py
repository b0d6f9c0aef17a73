"""Checks an ID token: signature, issuer, audience, times and nonce."""

import hmac
from collections.abc import Mapping, Sequence
from typing import Any

from mainspring.domain.access.provider import REFUSED
from mainspring.errors import AccessDeniedError

# One that the public half could have made proves nothing.
ALGORITHMS = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
"""Signatures by a private key only."""
LEEWAY = 60.0
"""Seconds by which clocks may differ."""
SUBJECT_MAX = 255


class UnknownKeyError(Exception):
    """The token was signed with a key that is not in the set."""


def read_id_token(text: str, keys: dict[str, Any], offered: Sequence[str]) -> dict[str, Any]:
    """The claims of a token with a good signature; raises UnknownKeyError and AccessDeniedError."""
    # Imported at the first sign-in: the extra is only there where providers are.
    from joserfc import jwt  # noqa: PLC0415
    from joserfc.errors import JoseError  # noqa: PLC0415
    from joserfc.jwk import KeySet  # noqa: PLC0415

    algorithms = sorted(ALGORITHMS & set(offered)) or ["RS256"]
    try:
        known = KeySet.import_key_set({"keys": signing_keys(keys)})
        return dict(jwt.decode(text, known, algorithms=algorithms).claims)
    except JoseError as error:
        if error.error in ("invalid_key_id", "bad_signature", "missing_key"):
            raise UnknownKeyError from None
        raise denied(f"its ID token is not good: {error.error}") from None
    except (ValueError, TypeError, KeyError):
        raise UnknownKeyError from None


def signing_keys(keys: Mapping[str, Any]) -> list[Any]:
    found = keys.get("keys")
    if not isinstance(found, list):
        return []
    return [
        key for key in found if isinstance(key, dict) and key.get("use", "sig") == "sig" and key.get("kty") != "oct"
    ]


def check_claims(claims: Mapping[str, Any], *, issuer: str, client_id: str, nonce: str, now: float) -> None:
    """Raises AccessDeniedError unless the token is of this issuer, for this client, for this sign-in, and in time."""
    audience = claims.get("aud")
    audiences = [audience] if isinstance(audience, str) else audience if isinstance(audience, list) else []
    if str(claims.get("iss", "")).rstrip("/") != issuer.rstrip("/"):
        raise denied("its ID token is of another issuer")
    if client_id not in audiences or claims.get("azp", client_id) != client_id:
        raise denied("its ID token is for another client")
    if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
        raise denied("its ID token is for another sign-in")
    if number(claims, "exp") + LEEWAY <= now or number(claims, "iat") - LEEWAY > now:
        raise denied("its ID token has run out, or the clocks differ")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= SUBJECT_MAX or not subject.isprintable():
        raise denied("its ID token has no subject")


def number(claims: Mapping[str, Any], name: str) -> float:
    found = claims.get(name)
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else 0.0


def denied(reason: str) -> AccessDeniedError:
    return AccessDeniedError(f"the identity provider's answer was not taken: {reason}", code=REFUSED)
