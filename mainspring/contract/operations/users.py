"""Operations of users and sign-ins, and their bodies."""

from types import NoneType
from typing import Annotated, Literal

import msgspec

from mainspring.contract.access import (
    InvitationInfo,
    InvitedUser,
    ProviderList,
    SignedInInfo,
    SignInPage,
    UserInfo,
    UserPage,
)
from mainspring.contract.base.fields import PageLimit, like
from mainspring.contract.base.operation import Operation, Query
from mainspring.domain.access.permissions import NAMESPACE, PLAIN, Permission
from mainspring.domain.access.user import DISPLAY_NAME_MAX, PASSWORD_MAX, PASSWORD_MIN, ROLES_MAX, USER_NAME

UserName = Annotated[str, msgspec.Meta(max_length=100, pattern=f"^{USER_NAME.pattern}$")]
DisplayName = Annotated[str, msgspec.Meta(max_length=DISPLAY_NAME_MAX, pattern=f"^{PLAIN.pattern}$")]
RoleNamespace = Annotated[str, msgspec.Meta(pattern=rf"^(\*|{NAMESPACE.pattern})$")]
UserRole = Literal["viewer", "operator", "editor", "admin"]
Roles = Annotated[dict[RoleNamespace, UserRole], msgspec.Meta(min_length=1, max_length=ROLES_MAX)]
NewPassword = Annotated[str, msgspec.Meta(min_length=PASSWORD_MIN, max_length=PASSWORD_MAX)]
AnyPassword = Annotated[str, msgspec.Meta(min_length=1, max_length=PASSWORD_MAX)]
InvitationCode = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class SignInBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A name and a password, or a token instead."""

    name: Annotated[str, msgspec.Meta(max_length=100)] = ""
    password: Annotated[str, msgspec.Meta(max_length=PASSWORD_MAX)] = ""
    token: Annotated[str, msgspec.Meta(max_length=500)] = ""


class InvitationBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    code: InvitationCode


class AcceptBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A password, with the code of an invitation; the first admin chooses a name as well."""

    code: InvitationCode
    name: Annotated[str, msgspec.Meta(max_length=100)] = ""
    password: NewPassword


class PasswordBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    old: AnyPassword
    new: NewPassword


class NewUserBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A user to make; roles by namespace, `*` for all of them."""

    name: UserName
    display_name: DisplayName = ""
    roles: Roles


class UserChangeBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Fields to change; those left out stay as they are."""

    display_name: DisplayName | None = None
    roles: Roles | None = None
    disabled: bool | None = None


class EndSignInsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    others: bool = False
    """Keep the sign-in that asks."""


class UserQuery(Query):
    limit: PageLimit = 50
    cursor: Annotated[str, like(f"^{USER_NAME.pattern}$")] | None = None


class GoQuery(Query):
    then: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    """Page of the console to show afterwards."""


class ReturnQuery(Query):
    """What a provider sends with the browser; other parameters of it are ignored."""

    state: Annotated[str, msgspec.Meta(max_length=200)] = ""
    code: Annotated[str, msgspec.Meta(max_length=4000)] = ""
    error: Annotated[str, msgspec.Meta(max_length=200)] = ""


SIGN_IN = Operation(
    "sign_in",
    "POST /api/v1/sign-in",
    Permission.OPEN,
    "Sign a browser in with a password or a token; the answer sets its cookie.",
    SignedInInfo,
    body=SignInBody,
    tag="users",
)
LIST_PROVIDERS = Operation(
    "list_providers",
    "GET /api/v1/sign-in/providers",
    Permission.OPEN,
    "List the identity providers where people may sign in.",
    ProviderList,
    tag="users",
)
GO_TO_PROVIDER = Operation(
    "go_to_provider",
    "GET /api/v1/sign-in/providers/{provider}",
    Permission.OPEN,
    "Send the browser to an identity provider.",
    NoneType,
    query=GoQuery,
    tag="users",
    documented=False,
)
RETURN_FROM_PROVIDER = Operation(
    "return_from_provider",
    "GET /api/v1/sign-in/providers/{provider}/return",
    Permission.OPEN,
    "Take the browser back from an identity provider, and sign it in.",
    NoneType,
    query=ReturnQuery,
    tag="users",
    documented=False,
)
SIGN_OUT = Operation(
    "sign_out",
    "DELETE /api/v1/sign-in",
    Permission.NAMESPACES_READ,
    "End the sign-in whose cookie is shown.",
    NoneType,
    tag="users",
)
CHANGE_PASSWORD = Operation(
    "change_password",
    "PUT /api/v1/sign-in/password",
    Permission.NAMESPACES_READ,
    "Change the caller's own password, and end the caller's other sign-ins.",
    NoneType,
    body=PasswordBody,
    tag="users",
)
SHOW_INVITATION = Operation(
    "show_invitation",
    "POST /api/v1/invitations/show",
    Permission.OPEN,
    "Get the user whom an invitation is for.",
    InvitationInfo,
    body=InvitationBody,
    tag="users",
)
ACCEPT_INVITATION = Operation(
    "accept_invitation",
    "POST /api/v1/invitations/accept",
    Permission.OPEN,
    "Choose a password with an invitation, once, and sign in.",
    SignedInInfo,
    body=AcceptBody,
    tag="users",
)
LIST_USERS = Operation(
    "list_users",
    "GET /api/v1/users",
    Permission.USERS_READ,
    "List users by name.",
    UserPage,
    query=UserQuery,
)
CREATE_USER = Operation(
    "create_user",
    "POST /api/v1/users",
    Permission.USERS_WRITE,
    "Create a user. Only this answer contains the code of the invitation.",
    InvitedUser,
    status=201,
    body=NewUserBody,
)
GET_USER = Operation("get_user", "GET /api/v1/users/{name}", Permission.USERS_READ, "Get a user.", UserInfo)
CHANGE_USER = Operation(
    "change_user",
    "PATCH /api/v1/users/{name}",
    Permission.USERS_WRITE,
    "Change a user's roles or display name, or disable the user.",
    UserInfo,
    body=UserChangeBody,
)
DELETE_USER = Operation(
    "delete_user",
    "DELETE /api/v1/users/{name}",
    Permission.USERS_WRITE,
    "Delete a user, and end the user's sign-ins.",
    NoneType,
)
INVITE_USER = Operation(
    "invite_user",
    "POST /api/v1/users/{name}/invite",
    Permission.USERS_WRITE,
    "Make a new invitation, with which a user chooses a password. The one before ends.",
    InvitedUser,
)
LIST_SIGN_INS = Operation(
    "list_sign_ins",
    "GET /api/v1/users/{name}/sign-ins",
    Permission.USERS_READ,
    "List the latest sign-ins of a user.",
    SignInPage,
)
END_SIGN_INS = Operation(
    "end_sign_ins",
    "POST /api/v1/users/{name}/sign-ins/end",
    Permission.USERS_WRITE,
    "End the sign-ins of a user on all servers.",
    NoneType,
    body=EndSignInsBody,
    body_optional=True,
)
