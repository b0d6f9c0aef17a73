"""Entries of the audit log that may explain what a chart shows."""

from mainspring.domain.access.permissions import AuditEntry

MARKS = ("change", "pause", "resume", "drain", "guard")
KINDS = {
    "job.define": "change",
    "job.register": "change",
    "job.rollback": "change",
    "trigger.define": "change",
    "trigger.apply": "change",
    "trigger.delete": "change",
    "queue.change": "change",
    "executor.resize": "change",
    "limit.set": "change",
    "limit.delete": "change",
    "job.pause": "pause",
    "queue.pause": "pause",
    "trigger.pause": "pause",
    "namespace.pause": "pause",
    "maintenance.on": "pause",
    "job.resume": "resume",
    "queue.resume": "resume",
    "trigger.resume": "resume",
    "namespace.resume": "resume",
    "maintenance.off": "resume",
    "executor.drain": "drain",
    "executor.cordon": "drain",
    "executor.uncordon": "resume",
    "server.drain": "drain",
    "server.resume": "resume",
    "breaker.force_open": "guard",
    "breaker.disable": "guard",
    "breaker.watch_only": "guard",
    "breaker.reset": "guard",
}
"""Kinds of marks by the act."""


def mark_of(entry: AuditEntry) -> str | None:
    """The kind of mark that an entry makes; None: it explains nothing."""
    return KINDS.get(entry.act)
