"""Operations on saved views: queries of runs that people keep under names."""

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.insights.saved_view import SavedView, check_view, entry_about
from mainspring.errors import NotFoundError
from mainspring.store.interface import Store


class SavedViewOperations:
    """Each is of one owner: a person or a token, or all of a namespace."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def save(self, namespace: str, owner: str, name: str, query: str, *, actor: Actor) -> SavedView:
        """Add a view, or replace the one of that name; raises InvalidInputError and ConflictError."""
        view = check_view(self._view(namespace, owner, name, query, actor))
        await self._store.saved_views.save(view, entry=entry_about(view, "save", actor))
        return view

    async def delete(self, namespace: str, owner: str, name: str, *, actor: Actor) -> None:
        """Raises NotFoundError."""
        entry = entry_about(self._view(namespace, owner, name, "", actor), "delete", actor)
        if not await self._store.saved_views.delete(namespace, owner, name, entry=entry):
            raise NotFoundError("view", name)

    def _view(self, namespace: str, owner: str, name: str, query: str, actor: Actor) -> SavedView:
        now = self._clock.now()
        return SavedView(namespace=namespace, owner=owner, name=name, query=query, author=actor.name, updated_at=now)

    # Last in the class: behind it, `list` names this method.
    async def list(self, namespace: str, owner: str) -> list[SavedView]:
        """Those of an owner, then those that all of the namespace see."""
        return await self._store.saved_views.list(namespace, owner)
