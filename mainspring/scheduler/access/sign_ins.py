"""People sign in with a password, a token or an invitation, and sign out."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import NAMESPACE_ALL, Actor, AuditEntry, Role, audit_entry
from mainspring.domain.access.sign_in import SIGN_IN_LIFE, Browser, SignIn, csrf_of, sign_in_id, write_sign_in
from mainspring.domain.access.token import Grant, digest_of
from mainspring.domain.access.user import (
    USER_NAME,
    Invitation,
    NewUser,
    User,
    check_new_user,
    check_password,
    make_user,
    new_user_id,
)
from mainspring.domain.ids import Ids
from mainspring.errors import AccessDeniedError, ConflictError, NotFoundError, TooManyTriesError
from mainspring.scheduler.access.passwords import Passwords
from mainspring.store.interface import Store

NOTHING: Mapping[str, object] = {}
REFUSED = "name or password is wrong"
INVITATION_GONE = "this link was used, has run out, or is not complete: ask for another one"


class SignedIn(msgspec.Struct, frozen=True):
    """A new sign-in with the text of its cookie, which is shown this once."""

    sign_in: SignIn
    text: str

    @property
    def csrf(self) -> str:
        return csrf_of(self.text)


class SignInOperations:
    """What a person does with the sign-in page and the own account."""

    def __init__(
        self, store: Store, clock: Clock, ids: Ids, passwords: Passwords, changed: Callable[[], Awaitable[None]]
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._passwords = passwords
        self._changed = changed

    async def with_password(self, name: str, password: str, browser: Browser) -> SignedIn:
        """Raises AccessDeniedError, which does not say what was wrong, and TooManyTriesError."""
        keys = await self._count_try(name, browser)
        user = await self._find(name)
        good = await self._passwords.matches(password, "" if user is None else user.password)
        if user is None or not good or not user.is_active:
            await self._refuse(name, browser)
        assert user is not None
        if self._passwords.is_outdated(user.password):
            await self._store.users.rehash(user, await self._passwords.hash(password))
        return await self._begin(user.name, browser, user=user.id, keys=keys)

    async def with_token(self, grant: Grant, browser: Browser) -> SignedIn:
        """A sign-in that opens what the token opens. Raises AccessDeniedError for an executor's."""
        if grant.token.role is Role.EXECUTOR:
            raise AccessDeniedError(
                "this token is for executors: people need one of another role", code="sign_in_refused"
            )
        return await self._begin(grant.token.name, browser, token=grant.digest, until=grant.until)

    async def for_subject(self, user: User, browser: Browser) -> SignedIn:
        """A sign-in of a person whom an identity provider has vouched for; raises AccessDeniedError for a disabled user."""
        if not user.is_active:
            await self._refuse(user.name, browser)
        return await self._begin(user.name, browser, user=user.id)

    async def show_invitation(self, code: str) -> tuple[str, datetime]:
        """The name of the invited user, empty for the first admin, and the end; raises NotFoundError."""
        invitation, user = await self._invitation(code)
        return "" if user is None else user.name, invitation.expires_at

    async def accept(self, code: str, name: str, password: str, browser: Browser) -> SignedIn:
        """Choose a password with an invitation, and sign in; `name` is that of a first admin."""
        _, user = await self._invitation(code)
        now = self._clock.now()
        first = user is None
        if user is None:
            wanted = check_new_user(NewUser(name=name, roles={NAMESPACE_ALL: Role.ADMIN}))
            user = make_user(wanted, new_user_id(self._ids.noise), by=name, now=now)
        check_password(password, user.name)
        kept = msgspec.structs.replace(user, password=await self._passwords.hash(password), password_at=now)
        made, text = self._make(browser, user=user.id)
        actor = Actor(user.name, made.id)
        entries = [entry_of("accept", user.name, actor, now, {"first": first}), began(made, user.name, actor)]
        accepted = await self._store.users.accept(
            digest_of(code), kept, made, tries=[key_of(user.name)], now=now, entries=entries
        )
        if not accepted:
            raise NotFoundError("invitation", "", INVITATION_GONE)
        await self._changed()
        return SignedIn(made, text)

    async def change_password(self, grant: Grant, old: str, new: str, browser: Browser) -> None:
        """Raises AccessDeniedError for a wrong old password; every other sign-in of the user is ended."""
        if not grant.roles:
            raise ConflictError("user", grant.token.name, "is a token, which has no password: rotate it instead")
        user = await self._store.users.get(grant.token.name)
        keys = await self._count_try(user.name, browser)
        if not await self._passwords.matches(old, user.password):
            await self._refuse(user.name, browser)
        check_password(new, user.name)
        now = self._clock.now()
        entry = entry_of("password", user.name, grant.actor, now)
        kept = await self._passwords.hash(new)
        await self._store.users.set_password(user, kept, but=grant.token.id, tries=keys, now=now, entry=entry)
        await self._changed()

    async def end(self, grant: Grant, text: str) -> None:
        """Sign out; a caller without a cookie has nothing to end."""
        sign_in = sign_in_id(text)
        if sign_in is None:
            return
        now = self._clock.now()
        entry = entry_of("sign-out", grant.token.name, grant.actor, now)
        await self._store.users.end_sign_in(sign_in, now=now, entry=entry)
        await self._changed()

    async def _count_try(self, name: str, browser: Browser) -> list[str]:
        now = self._clock.now()
        own = key_of(name)
        keys = [own, *([f"address {browser.address}"] if browser.address else [])]
        until = await self._store.users.count_try(keys, now=now)
        if until is not None:
            raise TooManyTriesError((until - now).total_seconds())
        return [own]

    async def _find(self, name: str) -> User | None:
        try:
            return await self._store.users.get(name)
        except NotFoundError:
            return None

    async def _refuse(self, name: str, browser: Browser) -> None:
        shown = name if USER_NAME.fullmatch(name) else ""
        entry = entry_of("refuse", shown, Actor(shown), self._clock.now(), {"address": browser.address})
        await self._store.access.append_audit(entry)
        raise AccessDeniedError(REFUSED, code="sign_in_refused")

    async def _invitation(self, code: str) -> tuple[Invitation, User | None]:
        found = await self._store.users.find_invitation(digest_of(code), now=self._clock.now())
        if found is None or (found[0].user and found[1] is None):
            raise NotFoundError("invitation", "", INVITATION_GONE)
        return found

    async def _begin(
        self,
        name: str,
        browser: Browser,
        *,
        user: str = "",
        token: bytes = b"",
        until: datetime | None = None,
        keys: list[str] | None = None,
    ) -> SignedIn:
        made, text = self._make(browser, user=user, token=token, until=until)
        await self._store.users.sign_in(made, keys or [], began(made, name, Actor(name, made.id)))
        await self._changed()
        return SignedIn(made, text)

    def _make(
        self, browser: Browser, *, user: str = "", token: bytes = b"", until: datetime | None = None
    ) -> tuple[SignIn, str]:
        now, text = self._clock.now(), write_sign_in(self._ids.noise)
        end = now + SIGN_IN_LIFE
        made = SignIn(
            id=sign_in_id(text) or "",
            digest=digest_of(text),
            user=user,
            token=token,
            address=browser.address,
            browser=browser.name,
            created_at=now,
            expires_at=end if until is None else min(end, until),
            seen_at=now,
        )
        return made, text


def key_of(name: str) -> str:
    """The key under which the tries of a name are counted."""
    return f"name {name[:100]}"


def began(made: SignIn, name: str, actor: Actor) -> AuditEntry:
    details = {"address": made.address, "browser": made.browser, "by_token": not made.user}
    return entry_of("sign-in", name, actor, made.created_at, details)


def entry_of(verb: str, name: str, by: Actor, now: datetime, details: Mapping[str, object] = NOTHING) -> AuditEntry:
    return audit_entry(f"user.{verb}", "user", name, details, namespace="", actor=by, at=now)
