"""Generated from mainspring/client/nouns/tokens.py by `make client-sync`: do not edit."""

from collections.abc import Sequence
from datetime import timedelta

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.tokens import (
    create_token,
    get_token,
    list_tokens,
    revoke_token,
    rotate_token,
)
from mainspring.contract.access import IssuedToken, TokenInfo, TokenPage


class Tokens:
    """`client.tokens` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def create(
        self,
        name: str,
        role: str,
        *,
        namespace: str | None = None,
        queues: Sequence[str] = (),
        expires_in: float | timedelta | None = None,
    ) -> IssuedToken:
        """Make a token for the client's namespace, or for another one, or for all (`*`); it may end after so many seconds."""
        return self._call(create_token(name, role, namespace=namespace, queues=queues, expires_in=expires_in))

    def get(self, token: str) -> TokenInfo:
        return self._call(get_token(token))

    def rotate(self, token: str, *, overlap: float | timedelta = 0) -> IssuedToken:
        """Give a token another secret; the old one stays good for so many seconds."""
        return self._call(rotate_token(token, overlap))

    def revoke(self, token: str) -> TokenInfo:
        return self._call(revoke_token(token))

    def list(
        self, *, role: str | None = None, active: bool = False, limit: int = 50, cursor: str | None = None
    ) -> TokenPage:
        return self._call(list_tokens(role=role, active=active, limit=limit, cursor=cursor))
