"""Namespaces come and go; each change is written down."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.access.permissions import (
    DESCRIPTION_MAX,
    NAMESPACE_DEFAULT,
    PLAIN,
    Actor,
    AuditEntry,
    Namespace,
    audit_entry,
    check_namespace_name,
)
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.store.interface import Store

NOTHING: Mapping[str, object] = {}


class NamespaceOperations:
    """An admin's operations on namespaces."""

    def __init__(self, store: Store, clock: Clock, changed: Callable[[], Awaitable[None]]) -> None:
        self._store = store
        self._clock = clock
        self._changed = changed

    async def create(self, name: str, *, description: str = "", by: Actor) -> Namespace:
        """Raises ConflictError if there is one of that name."""
        check_namespace_name(name)
        if len(description) > DESCRIPTION_MAX or not PLAIN.fullmatch(description):
            reason = f"is one line of at most {DESCRIPTION_MAX} characters"
            raise InvalidInputError("description", reason, code="bad_description")
        made = Namespace(name=name, description=description, created_at=self._clock.now())
        details = {"description": description}
        await self._store.access.create_namespace(made, entry_of("create", name, by, self._clock.now(), details))
        await self._changed()
        return made

    async def delete(self, name: str, *, by: Actor) -> None:
        """Raises NotFoundError, and ConflictError for the default namespace and one that is not empty."""
        if name == NAMESPACE_DEFAULT:
            raise ConflictError("namespace", name, "is always there: it cannot be deleted")
        now = self._clock.now()
        await self._store.access.delete_namespace(name, now=now, entry=entry_of("delete", name, by, now))
        await self._changed()

    async def get(self, name: str) -> Namespace:
        """Raises NotFoundError."""
        found = next((each for each in await self.list() if each.name == name), None)
        if found is None:
            raise NotFoundError("namespace", name)
        return found

    # Last in the class: behind it, `list` names this method.
    async def list(self) -> list[Namespace]:
        return await self._store.access.namespaces()


def entry_of(verb: str, name: str, by: Actor, now: datetime, details: Mapping[str, object] = NOTHING) -> AuditEntry:
    return audit_entry(f"namespace.{verb}", "namespace", name, details, namespace=name, actor=by, at=now)
