"""Claims that are undone: the store did not answer, or the executor left before its runs were sent."""

from collections import deque
from collections.abc import Iterable

from mainspring.domain.ids import SessionId, Token
from mainspring.store.interface import Store


class DoubtfulClaims:
    """Claims to put back, in order; each is kept until the store has confirmed it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._claims: deque[tuple[list[SessionId], Token]] = deque()

    def add(self, sessions: Iterable[SessionId], token: Token) -> None:
        self._claims.append((sorted(set(sessions)), token))

    def __bool__(self) -> bool:
        return bool(self._claims)

    async def undo_next(self) -> bool:
        """Put back the runs that the first claim took; True if there were any."""
        sessions, token = self._claims[0]
        count = await self._store.runs.unclaim(sessions, token=token)
        self._claims.popleft()
        return bool(count)
