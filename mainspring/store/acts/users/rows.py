"""Users, invitations and sign-ins as rows."""

import msgspec

from mainspring.domain.access.permissions import Role
from mainspring.domain.access.sign_in import SignIn
from mainspring.domain.access.user import Invitation, User
from mainspring.store.tx import Row

DIGEST_SIZE = 32
ROLES = msgspec.json.Decoder(dict[str, Role])


def user_values(user: User, *names: str) -> dict[str, object]:
    values = msgspec.structs.asdict(user) | {"roles": msgspec.json.encode(user.roles)}
    return {name: values[name] for name in names} if names else values


def user_row(row: Row) -> User:
    return User(**dict(row) | {"roles": ROLES.decode(row["roles"])})


def invitation_values(invitation: Invitation) -> dict[str, object]:
    values = msgspec.structs.asdict(invitation)
    return values | {"person": values.pop("user")}


def invitation_row(row: Row) -> Invitation:
    return Invitation(
        digest=row["digest"], user=row["person"], created_by=row["created_by"], expires_at=row["expires_at"]
    )


def sign_in_row(row: Row) -> SignIn:
    fields = dict(row)
    if len(fields["digest"]) != DIGEST_SIZE:
        raise ValueError("digest is not a SHA-256")
    return SignIn(user=fields.pop("person"), **fields)
