"""Identity providers: where people sign in instead of here, and the roles that this gives them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from mainspring.domain.access.permissions import LADDER, NAMESPACE_ALL, Role
from mainspring.domain.access.user import DISPLAY_NAME_MAX, USER_NAME, NewUser
from mainspring.errors import AccessDeniedError

PROVIDER_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
REFUSED = "sign_in_refused"

Roles = Role | dict[str, Role]


class Provider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An OpenID Connect provider, as the operator describes it."""

    name: str
    """Part of the address that the provider sends people back to."""
    issuer: str
    client_id: str
    client_secret: str = ""
    """Empty for a public client; the code is protected by PKCE in any case."""
    title: str = ""
    """Text of the button on the sign-in page."""
    scopes: tuple[str, ...] = ("openid", "profile", "email")
    name_claim: str = "preferred_username"
    groups_claim: str = "groups"
    roles: dict[str, Roles] = {}
    """By group: a role in all namespaces, or one for each namespace."""
    otherwise: Literal["refuse", "viewer"] = "refuse"
    """People in none of these groups."""
    redirect_url: str = ""
    """Address that people return to, where the server cannot tell it from the request or `console_url`."""


def subject_of(claims: Mapping[str, Any]) -> str:
    """Issuer and subject: the only thing that names one person for good."""
    return f"{claims['iss']} {claims['sub']}"


def new_user_of(provider: Provider, claims: Mapping[str, Any]) -> NewUser:
    """The user that the claims describe; raises AccessDeniedError for people without a role."""
    shown = UNPRINTABLE.sub("", text_of(claims, "name"))[:DISPLAY_NAME_MAX]
    return NewUser(name=name_from(provider, claims), display_name=shown, roles=roles_from(provider, claims))


def name_from(provider: Provider, claims: Mapping[str, Any]) -> str:
    wanted = (text_of(claims, claim).lower() for claim in (provider.name_claim, "email", "sub"))
    found = next((name for name in wanted if USER_NAME.fullmatch(name)), "")
    return found or f"{provider.name}-user"


def roles_from(provider: Provider, claims: Mapping[str, Any]) -> dict[str, Role]:
    """The highest role of all groups, by namespace."""
    found: dict[str, Role] = {}
    for namespace, role in named_roles(provider, claims):
        found[namespace] = max(role, found.get(namespace, role), key=LADDER.index)
    if not found and provider.otherwise == "viewer":
        return {NAMESPACE_ALL: Role.VIEWER}
    if not found:
        raise AccessDeniedError("this person is in no group that has a role here", code=REFUSED)
    return found


def named_roles(provider: Provider, claims: Mapping[str, Any]) -> Iterator[tuple[str, Role]]:
    for group in groups_of(claims.get(provider.groups_claim)):
        roles = provider.roles.get(group, {})
        yield from ({NAMESPACE_ALL: roles} if isinstance(roles, Role) else roles).items()


def groups_of(claim: Any) -> list[str]:
    """Providers send a list, or one group as a text."""
    groups = [claim] if isinstance(claim, str) else claim
    return [group for group in groups if isinstance(group, str)] if isinstance(groups, list) else []


def text_of(claims: Mapping[str, Any], claim: str) -> str:
    found = claims.get(claim)
    return found.strip() if isinstance(found, str) else ""
