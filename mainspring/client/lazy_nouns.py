"""The nouns of a client, each loaded when it is first used: a program that only enqueues needs none of them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mainspring.client.calls import AsyncCall, SyncCall
    from mainspring.client.nouns.audit import AsyncAudit, Audit
    from mainspring.client.nouns.backfills import AsyncBackfills, Backfills
    from mainspring.client.nouns.calendars import AsyncCalendars, Calendars
    from mainspring.client.nouns.dead_letters import AsyncDead, AsyncSweeps, Dead, Sweeps
    from mainspring.client.nouns.executors import AsyncExecutors, Executors
    from mainspring.client.nouns.jobs import AsyncJobs, Jobs
    from mainspring.client.nouns.namespaces import AsyncNamespaces, Namespaces
    from mainspring.client.nouns.plans import AsyncPlans, Plans
    from mainspring.client.nouns.queues import AsyncQueues, Queues
    from mainspring.client.nouns.tokens import AsyncTokens, Tokens
    from mainspring.client.nouns.triggers import AsyncTriggers, Triggers
    from mainspring.client.nouns.webhooks import AsyncHooks, Hooks

PLACES = {
    "audit": ("audit", "Audit"),
    "backfills": ("backfills", "Backfills"),
    "calendars": ("calendars", "Calendars"),
    "dead": ("dead_letters", "Dead"),
    "executors": ("executors", "Executors"),
    "hooks": ("webhooks", "Hooks"),
    "jobs": ("jobs", "Jobs"),
    "namespaces": ("namespaces", "Namespaces"),
    "plans": ("plans", "Plans"),
    "queues": ("queues", "Queues"),
    "sweeps": ("dead_letters", "Sweeps"),
    "tokens": ("tokens", "Tokens"),
    "triggers": ("triggers", "Triggers"),
}
"""The module of each noun, and its class in a `Client`."""


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
            return load(self, name, "Async")


class Nouns:
    """The nouns of a `Client`."""

    audit: "Audit"
    backfills: "Backfills"
    calendars: "Calendars"
    dead: "Dead"
    executors: "Executors"
    hooks: "Hooks"
    jobs: "Jobs"
    namespaces: "Namespaces"
    plans: "Plans"
    queues: "Queues"
    sweeps: "Sweeps"
    tokens: "Tokens"
    triggers: "Triggers"
    _call: "SyncCall"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return load(self, name, "")


def load(client: Any, name: str, prefix: str) -> Any:
    """Make the client's noun of that name, and keep it there."""
    if name not in PLACES:
        raise AttributeError(f"{type(client).__name__!r} object has no attribute {name!r}", name=name, obj=client)
    module, kind = PLACES[name]
    made = getattr(import_module(f"mainspring.client.nouns.{module}"), f"{prefix}{kind}")(client._call)  # noqa: SLF001
    setattr(client, name, made)
    return made
