"""Users come and go, each by an admin, and audited."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import NAMESPACE_ALL, SYSTEM, Actor, Role
from mainspring.domain.access.sign_in import SignIn, write_invitation
from mainspring.domain.access.token import digest_of
from mainspring.domain.access.user import (
    FIRST_LIFE,
    FIRST_USER,
    INVITATION_LIFE,
    Invitation,
    NewUser,
    User,
    UserChange,
    check_change,
    check_new_user,
    make_user,
    new_user_id,
)
from mainspring.domain.ids import Ids
from mainspring.errors import NotFoundError
from mainspring.scheduler.access.sign_ins import entry_of
from mainspring.store.interface import Store

SHOWN_MAX = 50
NAME_MAX = 100


class Invited(msgspec.Struct, frozen=True):
    """A user with the code of an invitation, which is shown this once."""

    user: User
    code: str
    invitation: Invitation


class UserOperations:
    """An admin's operations on users."""

    def __init__(self, store: Store, clock: Clock, ids: Ids, changed: Callable[[], Awaitable[None]]) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._changed = changed

    async def create(self, wanted: NewUser, *, by: Actor) -> Invited:
        """Raises InvalidInputError, NotFoundError for a namespace, and ConflictError if the name is taken."""
        check_new_user(wanted)
        await self._check_namespaces(wanted)
        now = self._clock.now()
        user = make_user(wanted, new_user_id(self._ids.noise), by=by.name, now=now)
        code, invitation = self._invitation(user.id, INVITATION_LIFE, by)
        entry = entry_of("create", user.name, by, now, {"roles": wanted.roles})
        await self._store.users.create(user, entry, invitation)
        await self._changed()
        return Invited(user, code, invitation)

    async def change(self, name: str, change: UserChange, *, by: Actor) -> User:
        """Raises NotFoundError, and ConflictError for the last admin."""
        check_change(change)
        if change.roles is not None:
            await self._check_namespaces(NewUser(name=name, roles=change.roles))
        before, now = await self.get(name), self._clock.now()
        details = {"before": shown(before), "after": shown(change.apply(before, now))}
        changed = await self._store.users.change(
            name, change, now=now, entry=entry_of("change", name, by, now, details)
        )
        await self._changed()
        return changed

    async def invite(self, name: str, *, by: Actor) -> Invited:
        """A new link to choose a password with; the one before ends."""
        user = await self.get(name)
        code, invitation = self._invitation(user.id, INVITATION_LIFE, by)
        await self._store.users.invite(invitation, entry_of("invite", name, by, self._clock.now()))
        return Invited(user, code, invitation)

    async def invite_first(self) -> str:
        """The code that makes the first admin; empty if there is a user already."""
        if await self._store.users.has_any():
            return ""
        code, invitation = self._invitation(FIRST_USER, FIRST_LIFE, SYSTEM)
        await self._store.users.invite(invitation, entry_of("invite", "", SYSTEM, self._clock.now(), {"first": True}))
        return code

    async def adopt(self, subject: str, wanted: NewUser, *, by: Actor) -> User:
        """The user who signs in elsewhere under that subject, made at the first time; its roles follow the provider's.

        A name that another user has already gets the provider's after it: a name never opens that user's account.
        """
        known, now = await self._store.users.find_subject(subject), self._clock.now()
        if known is None:
            if await self._is_taken(wanted.name):
                wanted = msgspec.structs.replace(wanted, name=f"{wanted.name}@{by.name}"[:NAME_MAX])
            made = make_user(check_new_user(wanted), new_user_id(self._ids.noise), by=by.name, now=now)
            made = msgspec.structs.replace(made, subject=subject)
            await self._store.users.create(made, entry_of("create", made.name, by, now, {"roles": wanted.roles}))
            await self._changed()
            return made
        if dict(known.roles) == dict(wanted.roles):
            return known
        return await self.change(known.name, UserChange(roles=wanted.roles), by=by)

    async def delete(self, name: str, *, by: Actor) -> None:
        """Raises NotFoundError, and ConflictError for the last admin."""
        now = self._clock.now()
        await self._store.users.delete(name, now=now, entry=entry_of("delete", name, by, now))
        await self._changed()

    async def sign_ins(self, name: str) -> list[SignIn]:
        """The latest of a user, those that have ended among them."""
        return await self._store.users.sign_ins((await self.get(name)).id, limit=SHOWN_MAX)

    async def end_sign_ins(self, name: str, *, but: str = "", by: Actor) -> int:
        """End the user's sign-ins everywhere, but for one."""
        user, now = await self.get(name), self._clock.now()
        entry = entry_of("end-sign-ins", name, by, now)
        ended = await self._store.users.end_sign_ins(user.id, but=but, now=now, entry=entry)
        await self._changed()
        return ended

    async def get(self, name: str) -> User:
        """Raises NotFoundError."""
        return await self._store.users.get(name)

    async def _is_taken(self, name: str) -> bool:
        try:
            await self._store.users.get(name)
        except NotFoundError:
            return False
        return True

    async def _check_namespaces(self, wanted: NewUser) -> None:
        known = {each.name for each in await self._store.access.namespaces()} | {NAMESPACE_ALL}
        for namespace in wanted.roles:
            if namespace not in known:
                raise NotFoundError("namespace", namespace)

    def _invitation(self, user: str, life: timedelta, by: Actor) -> tuple[str, Invitation]:
        code, end = write_invitation(self._ids.noise), self._clock.now() + life
        return code, Invitation(digest=digest_of(code), user=user, created_by=by.name, expires_at=end)

    # Last in the class: behind it, `list` names this method.
    async def list(self, *, after: str, limit: int) -> list[User]:
        return await self._store.users.list(after=after, limit=limit)


def shown(user: User) -> dict[str, object]:
    roles: dict[str, Role] = dict(user.roles)
    return {"display_name": user.display_name, "roles": roles, "disabled": not user.is_active}
