"""Tokens and audit entries to test with."""

import os
from datetime import datetime

from mainspring.domain.access.permissions import NAMESPACE_ALL, Actor, AuditEntry, Role
from mainspring.domain.access.token import AccessToken, NewToken, make_token, write_token
from mainspring.store.interface import AuditFilter, Store
from mainspring.testing.clock import START

ANNA = Actor("anna", "a1")


def entry(
    act: str = "token.create", *, at: datetime = START, actor: Actor = ANNA, namespace: str = "", key: str = "k"
) -> AuditEntry:
    return AuditEntry(at=at, actor=actor, namespace=namespace, act=act, kind=act.partition(".")[0], key=key)


def token(
    role: Role = Role.ADMIN,
    namespace: str = NAMESPACE_ALL,
    *,
    name: str = "laptop",
    queues: tuple[str, ...] = (),
    created_at: datetime = START,
    expires_at: datetime | None = None,
) -> AccessToken:
    wanted = NewToken(name=name, role=role, namespace=namespace, queues=queues, expires_at=expires_at)
    return make_token(wanted, write_token(os.urandom), by=ANNA, now=created_at)


async def add(store: Store, *tokens: AccessToken) -> None:
    for each in tokens:
        await store.access.create_tokens([each], [entry(key=each.id)])


async def acts(store: Store) -> list[tuple[str, str]]:
    """What the log says, oldest first."""
    found = await store.access.audit(AuditFilter(limit=1000))
    return [(each.act, each.key) for _, each in reversed(found)]
