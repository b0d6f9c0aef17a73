"""The nouns of a client, each loaded when it is first used: a program that only enqueues needs none of them."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mainspring.client.calls import AsyncCall
    from mainspring.client.nouns.access import AsyncAudit, AsyncNamespaces, AsyncPreferences, AsyncTokens, AsyncUsers
    from mainspring.client.nouns.alerts import AsyncAlertRules, AsyncAlerts, AsyncChannels, AsyncSilences, AsyncSlos
    from mainspring.client.nouns.backfills import AsyncBackfills
    from mainspring.client.nouns.calendars import AsyncCalendars
    from mainspring.client.nouns.dead_letters import AsyncDead, AsyncSweeps
    from mainspring.client.nouns.executors import AsyncExecutors, AsyncServers
    from mainspring.client.nouns.jobs import AsyncJobs
    from mainspring.client.nouns.limits import AsyncBreakers, AsyncLimits
    from mainspring.client.nouns.plans import AsyncPlans
    from mainspring.client.nouns.queues import AsyncInsights, AsyncQueues, AsyncViews
    from mainspring.client.nouns.triggers import AsyncHooks, AsyncTriggers
    from mainspring.client.nouns.workflows import AsyncApprovals, AsyncBatches, AsyncWorkflows

PLACES = {
    "alert_rules": ("mainspring.client.nouns.alerts", "AsyncAlertRules"),
    "alerts": ("mainspring.client.nouns.alerts", "AsyncAlerts"),
    "approvals": ("mainspring.client.nouns.workflows", "AsyncApprovals"),
    "audit": ("mainspring.client.nouns.access", "AsyncAudit"),
    "backfills": ("mainspring.client.nouns.backfills", "AsyncBackfills"),
    "batches": ("mainspring.client.nouns.workflows", "AsyncBatches"),
    "breakers": ("mainspring.client.nouns.limits", "AsyncBreakers"),
    "calendars": ("mainspring.client.nouns.calendars", "AsyncCalendars"),
    "channels": ("mainspring.client.nouns.alerts", "AsyncChannels"),
    "dead": ("mainspring.client.nouns.dead_letters", "AsyncDead"),
    "executors": ("mainspring.client.nouns.executors", "AsyncExecutors"),
    "hooks": ("mainspring.client.nouns.triggers", "AsyncHooks"),
    "insights": ("mainspring.client.nouns.queues", "AsyncInsights"),
    "jobs": ("mainspring.client.nouns.jobs", "AsyncJobs"),
    "limits": ("mainspring.client.nouns.limits", "AsyncLimits"),
    "namespaces": ("mainspring.client.nouns.access", "AsyncNamespaces"),
    "plans": ("mainspring.client.nouns.plans", "AsyncPlans"),
    "preferences": ("mainspring.client.nouns.access", "AsyncPreferences"),
    "queues": ("mainspring.client.nouns.queues", "AsyncQueues"),
    "servers": ("mainspring.client.nouns.executors", "AsyncServers"),
    "silences": ("mainspring.client.nouns.alerts", "AsyncSilences"),
    "slos": ("mainspring.client.nouns.alerts", "AsyncSlos"),
    "sweeps": ("mainspring.client.nouns.dead_letters", "AsyncSweeps"),
    "tokens": ("mainspring.client.nouns.access", "AsyncTokens"),
    "triggers": ("mainspring.client.nouns.triggers", "AsyncTriggers"),
    "users": ("mainspring.client.nouns.access", "AsyncUsers"),
    "views": ("mainspring.client.nouns.queues", "AsyncViews"),
    "workflows": ("mainspring.client.nouns.workflows", "AsyncWorkflows"),
}
"""The module and the class of each noun."""


class AsyncNouns:
    """The nouns of an `AsyncClient`."""

    alert_rules: "AsyncAlertRules"
    alerts: "AsyncAlerts"
    approvals: "AsyncApprovals"
    audit: "AsyncAudit"
    backfills: "AsyncBackfills"
    batches: "AsyncBatches"
    breakers: "AsyncBreakers"
    calendars: "AsyncCalendars"
    channels: "AsyncChannels"
    dead: "AsyncDead"
    executors: "AsyncExecutors"
    hooks: "AsyncHooks"
    insights: "AsyncInsights"
    jobs: "AsyncJobs"
    limits: "AsyncLimits"
    namespaces: "AsyncNamespaces"
    plans: "AsyncPlans"
    preferences: "AsyncPreferences"
    queues: "AsyncQueues"
    servers: "AsyncServers"
    silences: "AsyncSilences"
    slos: "AsyncSlos"
    sweeps: "AsyncSweeps"
    tokens: "AsyncTokens"
    triggers: "AsyncTriggers"
    users: "AsyncUsers"
    views: "AsyncViews"
    workflows: "AsyncWorkflows"
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
