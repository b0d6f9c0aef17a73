"""Access tokens: their text, their rights and their end.

The text is `ms_<id>_<secret>`. The id is public; the secret has 256 bits. Only the SHA-256 of the whole text is kept: with
that much randomness a slow hash would add nothing but time, and a look-up by hash tells a guesser nothing.
"""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.domain.access.permissions import (
    CLUSTER_WIDE,
    LADDER,
    NAMESPACE_ALL,
    PERMISSIONS,
    PLAIN,
    Actor,
    Permission,
    Role,
    check_namespace_name,
    role_for,
)
from mainspring.domain.ids import Entropy
from mainspring.errors import AccessDeniedError, ConflictError, ForbiddenError, InvalidInputError

ID_BYTES, SECRET_BYTES = 8, 32
TEXT = re.compile(r"ms_([a-z2-7]{13})_[a-z2-7]{52}")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._@:+-]{0,99}")
QUEUES_MAX = 100
LIFE_MAX = timedelta(days=3650)
OVERLAP_MAX = timedelta(days=30)


class AccessToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token as the store keeps it: everything but its text."""

    id: str
    name: str
    role: Role
    namespace: str
    """`*`: all of them."""
    queues: tuple[str, ...] = ()
    """Of an executor's token: those it may listen to; empty: all of the namespace."""
    digest: bytes
    replaced_digest: bytes | None = None
    replaced_until: datetime | None = None
    """Until then the secret from before the last rotation is good as well."""
    created_by: str
    created_at: datetime
    expires_at: datetime | None = None
    rotated_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None

    def state(self, now: datetime) -> str:
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now else "active"

    def reaches(self, namespace: str) -> bool:
        return self.namespace in (NAMESPACE_ALL, namespace)

    def grants(self) -> "list[Grant]":
        """The secrets that open something, each with its end."""
        found = [Grant(self, self.digest, self.expires_at)]
        if self.replaced_digest is not None:
            ends = [end for end in (self.expires_at, self.replaced_until) if end is not None]
            found.append(Grant(self, self.replaced_digest, min(ends)))
        return found


class Grant(msgspec.Struct, frozen=True):
    """One secret of a token, as a caller showed it."""

    token: AccessToken
    digest: bytes
    until: datetime | None = None
    fixed: bool = False
    """From the settings: nothing in the store can take it back."""
    sign_in: bytes = b""
    """The SHA-256 of the cookie that was shown instead."""
    roles: Mapping[str, Role] = {}
    """Of a user: by namespace."""

    def reaches(self, namespace: str) -> bool:
        """Whether the caller may know of the namespace."""
        return namespace in self.roles or NAMESPACE_ALL in self.roles or self.token.reaches(namespace)

    @property
    def actor(self) -> Actor:
        return Actor(self.token.name, self.token.id)

    def denial(self, now: datetime) -> AccessDeniedError | None:
        """Why it opens nothing any more."""
        if self.token.revoked_at is not None:
            return AccessDeniedError(f"token {self.token.id} was revoked", code="token_revoked")
        if self.until is None or self.until > now:
            return None
        if self.token.state(now) == "expired":
            return AccessDeniedError(f"token {self.token.id} has expired", code="token_expired")
        return AccessDeniedError(f"token {self.token.id} was rotated: this is its old secret", code="token_expired")


# There is nobody to ask.
UNBOUND = Grant(
    AccessToken(
        id="",
        name="this process",
        role=Role.EXECUTOR,
        namespace=NAMESPACE_ALL,
        digest=b"",
        created_by="",
        created_at=datetime(1970, 1, 1, tzinfo=UTC),
    ),
    b"",
    fixed=True,
)
"""For executors in the server's own process."""


class NewToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token that an operator asks for."""

    name: str
    role: Role
    namespace: str
    queues: tuple[str, ...] = ()
    expires_at: datetime | None = None


def write_token(entropy: Entropy, *, id_in_text: str | None = None) -> str:
    """The text of a new token, or of one that gets a new secret."""
    return f"ms_{id_in_text or letters(entropy(ID_BYTES))}_{letters(entropy(SECRET_BYTES))}"


def letters(raw: bytes) -> str:
    return base64.b32encode(raw).decode().rstrip("=").lower()


def id_in(text: str) -> str | None:
    """The id that a token's text carries; None if it is not written as one of ours."""
    found = TEXT.fullmatch(text)
    return found[1] if found else None


