"""Users: people with a name, a password or none yet, and a role in each namespace that they reach."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.access.common_passwords import COMMON
from mainspring.domain.access.permissions import LADDER, NAMESPACE_ALL, NAMESPACE_DEFAULT, PLAIN, Role
from mainspring.domain.access.permissions import check_namespace_name as check_namespace
from mainspring.domain.access.token import AccessToken, Grant, letters
from mainspring.domain.ids import Entropy
from mainspring.errors import ConflictError, ForbiddenError, InvalidInputError

USER_ID_BYTES = 8
USER_NAME = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,99}")
DISPLAY_NAME_MAX = 100
PASSWORD_MIN, PASSWORD_MAX = 12, 200
ROLES_MAX = 100
INVITATION_LIFE = timedelta(days=3)
# It was printed where others may read it.
FIRST_LIFE = timedelta(hours=1)
"""How long the link for the first admin is good."""
FIRST_USER = ""
"""The user of the invitation by which the first admin comes to be."""


class User(msgspec.Struct, frozen=True, kw_only=True):
    """A person who signs in."""

    id: str
    name: str
    display_name: str = ""
    password: str = ""
    """The argon2id hash with its parameters; empty: none was chosen, or the person signs in elsewhere."""
    subject: str = ""
    """Issuer and subject of a person who signs in elsewhere."""
    roles: Mapping[str, Role]
    """By namespace; `*`: in all of them."""
    created_by: str
    created_at: datetime
    password_at: datetime | None = None
    disabled_at: datetime | None = None

    @property
    def is_active(self) -> bool:
        return self.disabled_at is None

    def role_in(self, namespace: str) -> Role | None:
        """The higher of the roles for this namespace and for all."""
        found = [self.roles[key] for key in (namespace, NAMESPACE_ALL) if key in self.roles]
        return max(found, key=LADDER.index, default=None)


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """A secret with which a user chooses a password, once."""

    digest: bytes
    user: str
    """The user's id; empty: the person who shows it becomes the first admin."""
    created_by: str
    expires_at: datetime


class NewUser(msgspec.Struct, frozen=True, kw_only=True):
    """A user that an admin asks for."""

    name: str
    display_name: str = ""
    roles: Mapping[str, Role]


class UserChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a user; None leaves a field as it is."""

    display_name: str | None = None
    roles: Mapping[str, Role] | None = None
    disabled: bool | None = None

    def apply(self, user: User, now: datetime) -> User:
        disabled_at = user.disabled_at
        if self.disabled is not None:
            disabled_at = (disabled_at or now) if self.disabled else None
        return msgspec.structs.replace(
            user,
            display_name=user.display_name if self.display_name is None else self.display_name,
            roles=user.roles if self.roles is None else self.roles,
            disabled_at=disabled_at,
        )


def new_user_id(entropy: Entropy) -> str:
    return letters(entropy(USER_ID_BYTES))


def make_user(wanted: NewUser, user: str, *, by: str, now: datetime) -> User:
    return User(
        id=user,
        name=wanted.name,
        display_name=wanted.display_name,
        roles=wanted.roles,
        created_by=by,
        created_at=now,
    )


def check_new_user(wanted: NewUser) -> NewUser:
    """Raises InvalidInputError unless such a user makes sense."""
    check_user_name(wanted.name)
    check_display_name(wanted.display_name)
    check_roles(wanted.roles)
    return wanted


def check_change(change: UserChange) -> UserChange:
    """Raises InvalidInputError unless the change makes sense."""
    if change.display_name is not None:
        check_display_name(change.display_name)
    if change.roles is not None:
        check_roles(change.roles)
    return change


def check_user_name(name: str) -> str:
    if not USER_NAME.fullmatch(name):
        reason = "is 1 to 100 of a-z, 0-9 and . _ @ + -, and starts with a letter or a digit"
        raise InvalidInputError("name", reason, code="bad_name")
    return name


def check_display_name(text: str) -> None:
    if len(text) > DISPLAY_NAME_MAX or not PLAIN.fullmatch(text):
        reason = f"is one line of at most {DISPLAY_NAME_MAX} characters"
        raise InvalidInputError("display_name", reason, code="bad_display_name")


def check_roles(roles: Mapping[str, Role]) -> None:
    """Raises InvalidInputError unless each is a role that people may have, in a namespace that could exist."""
    if not roles or len(roles) > ROLES_MAX:
        raise InvalidInputError("roles", f"are 1 to {ROLES_MAX}: a role for each namespace", code="bad_roles")
    for namespace, role in roles.items():
        if namespace != NAMESPACE_ALL:
            check_namespace(namespace)
        if role not in LADDER:
            known = ", ".join(LADDER)
            raise InvalidInputError("roles", f"{role} is not for people: take one of {known}", code="bad_roles")


def check_password(password: str, name: str) -> None:
    """Raises InvalidInputError for a password that others would guess; nothing is asked of its characters."""
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        reason = f"has {PASSWORD_MIN} to {PASSWORD_MAX} characters"
        raise InvalidInputError("password", reason, code="bad_password")
    plain = password.lower()
    if plain in COMMON or plain.strip() == name or len(set(plain)) == 1:
        raise InvalidInputError("password", "is among the first that a guesser tries", code="bad_password")


def rules_as_user(user: User) -> bool:
    """Whether the user is an active admin of all namespaces."""
    return user.is_active and user.roles.get(NAMESPACE_ALL) is Role.ADMIN


def last_admin_user(user: User) -> ConflictError:
    reason = "is the last admin of all namespaces: give another user or a token that role first"
    return ConflictError("user", user.name, reason)


def grant_for(user: User, sign_in: str, digest: bytes, until: datetime, *, asked: str | None) -> Grant:
    """The user's rights in the namespace that a call asks for, as a token would have them.

    Raises ForbiddenError, which says nothing about the namespace, where the user has no role.
    """
    namespace = home_of(user) if asked is None else asked
    role = user.roles.get(NAMESPACE_ALL) if namespace == NAMESPACE_ALL else user.role_in(namespace)
    if role is None:
        raise ForbiddenError("this user has no role in that namespace", code="forbidden_namespace")
    everywhere = user.roles.get(NAMESPACE_ALL) is role
    token = AccessToken(
        id=sign_in,
        name=user.name,
        role=role,
        namespace=NAMESPACE_ALL if everywhere else namespace,
        digest=b"",
        created_by=user.created_by,
        created_at=user.created_at,
    )
    return Grant(token, b"", until, sign_in=digest, roles=user.roles)


def home_of(user: User) -> str:
    """The namespace of a call that names none."""
    if NAMESPACE_ALL in user.roles:
        return NAMESPACE_ALL
    return NAMESPACE_DEFAULT if NAMESPACE_DEFAULT in user.roles else min(user.roles)
