"""Generated from mainspring/client/lazy_nouns.py by `make client-sync`: do not edit."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mainspring.client.calls import SyncCall
    from mainspring.client.sync.access import Audit, Namespaces, Preferences, Tokens, Users
    from mainspring.client.sync.alerts import AlertRules, Alerts, Channels, Silences, Slos
    from mainspring.client.sync.backfills import Backfills
    from mainspring.client.sync.calendars import Calendars
    from mainspring.client.sync.dead_letters import Dead, Sweeps
    from mainspring.client.sync.executors import Executors, Servers
    from mainspring.client.sync.jobs import Jobs
    from mainspring.client.sync.limits import Breakers, Limits
    from mainspring.client.sync.plans import Plans
    from mainspring.client.sync.queues import Insights, Queues, Views
    from mainspring.client.sync.triggers import Hooks, Triggers
    from mainspring.client.sync.workflows import Approvals, Batches, Workflows
from mainspring.client.lazy_nouns import load

PLACES = {
    "alert_rules": ("mainspring.client.sync.alerts", "AlertRules"),
    "alerts": ("mainspring.client.sync.alerts", "Alerts"),
    "approvals": ("mainspring.client.sync.workflows", "Approvals"),
    "audit": ("mainspring.client.sync.access", "Audit"),
    "backfills": ("mainspring.client.sync.backfills", "Backfills"),
    "batches": ("mainspring.client.sync.workflows", "Batches"),
    "breakers": ("mainspring.client.sync.limits", "Breakers"),
    "calendars": ("mainspring.client.sync.calendars", "Calendars"),
    "channels": ("mainspring.client.sync.alerts", "Channels"),
    "dead": ("mainspring.client.sync.dead_letters", "Dead"),
    "executors": ("mainspring.client.sync.executors", "Executors"),
    "hooks": ("mainspring.client.sync.triggers", "Hooks"),
    "insights": ("mainspring.client.sync.queues", "Insights"),
    "jobs": ("mainspring.client.sync.jobs", "Jobs"),
    "limits": ("mainspring.client.sync.limits", "Limits"),
    "namespaces": ("mainspring.client.sync.access", "Namespaces"),
    "plans": ("mainspring.client.sync.plans", "Plans"),
    "preferences": ("mainspring.client.sync.access", "Preferences"),
    "queues": ("mainspring.client.sync.queues", "Queues"),
    "servers": ("mainspring.client.sync.executors", "Servers"),
    "silences": ("mainspring.client.sync.alerts", "Silences"),
    "slos": ("mainspring.client.sync.alerts", "Slos"),
    "sweeps": ("mainspring.client.sync.dead_letters", "Sweeps"),
    "tokens": ("mainspring.client.sync.access", "Tokens"),
    "triggers": ("mainspring.client.sync.triggers", "Triggers"),
    "users": ("mainspring.client.sync.access", "Users"),
    "views": ("mainspring.client.sync.queues", "Views"),
    "workflows": ("mainspring.client.sync.workflows", "Workflows"),
}


class Nouns:
    """The nouns of a `Client`."""

    alert_rules: "AlertRules"
    alerts: "Alerts"
    approvals: "Approvals"
    audit: "Audit"
    backfills: "Backfills"
    batches: "Batches"
    breakers: "Breakers"
    calendars: "Calendars"
    channels: "Channels"
    dead: "Dead"
    executors: "Executors"
    hooks: "Hooks"
    insights: "Insights"
    jobs: "Jobs"
    limits: "Limits"
    namespaces: "Namespaces"
    plans: "Plans"
    preferences: "Preferences"
    queues: "Queues"
    servers: "Servers"
    silences: "Silences"
    slos: "Slos"
    sweeps: "Sweeps"
    tokens: "Tokens"
    triggers: "Triggers"
    users: "Users"
    views: "Views"
    workflows: "Workflows"
    _call: "SyncCall"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return load(self, name, PLACES)
