"""The cookie of a sign-in, and the proof that a change comes from a page of ours."""

import hmac
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import Response

from mainspring.api.http.headers import header
from mainspring.domain.access.sign_in import csrf_of
from mainspring.errors import ForbiddenError

SECURE_NAME, PLAIN_NAME = "__Host-mainspring", "mainspring"
"""Browsers keep the first only over TLS, and let no other host set it."""
TLS = frozenset({"https", "wss"})
HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
CSRF_HEADER = "Mainspring-Csrf"
_csrf_header = CSRF_HEADER.lower().encode()


def cookie_of(connection: HTTPConnection) -> str:
    """The text of the sign-in's cookie, or nothing."""
    found = connection.cookies
    if connection.scope["scheme"] in TLS:
        # Under its plain name any other host of the same domain could have set it, to have people work as somebody else.
        return found.get(SECURE_NAME, "")
    return found.get(SECURE_NAME) or found.get(PLAIN_NAME, "")


def set_cookie(connection: HTTPConnection, answer: Response, text: str, *, seconds: int) -> None:
    """Hand the cookie out; with seconds of 0 take it back."""
    # A browser says in its Origin how it came here, also through a proxy that speaks TLS.
    secure = connection.scope["scheme"] == "https" or header(connection, b"origin").startswith("https://")
    put_cookie(answer, SECURE_NAME if secure else PLAIN_NAME, text, seconds=seconds)


def put_cookie(answer: Response, name: str, text: str, *, seconds: int) -> None:
    """A cookie that scripts cannot read and other sites cannot send along with a change."""
    flags = "; Secure" if name.startswith("__Host-") else ""
    answer.headers.append("set-cookie", f"{name}={text}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax{flags}")
    answer.headers["cache-control"] = "no-store"


def check_same_origin(connection: HTTPConnection) -> None:
    """Raises ForbiddenError for a request that a page of another site has made."""
    site, origin = header(connection, b"sec-fetch-site"), header(connection, b"origin")
    if site in ("same-origin", "none") or (not site and origin and is_ours(connection, origin)):
        return
    if site or origin:
        raise ForbiddenError("this call comes from a page of another site", code="forbidden_origin")


def check_change(connection: HTTPConnection, text: str) -> None:
    """Raises ForbiddenError unless a change by cookie comes from a page of ours and shows its sign-in's word."""
    if connection.scope.get("method", "GET") in HARMLESS:
        return
    site, origin = header(connection, b"sec-fetch-site"), header(connection, b"origin")
    if site != "same-origin" and not (not site and origin and is_ours(connection, origin)):
        raise ForbiddenError("this change comes from a page of another site", code="forbidden_origin")
    if not hmac.compare_digest(header(connection, _csrf_header).encode(), csrf_of(text).encode()):
        raise ForbiddenError(f"a change by cookie needs the header {CSRF_HEADER}, see whoami", code="forbidden_csrf")


def is_ours(connection: HTTPConnection, origin: str) -> bool:
    return urlsplit(origin).netloc == header(connection, b"host") != ""
