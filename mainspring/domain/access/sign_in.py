"""Sign-ins: a browser that a person uses, from the password to the sign-out, and the tries before it."""

import hashlib
import re
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.access.token import letters
from mainspring.domain.ids import Entropy
from mainspring.errors import AccessDeniedError

SIGN_IN_ID_BYTES, SIGN_IN_SECRET_BYTES = 8, 32
SIGN_IN_TEXT = re.compile(r"mi_([a-z2-7]{13})_[a-z2-7]{52}")
SIGN_IN_LIFE = timedelta(days=7)
IDLE_MAX = timedelta(hours=12)
BROWSER_MAX = 200
TRIES_FREE = 5
"""Wrong passwords before the first wait."""
WAIT_FIRST, WAIT_MAX = timedelta(seconds=30), timedelta(hours=1)
TRIES_FORGOTTEN = timedelta(days=1)


class SignIn(msgspec.Struct, frozen=True, kw_only=True):
    """One browser that shows its secret as a cookie."""

    id: str
    digest: bytes
    """The SHA-256 of the cookie's text."""
    user: str = ""
    """The user's id; empty: a token was shown instead of a password."""
    token: bytes = b""
    """The SHA-256 of that token's text: the sign-in opens what the token opens, as long as it does."""
    address: str
    browser: str
    created_at: datetime
    expires_at: datetime
    seen_at: datetime
    """To the minute."""
    ended_at: datetime | None = None

    @property
    def until(self) -> datetime:
        return min(self.expires_at, self.seen_at + IDLE_MAX)

    def denial(self, now: datetime) -> AccessDeniedError | None:
        """Why it opens nothing any more."""
        if self.ended_at is not None:
            return AccessDeniedError("this sign-in was ended: sign in again", code="sign_in_ended")
        if self.until <= now:
            return AccessDeniedError("this sign-in has run out: sign in again", code="sign_in_expired")
        return None


class Browser(msgspec.Struct, frozen=True):
    """Where a sign-in comes from."""

    address: str
    name: str

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "name", self.name[:BROWSER_MAX])


class Tries(msgspec.Struct, frozen=True, kw_only=True):
    """Failed sign-ins in a row, of one name or from one address."""

    key: str
    fails: int = 0
    last_at: datetime
    blocked_until: datetime | None = None

    def wait(self, now: datetime) -> datetime | None:
        """Until when nothing is tried."""
        blocked = self.blocked_until is not None and self.blocked_until > now
        return self.blocked_until if blocked else None

    def count(self, now: datetime) -> "Tries":
        """One more, counted before the password is looked at: many at once are still many."""
        fails = 1 if now - self.last_at >= TRIES_FORGOTTEN else self.fails + 1
        return Tries(key=self.key, fails=fails, last_at=now, blocked_until=blocked_after(fails, now))


def blocked_after(fails: int, now: datetime) -> datetime | None:
    """When the next try is looked at; the wait doubles with every failure."""
    if fails < TRIES_FREE:
        return None
    doublings: int = min(fails - TRIES_FREE, 10)
    return now + min(WAIT_MAX, WAIT_FIRST * (1 << doublings))


def write_sign_in(entropy: Entropy) -> str:
    """The text of a new sign-in's cookie."""
    return f"mi_{letters(entropy(SIGN_IN_ID_BYTES))}_{letters(entropy(SIGN_IN_SECRET_BYTES))}"


def write_invitation(entropy: Entropy) -> str:
    """The text of a new invitation."""
    return letters(entropy(SIGN_IN_SECRET_BYTES))


def sign_in_id(text: str) -> str | None:
    """The id in a cookie's text; None if it is not written as one of ours."""
    found = SIGN_IN_TEXT.fullmatch(text)
    return found[1] if found else None


def csrf_of(text: str) -> str:
    """The word that pages of this sign-in send with every change: other pages can have the cookie sent, and not read it."""
    return letters(hashlib.sha256(b"csrf of " + text.encode()).digest())
