"""Creates a token in the database itself, for an operator who has lost all tokens."""

import asyncio
import getpass
import socket
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

import msgspec

from mainspring.clock import SystemClock
from mainspring.contract.access import IssuedToken, TokenInfo
from mainspring.domain.access.permissions import Actor, Role
from mainspring.domain.access.token import NewToken
from mainspring.domain.ids import Ids
from mainspring.scheduler.access.cache import AccessCache
from mainspring.scheduler.facts import Facts
from mainspring.settings import SchedulerSettings
from mainspring.store import open_store


def create_directly(
    url: str, name: str, role: str, *, namespace: str, queues: Sequence[str], expires_in: timedelta | None
) -> IssuedToken:
    expires_at = None if expires_in is None else SystemClock().now() + expires_in
    wanted = NewToken(name=name, role=Role(role), namespace=namespace, queues=tuple(queues), expires_at=expires_at)
    return asyncio.run(create(url, wanted))


async def create(url: str, wanted: NewToken) -> IssuedToken:
    """The audit entry of the new token, under the operating system's user name."""
    store = await open_store(url)
    clock = SystemClock()
    try:
        await store.check_schema()
        access = AccessCache(store, SchedulerSettings(), clock, Ids(), Facts())
        issued = await access.tokens.create_as(wanted, by=Actor(f"{person()} at the database"))
    finally:
        await store.close()
    known = msgspec.structs.asdict(issued.token) | {"state": issued.token.state(clock.now())}
    return IssuedToken(
        issued.text, TokenInfo(**{name: known[name] for name in TokenInfo.__struct_fields__ if name in known})
    )


def person() -> str:
    user = "somebody"
    with suppress(OSError, KeyError):
        user = getpass.getuser()
    return f"{user}@{socket.gethostname()}"
