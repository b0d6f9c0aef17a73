"""The nouns of a client, each loaded when it is first used: a program that only enqueues needs none of them."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mainspring.client.calls import AsyncCall
    from mainspring.client.nouns.audit import AsyncAudit
    from mainspring.client.nouns.backfills import AsyncBackfills
    from mainspring.client.nouns.calendars import AsyncCalendars
    from mainspring.client.nouns.dead_letters import AsyncDead, AsyncSweeps
    from mainspring.client.nouns.executors import AsyncExecutors
    from mainspring.client.nouns.jobs import AsyncJobs
    from mainspring.client.nouns.namespaces import AsyncNamespaces
    from mainspring.client.nouns.plans import AsyncPlans
    from mainspring.client.nouns.queues import AsyncQueues
    from mainspring.client.nouns.tokens import AsyncTokens
    from mainspring.client.nouns.triggers import AsyncTriggers
    from mainspring.client.nouns.webhooks import AsyncHooks

PLACES = {
    "audit": ("mainspring.client.nouns.audit", "AsyncAudit"),
    "backfills": ("mainspring.client.nouns.backfills", "AsyncBackfills"),
    "calendars": ("mainspring.client.nouns.calendars", "AsyncCalendars"),
    "dead": ("mainspring.client.nouns.dead_letters", "AsyncDead"),
    "executors": ("mainspring.client.nouns.executors", "AsyncExecutors"),
    "hooks": ("mainspring.client.nouns.webhooks", "AsyncHooks"),
    "jobs": ("mainspring.client.nouns.jobs", "AsyncJobs"),
    "namespaces": ("mainspring.client.nouns.namespaces", "AsyncNamespaces"),
    "plans": ("mainspring.client.nouns.plans", "AsyncPlans"),
    "queues": ("mainspring.client.nouns.queues", "AsyncQueues"),
    "sweeps": ("mainspring.client.nouns.dead_letters", "AsyncSweeps"),
    "tokens": ("mainspring.client.nouns.tokens", "AsyncTokens"),
    "triggers": ("mainspring.client.nouns.triggers", "AsyncTriggers"),
}
"""The module and the class of each noun."""


class AsyncNouns:
    """The nouns of an `AsyncClient`."""

    audit: "AsyncAudit"
    backfills: "AsyncBackfills"
    calendars: "AsyncCalendars"
    dead: "AsyncDead"
    executors: "AsyncExecutors"
    hooks: "AsyncHooks"
    jobs: "AsyncJobs"
    namespaces: "AsyncNamespaces"
    plans: "AsyncPlans"
    queues: "AsyncQueues"
    sweeps: "AsyncSweeps"
    tokens: "AsyncTokens"
    triggers: "AsyncTriggers"
    _call: "AsyncCall"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return load(self, name, PLACES)


def load(client: Any, name: str, places: Mapping[str, tuple[str, str]]) -> Any:
    """Make the client's noun of that name, and keep it there."""
    if name not in places:
        raise AttributeError(f"{type(client).__name__!r} object has no attribute {name!r}", name=name, obj=client)
    module, kind = places[name]
    made = getattr(import_module(module), kind)(client._call)  # noqa: SLF001
    setattr(client, name, made)
    return made