def digest_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def make_token(wanted: NewToken, text: str, *, by: Actor, now: datetime) -> AccessToken:
    return AccessToken(
        id=id_in(text) or "",
        name=wanted.name,
        role=wanted.role,
        namespace=wanted.namespace,
        queues=wanted.queues,
        digest=digest_of(text),
        created_by=by.name,
        created_at=now,
        expires_at=wanted.expires_at,
    )


def check_new_token(wanted: NewToken, now: datetime) -> NewToken:
    """Raises InvalidInputError unless such a token makes sense."""
    if not NAME.fullmatch(wanted.name):
        reason = "is 1 to 100 letters, digits, spaces and . _ @ : + -, and starts with a letter or a digit"
        raise InvalidInputError("name", reason, code="bad_name")
    if wanted.namespace != NAMESPACE_ALL:
        check_namespace_name(wanted.namespace)
    if wanted.queues and wanted.role is not Role.EXECUTOR:
        raise InvalidInputError("queues", "are for executor tokens only", code="bad_queues")
    if len(wanted.queues) > QUEUES_MAX or not all(map(is_name, wanted.queues)):
        reason = f"are at most {QUEUES_MAX} names of 1 to 100 characters, none of which controls anything"
        raise InvalidInputError("queues", reason, code="bad_queues")
    if wanted.expires_at is not None and not now < wanted.expires_at <= now + LIFE_MAX:
        raise InvalidInputError("expires_in", "is not within the next 10 years", code="bad_expires_in")
    return wanted


def is_name(queue: str) -> bool:
    return 0 < len(queue) <= 100 and PLAIN.fullmatch(queue) is not None


def check_active(token: AccessToken, now: datetime) -> None:
    """Raises ConflictError unless the token can still be changed."""
    if (state := token.state(now)) != "active":
        raise ConflictError("token", token.id, f"is {state}: make a new one")


def rules_all(token: AccessToken, now: datetime) -> bool:
    """Whether the token is an active admin of all namespaces: one such must stay."""
    return token.role is Role.ADMIN and token.namespace == NAMESPACE_ALL and token.state(now) == "active"


def last_admin(token: AccessToken) -> ConflictError:
    return ConflictError("token", token.id, "is the last admin token for all namespaces: make another one first")


def check_permission(token: AccessToken, permission: Permission) -> None:
    """Raises ForbiddenError, naming the missing right, unless the token may do that."""
    if permission not in PERMISSIONS[token.role]:
        needed = role_for(permission)
        raise ForbiddenError(f"{permission} needs the role {needed}; the caller's is {token.role}")
    if permission in CLUSTER_WIDE and token.namespace != NAMESPACE_ALL:
        raise ForbiddenError(f"{permission} needs that role in all namespaces; the caller's is for {token.namespace!r}")


def check_reach(token: AccessToken, namespace: str) -> None:
    """Raises ForbiddenError, which says nothing about the namespace, unless the token reaches it."""
    if not token.reaches(namespace):
        raise ForbiddenError(f"this token is for namespace {token.namespace!r} only", code="forbidden_namespace")


def check_grantable(maker: AccessToken, wanted: NewToken) -> None:
    """Raises ForbiddenError if the new token could do more than its maker."""
    check_reach(maker, wanted.namespace)
    if wanted.role in LADDER and LADDER.index(wanted.role) > LADDER.index(maker.role):
        raise ForbiddenError(f"a token with the role {maker.role} cannot make one with the role {wanted.role}")


def check_queues(token: AccessToken, queues: Sequence[str]) -> None:
    """Raises ForbiddenError, naming queue and token, unless an executor with this token may listen to all of them."""
    for queue in queues:
        if not covers(token, queue):
            known = ", ".join(token.queues)
            reason = f"queue {queue!r} is not covered by token {token.id} ({token.name}), which is for {known}"
            raise ForbiddenError(reason, code="forbidden_queue")


def covers(token: AccessToken, queue: str) -> bool:
    return not token.queues or queue in token.queues
