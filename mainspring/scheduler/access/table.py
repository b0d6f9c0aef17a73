"""Grants in memory: checking a token reads no store."""

from collections.abc import Iterable
from datetime import datetime

from mainspring.domain.access.permissions import NAMESPACE_DEFAULT
from mainspring.domain.access.token import AccessToken, Grant, rules_all


class AccessTable:
    """Grants by the hash of the token's text, so that the time of a look-up tells nothing about a secret."""

    def __init__(self) -> None:
        self.namespaces: frozenset[str] = frozenset({NAMESPACE_DEFAULT})
        self._grants: dict[bytes, Grant] = {}
        self._digests: dict[str, list[bytes]] = {}

    def find(self, digest: bytes) -> Grant | None:
        return self._grants.get(digest)

    def put(self, tokens: Iterable[AccessToken]) -> None:
        """Take tokens as they are now; secrets they do not have any more open nothing."""
        for token in tokens:
            self._remove(token.id)
            grants = token.grants()
            self._digests[token.id] = [grant.digest for grant in grants]
            self._grants |= {grant.digest: grant for grant in grants}

    def clear(self) -> None:
        self._grants.clear()
        self._digests.clear()

    def forget(self, *, dead_before: datetime) -> None:
        """Drop the grants that the store drops as well."""
        for token in [grant.token for grant in self._grants.values()]:
            ends = [end for end in (token.revoked_at, token.expires_at) if end is not None]
            if ends and min(ends) < dead_before:
                self._remove(token.id)

    def next_end(self, now: datetime) -> datetime | None:
        """When the next secret expires."""
        ends = (grant.until for grant in self._grants.values() if grant.until is not None)
        return min((end for end in ends if end > now), default=None)

    def has_admin(self, now: datetime) -> bool:
        """Whether any token may still do everything."""
        return any(rules_all(grant.token, now) for grant in self._grants.values())

    def _remove(self, token: str) -> None:
        for digest in self._digests.pop(token, ()):
            self._grants.pop(digest, None)
