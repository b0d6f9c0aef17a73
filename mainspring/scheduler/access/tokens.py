"""Access tokens are made, rotated and revoked, each by an admin, and audited."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import NAMESPACE_ALL, SYSTEM, Actor, AuditEntry, Role, audit_entry
from mainspring.domain.access.token import (
    OVERLAP_MAX,
    AccessToken,
    Grant,
    NewToken,
    check_grantable,
    check_new_token,
    digest_of,
    id_in,
    make_token,
    write_token,
)
from mainspring.domain.ids import Ids
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.store.interface import Store, TokenFilter

Changed = Callable[[], Awaitable[None]]


class Issued(msgspec.Struct, frozen=True):
    """A token with its text, which is shown this once."""

    token: AccessToken
    text: str


class TokenOperations:
    """An admin's operations on tokens; `by` is the admin's own token."""

    def __init__(self, store: Store, clock: Clock, ids: Ids, changed: Changed) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._changed = changed

    async def create(self, wanted: NewToken, *, by: Grant) -> Issued:
        """Raises InvalidInputError, ForbiddenError for more than the maker has, NotFoundError for the namespace."""
        check_grantable(by.token, wanted)
        return await self.create_as(wanted, by=by.actor)

    async def create_as(self, wanted: NewToken, *, by: Actor) -> Issued:
        """The same on behalf of the server itself, or of an operator with access to the database."""
        now = self._clock.now()
        text = write_token(self._ids.noise)
        token = make_token(check_new_token(wanted, now), text, by=by, now=now)
        await self._store.access.create_tokens([token], [created(token, by=by)])
        await self._changed()
        return Issued(token, text)

    async def found(self, kept: Mapping[Role, str]) -> dict[Role, str]:
        """The first tokens of a store that has none, by role; nothing if it has any. Texts that are kept are taken over."""
        now = self._clock.now()
        texts = {role: text if id_in(text) else write_token(self._ids.noise) for role, text in kept.items()}
        tokens = [
            make_token(NewToken(name=f"first {role}", role=role, namespace=NAMESPACE_ALL), text, by=SYSTEM, now=now)
            for role, text in texts.items()
        ]
        entries = [created(token, by=SYSTEM) for token in tokens]
        if not await self._store.access.create_tokens(tokens, entries, first=True):
            return {}
        await self._changed()
        return texts

    async def rotate(self, token: str, *, overlap: timedelta, by: Grant) -> Issued:
        """A new secret; the old one stays good for the overlap, so that no client has to stop."""
        if not timedelta(0) <= overlap <= OVERLAP_MAX:
            raise InvalidInputError("overlap", f"is 0 to {OVERLAP_MAX.days} days", code="bad_overlap")
        found = await self.get(token, by=by)
        now = self._clock.now()
        text = write_token(self._ids.noise, id_in_text=token)
        rotated = await self._store.access.rotate_token(
            token,
            digest_of(text),
            overlap_until=now + overlap,
            now=now,
            entry=entry_of("rotate", found, by=by.actor, now=now, details={"overlap": overlap.total_seconds()}),
        )
        await self._changed()
        return Issued(rotated, text)

    async def revoke(self, token: str, *, by: Grant) -> AccessToken:
        found = await self.get(token, by=by)
        now = self._clock.now()
        entry = entry_of("revoke", found, by=by.actor, now=now, details={"name": found.name})
        revoked = await self._store.access.revoke_token(token, now=now, entry=entry)
        await self._changed()
        return revoked

    async def get(self, token: str, *, by: Grant) -> AccessToken:
        """Raises NotFoundError, also for tokens beyond the admin's reach."""
        for found in await self._store.access.tokens(TokenFilter(id=token)):
            if by.token.reaches(found.namespace):
                return found
        raise NotFoundError("token", token)

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: TokenFilter) -> list[AccessToken]:
        return await self._store.access.tokens(query)


def created(token: AccessToken, *, by: Actor) -> AuditEntry:
    details: dict[str, object] = {
        "name": token.name,
        "role": token.role,
        "namespace": token.namespace,
        "queues": token.queues,
        "expires_at": token.expires_at,
    }
    return entry_of("create", token, by=by, now=token.created_at, details=details)


def entry_of(verb: str, token: AccessToken, *, by: Actor, now: datetime, details: dict[str, object]) -> AuditEntry:
    return audit_entry(
        f"token.{verb}",
        "token",
        token.id,
        details,
        namespace="" if token.namespace == NAMESPACE_ALL else token.namespace,
        actor=by,
        at=now,
    )
