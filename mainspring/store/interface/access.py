"""Access tokens, the namespaces that they reach, the audit log, people, and the views that they save."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import AuditEntry, Namespace
from mainspring.domain.access.preferences import Preferences
from mainspring.domain.access.sign_in import SignIn
from mainspring.domain.access.token import AccessToken
from mainspring.domain.access.user import Invitation, User, UserChange
from mainspring.domain.insights.saved_view import SavedView


class AccessChanges(msgspec.Struct, frozen=True):
    """Changes since a version."""

    version: int
    tokens: list[AccessToken]
    namespaces: list[str] | None
    """The names of all, or None: nothing is new."""
    users: list[User] = []
    sign_ins: list[SignIn] = []


class TokenFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which tokens to list, newest first; `before` is the last one on the page before."""

    id: str | None = None
    namespace: str | None = None
    """None: all, those for every namespace among them."""
    role: str | None = None
    active_at: datetime | None = None
    """Only those neither revoked nor expired by then."""
    before: tuple[datetime, str] | None = None
    limit: int = 50


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries to list, newest first; `before` is the place of the last one on the page before."""

    namespace: str | None = None
    """None: of every namespace."""
    actor: str | None = None
    kind: str | None = None
    key: str | None = None
    act: str | None = None
    """Such as `queue.pause`; its kind is what stands before the dot."""
    since: datetime | None = None
    until: datetime | None = None
    """Before then."""
    before: tuple[datetime, int] | None = None
    limit: int = 50


class AccessStore(Protocol):
    """Access tokens, namespaces and the audit log.

    Changes are made one after the other, each with its entry in the audit log. Acts write the entries that record them, in the
    same transaction; no act updates or deletes one.
    """

    async def changes(self, *, since: int) -> AccessChanges:
        """The tokens that were changed after that version; 0 asks for all."""

    async def create_tokens(
        self, tokens: Sequence[AccessToken], entries: Sequence[AuditEntry], *, first: bool = False
    ) -> bool:
        """Add tokens; with `first` only to a store that has none: otherwise False, and nothing is changed.

        Raises NotFoundError for an unknown namespace, ConflictError for an id that is taken.
        """

    async def rotate_token(
        self, token: str, digest: bytes, *, overlap_until: datetime, now: datetime, entry: AuditEntry
    ) -> AccessToken:
        """Give a token another secret; the one before is good until `overlap_until`, the one before that is no more.

        Raises NotFoundError, and ConflictError for a token that is revoked or expired.
        """

    async def revoke_token(self, token: str, *, now: datetime, entry: AuditEntry) -> AccessToken:
        """End a token for good; one that is revoked already stays as it is.

        Raises NotFoundError, and ConflictError for the last active admin token of all namespaces.
        """

    async def tokens(self, query: TokenFilter) -> list[AccessToken]: ...

    async def note_uses(self, uses: Mapping[str, datetime]) -> None:
        """Keep when tokens were used last."""

    async def namespaces(self) -> list[Namespace]:
        """All, by name."""

    async def create_namespace(self, namespace: Namespace, entry: AuditEntry) -> None:
        """Raises ConflictError if there is one of that name."""

    async def delete_namespace(self, name: str, *, now: datetime, entry: AuditEntry) -> None:
        """Raises NotFoundError, and ConflictError while it holds jobs, live runs, executors or active tokens."""

    async def append_audit(self, entry: AuditEntry) -> None:
        """For acts that change nothing in this store."""

    async def audit(self, query: AuditFilter) -> list[tuple[int, AuditEntry]]:
        """A page of entries with their positions; instant and position are an entry's place in the order."""


class SignInStore(Protocol):
    """Sign-ins of users, and of tokens that were shown instead of a password."""

    async def sign_in(self, made: SignIn, tries: Sequence[str], entry: AuditEntry) -> None:
        """Add a sign-in, and forgive the failed tries under these keys."""

    async def end_sign_in(self, sign_in: str, *, now: datetime, entry: AuditEntry) -> None:
        """End one for good; one that has ended stays as it is, and nothing is written down."""

    async def end_sign_ins(self, user: str, *, but: str, now: datetime, entry: AuditEntry) -> int:
        """End all of a user but one; return how many that were."""

    async def find_sign_in(self, sign_in: str) -> SignIn | None: ...

    async def sign_ins(self, user: str, *, limit: int) -> list[SignIn]:
        """The latest of a user, those that have ended among them."""

    async def note_seen(self, seen: Mapping[str, datetime]) -> None:
        """Keep when sign-ins were used last."""

    async def count_try(self, keys: Sequence[str], *, now: datetime) -> datetime | None:
        """Count a try under all of these keys before its password is looked at.

        If one of them has to wait nothing is counted, and the end of the wait is returned.
        """


class UserStore(SignInStore, Protocol):
    """People, and the invitations with which they choose a password. Names are unique, and never change."""

    async def get(self, name: str) -> User:
        """Raises NotFoundError."""

    async def find_subject(self, subject: str) -> User | None:
        """The user who signs in elsewhere under that subject."""

    async def list(self, *, after: str, limit: int) -> list[User]:
        """A page by name, after that name."""

    async def has_any(self) -> bool: ...

    async def create(self, user: User, entry: AuditEntry, invitation: Invitation | None = None) -> None:
        """Raises ConflictError if the name is taken."""

    async def change(self, name: str, change: UserChange, *, now: datetime, entry: AuditEntry) -> User:
        """Raises NotFoundError, and ConflictError if no other user could administer the cluster."""

    async def delete(self, name: str, *, now: datetime, entry: AuditEntry) -> None:
        """End the user's sign-ins and invitations too. Raises as `change` does."""

    async def invite(self, invitation: Invitation, entry: AuditEntry) -> None:
        """Replace the invitations of that user."""

    async def find_invitation(self, digest: bytes, *, now: datetime) -> tuple[Invitation, User | None] | None:
        """An invitation that is good, with its user; None for the first admin's."""

    async def accept(
        self,
        digest: bytes,
        user: User,
        sign_in: SignIn,
        *,
        tries: Sequence[str],
        now: datetime,
        entries: Sequence[AuditEntry],
    ) -> bool:
        """Use an invitation up: keep the user's password, or the first admin; end other sign-ins, and begin this one.

        False, and nothing is changed, if it is used, has expired, or is for a first admin when there is a user.
        """

    async def set_password(
        self, user: User, password: str, *, but: str, tries: Sequence[str], now: datetime, entry: AuditEntry
    ) -> None:
        """Keep another password, end the sign-ins of the user but one, and forgive the failed tries under these keys."""

    async def rehash(self, user: User, password: str) -> None:
        """Keep the same password under other parameters, unless it was changed meanwhile."""


class SavedViewStore(Protocol):
    """Each change is one transaction with its audit entry."""

    async def save(self, view: SavedView, *, entry: AuditEntry) -> None:
        """Add a view, or replace the one of that name and owner; raises ConflictError if the owner has too many."""

    async def delete(self, namespace: str, owner: str, name: str, *, entry: AuditEntry) -> bool:
        """False, and nothing is written down, if there is none."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, namespace: str, owner: str) -> list[SavedView]:
        """The views of an owner and those that are shared, the owner's first, each by name."""


class PreferenceStore(Protocol):
    async def get(self, owner: str) -> Preferences:
        """Nothing chosen, if none are kept."""

    async def set(self, owner: str, chosen: Preferences) -> None:
        """Replaces all of an owner."""
