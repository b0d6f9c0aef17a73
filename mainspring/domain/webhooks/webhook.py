"""The address of a webhook, and how its caller proves who it is.

A signature is HMAC-SHA256 with the secret, in hexadecimal digits, over the body as it was sent; where the trigger names a
header with the time, over that time, a dot and the body, so that neither can be exchanged. The secret of a signature has to
be kept as it is; of a secret that is shown itself, only the SHA-256 is.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.access.token import letters
from mainspring.domain.ids import Entropy
from mainspring.domain.triggers.spec import HookAuth, Webhook
from mainspring.domain.webhooks.call import Headers, key_of
from mainspring.errors import AccessDeniedError

ID_BYTES, SECRET_BYTES = 20, 32
HOOK_ID = re.compile(r"[a-z2-7]{32}")
GRACE_MAX = timedelta(days=30)
PREFIX = "sha256="
SECONDS = re.compile(r"[0-9]{1,12}")


class Hook(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook's secret."""

    id: str
    """The last part of its address."""
    auth: HookAuth
    """What the secret was made for."""
    secret: bytes
    """As it is kept; see `kept`."""
    old_secret: bytes | None = None
    old_until: datetime | None = None
    """Until then the secret from before the last rotation is good as well."""
    made_at: datetime

    @property
    def path(self) -> str:
        return f"/hooks/{self.id}"

    def secrets(self, now: datetime) -> list[bytes]:
        """Those that are good."""
        if self.old_secret is None or self.old_until is None or self.old_until <= now:
            return [self.secret]
        return [self.secret, self.old_secret]


class WebhookCall(msgspec.Struct, frozen=True):
    """A call that a webhook received."""

    headers: Headers
    body: bytes


def write_hook_id(entropy: Entropy) -> str:
    return letters(entropy(ID_BYTES))


def write_secret(entropy: Entropy) -> str:
    return f"mshook_{letters(entropy(SECRET_BYTES))}"


def kept(auth: HookAuth, text: str) -> bytes:
    """The stored form of a secret."""
    return text.encode() if auth is HookAuth.HMAC else hashlib.sha256(text.encode()).digest()


def check_caller(hook: Hook, rule: Webhook, call: WebhookCall, now: datetime) -> None:
    """Raises AccessDeniedError unless the caller has the secret."""
    if hook.auth is not rule.auth:
        raise AccessDeniedError(f"the secret was made for {hook.auth}: make a new one", code="secret_outdated")
    if rule.auth is HookAuth.BEARER:
        check_bearer(hook.secrets(now), call.headers)
        return
    check_time(rule, call.headers, now)
    check_signature(hook.secrets(now), rule, call)


def check_bearer(secrets: Sequence[bytes], headers: Headers) -> None:
    scheme, _, text = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        raise AccessDeniedError("send 'Authorization: Bearer <the secret>'", code="signature_missing")
    shown = kept(HookAuth.BEARER, text.strip())
    if not any_equal(shown, secrets):
        raise AccessDeniedError("this is not the webhook's secret", code="bad_signature")


def check_time(rule: Webhook, headers: Headers, now: datetime) -> None:
    """Refuse a call that was signed long ago: it may be a replay."""
    if not rule.timestamp_header:
        return
    text = headers.get(rule.timestamp_header, "")
    if not SECONDS.fullmatch(text):
        reason = f"header {rule.timestamp_header} has to say when this was signed, in seconds since 1970"
        raise AccessDeniedError(reason, code="signature_missing")
    if abs(now.timestamp() - int(text)) > rule.tolerance:
        reason = f"this was not signed within the last {rule.tolerance:.0f} seconds"
        raise AccessDeniedError(reason, code="signature_expired")


def check_signature(secrets: Sequence[bytes], rule: Webhook, call: WebhookCall) -> None:
    shown = call.headers.get(rule.signature_header, "")
    if not shown:
        raise AccessDeniedError(f"header {rule.signature_header} has to hold a signature", code="signature_missing")
    told = shown.strip().lower().removeprefix(PREFIX).encode()
    signed = signed_part(rule, call)
    if not any_equal(told, [sign(secret, signed).encode() for secret in secrets]):
        raise AccessDeniedError("the signature is not that of this body and the webhook's secret", code="bad_signature")


def signed_part(rule: Webhook, call: WebhookCall) -> bytes:
    if not rule.timestamp_header:
        return call.body
    return call.headers[rule.timestamp_header].encode() + b"." + call.body


def key_of_call(rule: Webhook, call: WebhookCall) -> str | None:
    """The key by which a repetition of this call is known; None if each call starts a run. Raises InvalidInputError."""
    if rule.remember_calls:
        # By the signed content: the same signature can be written in several ways, and headers are not signed.
        return f"signed {hashlib.sha256(signed_part(rule, call)).hexdigest()}"
    return key_of(rule.key, call.body, call.headers) if rule.key else None


def sign(secret: bytes, body: bytes) -> str:
    return hmac.new(secret, body, hashlib.sha256).hexdigest()


def any_equal(shown: bytes, known: Sequence[bytes]) -> bool:
    """Compares with all of them, in a time that tells nothing."""
    return sum(hmac.compare_digest(shown, each) for each in known) > 0
