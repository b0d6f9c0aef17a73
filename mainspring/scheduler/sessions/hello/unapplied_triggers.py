"""Triggers that an executor's code has and the server has not, or not so. Nothing is done about that but to say so."""

from collections.abc import Mapping

from mainspring.domain.triggers.plan import digest_of
from mainspring.store.interface import Store

COMPARED_MAX = 50
"""Of more, the first are an answer as well."""


async def unapplied(store: Store, namespace: str, told: Mapping[str, str]) -> list[str]:
    """Their names. One that people have edited since it was applied is not meant: they know."""
    found: list[str] = []
    for name, digest in sorted(told.items())[:COMPARED_MAX]:
        trigger = await store.triggers.get(namespace, name)
        if trigger is None or digest_of(trigger.applied or trigger.spec) != digest:
            found.append(name)
    return found
