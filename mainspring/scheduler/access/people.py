"""Users and sign-ins in memory: checking a cookie reads no store."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from mainspring.domain.access.sign_in import SignIn
from mainspring.domain.access.user import User, rules_as_user


class PeopleTable:
    """Sign-ins by the hash of the cookie's text, and users by id."""

    def __init__(self) -> None:
        self._users: dict[str, User] = {}
        self._sign_ins: dict[bytes, SignIn] = {}

    def user(self, user: str) -> User | None:
        return self._users.get(user)

    def find(self, digest: bytes) -> SignIn | None:
        return self._sign_ins.get(digest)

    def put(self, users: Iterable[User], sign_ins: Iterable[SignIn]) -> None:
        """Take users and sign-ins as they are now; a use that this server knows of is not forgotten."""
        self._users |= {user.id: user for user in users}
        for sign_in in sign_ins:
            known = self._sign_ins.get(sign_in.digest)
            seen = sign_in.seen_at if known is None else max(known.seen_at, sign_in.seen_at)
            self._sign_ins[sign_in.digest] = msgspec.structs.replace(sign_in, seen_at=seen)

    def clear(self) -> None:
        self._users.clear()
        self._sign_ins.clear()

    def forget(self, *, dead_before: datetime) -> None:
        """Drop the sign-ins that the store drops as well."""
        for digest, sign_in in list(self._sign_ins.items()):
            if (sign_in.ended_at or sign_in.expires_at) < dead_before:
                del self._sign_ins[digest]

    def has_admin(self) -> bool:
        """Whether any user may still do everything."""
        return any(map(rules_as_user, self._users.values()))
