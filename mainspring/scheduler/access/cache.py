"""Who may come in: read again whenever something changed, and asked on every call.

Here a change counts at once. Other servers hear of it by a hint, and find it by their poll if that was lost.
"""

import asyncio
from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import NAMESPACE, AuditEntry
from mainspring.domain.access.sign_in import SignIn, sign_in_id
from mainspring.domain.access.token import Grant, digest_of, id_in
from mainspring.domain.access.user import grant_for
from mainspring.domain.ids import Ids
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import AccessDeniedError, NotFoundError, UnavailableError
from mainspring.scheduler.access.namespaces import NamespaceOperations
from mainspring.scheduler.access.passwords import Passwords
from mainspring.scheduler.access.people import PeopleTable
from mainspring.scheduler.access.preferences import PreferenceOperations
from mainspring.scheduler.access.saved_views import SavedViewOperations
from mainspring.scheduler.access.sign_ins import SignInOperations
from mainspring.scheduler.access.table import AccessTable
from mainspring.scheduler.access.tokens import TokenOperations
from mainspring.scheduler.access.users import UserOperations
from mainspring.scheduler.facts import AccessChanged, AccessRead, Facts, HintReceived
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import AuditFilter, Store

POLL_MAX = 1.0
PERIOD_MIN = 0.05
USE_EVERY = timedelta(minutes=1)
"""How exactly the last use of a token is known."""
FORGET_EVERY = 3600.0
# So many cannot be all new.
REFRESHES_MAX = 20
"""In a second, for tokens and namespaces that are not known."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class AccessCache:
    """Knows tokens and namespaces as the store has them, and when each token was used."""

    name = "keep_access"

    def __init__(self, store: Store, settings: SchedulerSettings, clock: Clock, ids: Ids, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = self._poll = min(settings.poll, POLL_MAX)
        self.table = AccessTable()
        self.tokens = TokenOperations(store, clock, ids, self.changed)
        self.namespaces = NamespaceOperations(store, clock, self.changed)
        self.people = PeopleTable()
        self.saved_views = SavedViewOperations(store, clock)
        self.preferences = PreferenceOperations(store)
        self.users = UserOperations(store, clock, ids, self.changed)
        self.sign_ins = SignInOperations(store, clock, ids, Passwords(ids.noise), self.changed)
        self._store = store
        self._clock = clock
        self._retention = timedelta(days=settings.retention_days)
        self._version = 0
        self._reading = asyncio.Lock()
        self._second = clock.monotonic()
        self._refreshes = 0
        self._forget_at = clock.monotonic()
        self._uses: dict[str, datetime] = {}
        self._seen: dict[str, datetime] = {}
        self._note_at: dict[str, datetime] = {}
        self._facts = facts
        facts.subscribe(HintReceived, self._hinted)

    async def tick(self) -> bool:
        await self._read()
        await self._write_uses()
        await self._forget()
        return False

    async def admit(self, text: str) -> Grant:
        """The grant of a token; raises AccessDeniedError."""
        grant = self.table.find(digest := digest_of(text))
        if grant is None and id_in(text) is not None:
            # It may have been made on another server a moment ago.
            await self._refresh()
            grant = self.table.find(digest)
        if grant is None:
            raise AccessDeniedError("this token is not known here", code="token_unknown")
        now = self._clock.now()
        if (denial := grant.denial(now)) is not None:
            raise denial
        self.note_use(grant, now)
        return grant

    async def admit_sign_in(self, text: str) -> SignIn:
        """The sign-in of a cookie; raises AccessDeniedError."""
        digest, now = digest_of(text), self._clock.now()
        found = self.people.find(digest)
        if found is None and sign_in_id(text) is not None:
            await self._refresh()
            found = self.people.find(digest)
        if found is None:
            raise AccessDeniedError("this sign-in is not known here: sign in again", code="sign_in_unknown")
        if found.until <= now < found.expires_at and found.ended_at is None:
            # It may have been used on another server all the while.
            latest = await self._store.users.find_sign_in(found.id)
            self.people.put([], [found if latest is None else latest])
            found = self.people.find(digest) or found
        if (denial := found.denial(now)) is not None:
            raise denial
        if now >= self._note_at.get(found.id, LONG_AGO):
            self._note_at[found.id], self._seen[found.id] = now + USE_EVERY, now
            self.people.put([], [msgspec.structs.replace(found, seen_at=now)])
        return found

    def grant_of_sign_in(self, sign_in: SignIn, *, asked: str | None) -> Grant:
        """The rights of a sign-in in a namespace; raises AccessDeniedError and ForbiddenError."""
        if sign_in.token:
            grant = self.table.find(sign_in.token)
            if grant is None or grant.denial(self._clock.now()) is not None:
                raise AccessDeniedError("the token of this sign-in opens nothing any more", code="sign_in_ended")
            return msgspec.structs.replace(grant, sign_in=sign_in.digest)
        user = self.people.user(sign_in.user)
        if user is None or not user.is_active:
            raise AccessDeniedError("this user may not sign in", code="sign_in_ended")
        return grant_for(user, sign_in.id, sign_in.digest, sign_in.until, asked=asked)

    def denial(self, grant: Grant) -> AccessDeniedError | None:
        """Why a caller who was let in before may not stay."""
        if grant.sign_in and (denial := self._sign_in_denial(grant)) is not None:
            return denial
        if grant.fixed or grant.roles:
            return None
        found = self.table.find(grant.digest)
        if found is None:
            return AccessDeniedError(f"token {grant.token.id} is not known any more", code="token_unknown")
        return found.denial(self._clock.now())

    def _sign_in_denial(self, grant: Grant) -> AccessDeniedError | None:
        found = self.people.find(grant.sign_in)
        user = None if found is None else self.people.user(found.user)
        if found is None or (grant.roles and (user is None or user.roles != grant.roles or not user.is_active)):
            return AccessDeniedError("this sign-in opens nothing any more", code="sign_in_ended")
        return found.denial(self._clock.now())

    def note_use(self, grant: Grant, now: datetime) -> None:
        token = grant.token.id
        if now >= self._note_at.get(token, LONG_AGO) and not grant.fixed:
            self._note_at[token] = now + USE_EVERY
            self._uses[token] = now

    def has_admin(self) -> bool:
        """Whether any token or user may still do everything."""
        return self.table.has_admin(self._clock.now()) or self.people.has_admin()

    async def check_namespace(self, name: str) -> None:
        """Raises NotFoundError, saying how to make it, unless there is such a namespace."""
        if name in self.table.namespaces:
            return
        await self._refresh()
        if name not in self.table.namespaces:
            close = did_you_mean(name, self.table.namespaces)
            # No command is advised that would be refused, or that carries the control characters of a stranger.
            advice = f"make it with 'mainspring namespaces create {name}'" if NAMESPACE.fullmatch(name) else ""
            raise NotFoundError("namespace", name, f"{advice}{close}".removeprefix("; "))

    async def audit(self, query: AuditFilter) -> list[tuple[int, AuditEntry]]:
        return await self._store.access.audit(query)

    async def changed(self) -> None:
        """Take in a change made through this server."""
        # It is committed, so the caller must not be told otherwise.
        try:
            await self._read()
        except UnavailableError:
            self.wake.set()
        self._facts.publish(AccessChanged())

    async def _refresh(self) -> None:
        """Read again, unless that was done too often."""
        # Guessing tokens must not keep the store busy.
        now = self._clock.monotonic()
        if now - self._second >= 1.0:
            self._second, self._refreshes = now, 0
        self._refreshes += 1
        if self._refreshes <= REFRESHES_MAX:
            await self._read()

    async def _read(self) -> None:
        # One at a time: an answer that was overtaken must not bring back what is revoked.
        async with self._reading:
            changes = await self._store.access.changes(since=self._version)
            if changes.version < self._version:
                # The database was brought back to an earlier state, and what is known of it is not true any more.
                changes = await self._store.access.changes(since=0)
                self.table.clear()
                self.people.clear()
            self._version = changes.version
            self.table.put(changes.tokens)
            self.people.put(changes.users, changes.sign_ins)
            if changes.namespaces is not None:
                self.table.namespaces = frozenset(changes.namespaces)
        self._be_awake_for_the_next_end()
        self._facts.publish(AccessRead())

    def _hinted(self, hint: HintReceived) -> None:
        if hint.lines is None:
            self.wake.set()

    def _be_awake_for_the_next_end(self) -> None:
        now = self._clock.now()
        end = self.table.next_end(now)
        left = self._poll if end is None else (end - now).total_seconds()
        self.period = max(PERIOD_MIN, min(self._poll, left))

    async def _write_uses(self) -> None:
        uses = dict(self._uses)
        if uses:
            await self._store.access.note_uses(uses)
            self._uses = {token: at for token, at in self._uses.items() if uses.get(token) != at}
        if seen := dict(self._seen):
            await self._store.users.note_seen(seen)
            self._seen = {sign_in: at for sign_in, at in self._seen.items() if seen.get(sign_in) != at}

    async def _forget(self) -> None:
        if self._clock.monotonic() < self._forget_at:
            return
        before = self._clock.now() - self._retention
        self.table.forget(dead_before=before)
        self.people.forget(dead_before=before)
        self._forget_at = self._clock.monotonic() + FORGET_EVERY
