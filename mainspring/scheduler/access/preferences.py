"""Operations on what people chose for the console."""

from mainspring.domain.access.preferences import Preferences, check_preferences
from mainspring.store.interface import Store


class PreferenceOperations:
    """What a person or a token chose; no caller sees those of another."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, owner: str) -> Preferences:
        return await self._store.preferences.get(owner)

    async def set(self, owner: str, chosen: Preferences) -> Preferences:
        """Replaces all; raises InvalidInputError."""
        await self._store.preferences.set(owner, check_preferences(chosen))
        return chosen
