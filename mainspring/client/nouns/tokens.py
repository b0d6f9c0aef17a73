"""Access tokens, for admins."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from mainspring.client.calls import AsyncCall, given, part
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.contract.access import IssuedToken, TokenInfo, TokenPage

PATH = "/api/v1/tokens"


class NewToken(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    role: str
    namespace: str | None = None
    queues: Sequence[str] = ()
    expires_in: float | None = None


def create_token(
    name: str, role: str, *, namespace: str | None, queues: Sequence[str], expires_in: float | timedelta | None
) -> Request[IssuedToken]:
    seconds = expires_in.total_seconds() if isinstance(expires_in, timedelta) else expires_in
    wanted = NewToken(name=name, role=role, namespace=namespace, queues=tuple(queues), expires_in=seconds)
    return Request("POST", PATH, _issued, body=json_bytes(wanted))


def get_token(token: str) -> Request[TokenInfo]:
    return Request("GET", f"{PATH}/{part(token)}", _token)


def list_tokens(*, role: str | None, active: bool, limit: int, cursor: str | None) -> Request[TokenPage]:
    params = given(role=role, active="true" if active else None, limit=str(limit), cursor=cursor)
    return Request("GET", PATH, _page, params=params)


def rotate_token(token: str, overlap: float | timedelta) -> Request[IssuedToken]:
    seconds = overlap.total_seconds() if isinstance(overlap, timedelta) else overlap
    return Request("POST", f"{PATH}/{part(token)}/rotate", _issued, body=json_bytes({"overlap": seconds}))


def revoke_token(token: str) -> Request[TokenInfo]:
    return Request("POST", f"{PATH}/{part(token)}/revoke", _token)


class AsyncTokens:
    """`client.tokens` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(
        self,
        name: str,
        role: str,
        *,
        namespace: str | None = None,
        queues: Sequence[str] = (),
        expires_in: float | timedelta | None = None,
    ) -> IssuedToken:
        """Make a token for the client's namespace, or for another one, or for all (`*`); it may end after so many seconds."""
        return await self._call(create_token(name, role, namespace=namespace, queues=queues, expires_in=expires_in))

    async def get(self, token: str) -> TokenInfo:
        return await self._call(get_token(token))

    async def rotate(self, token: str, *, overlap: float | timedelta = 0) -> IssuedToken:
        """Give a token another secret; the old one stays good for so many seconds."""
        return await self._call(rotate_token(token, overlap))

    async def revoke(self, token: str) -> TokenInfo:
        return await self._call(revoke_token(token))

    async def list(
        self, *, role: str | None = None, active: bool = False, limit: int = 50, cursor: str | None = None
    ) -> TokenPage:
        return await self._call(list_tokens(role=role, active=active, limit=limit, cursor=cursor))


_token = msgspec.json.Decoder(TokenInfo).decode
_issued = msgspec.json.Decoder(IssuedToken).decode
_page = msgspec.json.Decoder(TokenPage).decode
