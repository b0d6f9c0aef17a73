"""Findings: what is wrong in a namespace now, since when, and what to do. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from mainspring.domain.access.permissions import NAMESPACE_DEFAULT
from mainspring.domain.alerts.alert import Alert, AlertId, AlertState, Breach
from mainspring.domain.alerts.conditions import BUILT_IN, breaches
from mainspring.domain.alerts.findings import Findings
from mainspring.domain.alerts.rule import MINUTE, AlertKind, AlertRule, AlertSpec, Severity

EVERY = "*"
AGES = datetime.max.replace(tzinfo=UTC)
LOOKED_FOR = (
    AlertSpec(kind=AlertKind.RUN_FAILED, job=EVERY, over=60 * MINUTE),
    AlertSpec(kind=AlertKind.NO_EXECUTOR, queue=EVERY, severity=Severity.PAGE),
    AlertSpec(kind=AlertKind.QUEUE_AGE, queue=EVERY, older_than=60 * MINUTE),
    AlertSpec(kind=AlertKind.BUDGET_NEAR, queue=EVERY),
    AlertSpec(kind=AlertKind.TRIGGER_LATE, trigger=EVERY),
    AlertSpec(kind=AlertKind.FIRES_SKIPPED, trigger=EVERY),
    AlertSpec(kind=AlertKind.TRIGGER_PAUSED, trigger=EVERY, severity=Severity.INFO),
    AlertSpec(kind=AlertKind.RUN_LONG, job=EVERY),
    AlertSpec(kind=AlertKind.DEAD_LETTERS, job=EVERY),
    AlertSpec(kind=AlertKind.EXECUTOR_LOST, executor=EVERY),
    AlertSpec(kind=AlertKind.STRAYS, executor=EVERY, severity=Severity.INFO),
    AlertSpec(kind=AlertKind.BREAKER_OPEN, breaker=EVERY),
    AlertSpec(kind=AlertKind.CANARY_STOPPED, job=EVERY),
    AlertSpec(kind=AlertKind.WORKFLOW_STUCK, job=EVERY),
    AlertSpec(kind=AlertKind.SLO_BURN, slo=EVERY),
)
"""Conditions that are looked for in every namespace, whether a rule is about them or not."""
REMEDIES: Mapping[AlertKind, str] = {
    AlertKind.RUN_FAILED: "mainspring dead list --job {name}",
    AlertKind.FAILURE_RATE: "mainspring dead list --job {name}",
    AlertKind.STALE: "mainspring why {name}; mainspring dead list",
    AlertKind.TRIGGER_LATE: "mainspring why {name}; then look at the servers: mainspring servers list",
    AlertKind.FIRES_SKIPPED: "mainspring triggers instants {name}",
    AlertKind.TRIGGER_PAUSED: "mainspring triggers resume {name}",
    AlertKind.QUEUE_AGE: "start more executors for queue {name}, or see its load: mainspring queues show {name}",
    AlertKind.QUEUE_DEPTH: "start more executors for queue {name}, or see its load: mainspring queues show {name}",
    AlertKind.BUDGET_NEAR: "start more executors, or raise the budget: mainspring queues budget {name}",
    AlertKind.NO_EXECUTOR: "start an executor that listens to queue {name}",
    AlertKind.RUN_LONG: "mainspring runs show {run}; mainspring runs cancel {run} ends it",
    AlertKind.DEAD_LETTERS: "mainspring dead list; mainspring dead retry, once the cause is mended",
    AlertKind.EXECUTOR_LOST: "look at its process and its host; its runs were given to others",
    AlertKind.EXECUTORS_FEW: "start more executors for queue {name}",
    AlertKind.SERVERS_FEW: "start more servers: mainspring servers list shows those that are there",
    AlertKind.STRAYS: "mainspring executors show {name}; handlers that do not end by themselves need a restart of it",
    AlertKind.SERVER_LOST: "start it again, or look at its host: mainspring servers list",
    AlertKind.STORE: "mainspring doctor",
    AlertKind.EXPIRING: "mainspring tokens rotate, or renew the certificate",
    AlertKind.BREAKER_OPEN: "mainspring breakers history {name}; once its service is back: mainspring breakers reset {name}",
    AlertKind.CANARY_STOPPED: "mainspring jobs canary {name}; with --end its version gets runs again",
    AlertKind.WORKFLOW_STUCK: "mainspring why {run}",
    AlertKind.CHANNEL_FAILED: "mainspring channels test NAME",
    AlertKind.UNWATCHED: "read the logs of the servers: a task of theirs does not keep up; mainspring servers list shows them",
    AlertKind.SLO_BURN: "mainspring slos show {name}",
    AlertKind.SLO_BUDGET: "mainspring slos show {name}",
}


OF_SUBJECT: Mapping[tuple[AlertKind, str], str] = {
    (AlertKind.RUN_FAILED, "queue"): "mainspring dead list",
    (AlertKind.FAILURE_RATE, "queue"): "mainspring dead list",
    (AlertKind.STALE, "job"): "mainspring runs list --job {name}; mainspring triggers list --job {name}",
}
"""What to do where it depends on what the alert is about."""


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """One finding: an open alert, or a condition that holds without one."""

    kind: AlertKind
    severity: Severity
    subject: str
    words: str
    since_at: datetime | None
    remedy: str
    run: str = ""
    rule: str = ""
    alert: AlertId | None = None
    acked_by: str = ""


def trouble_of(
    namespace: str, rules: Iterable[AlertRule], alerts: Iterable[Alert], findings: Findings
) -> list[Trouble]:
    """The findings of a namespace, the worst and then the oldest first; a condition that has an alert is told once."""
    by_name = {rule.name: rule for rule in rules if rule.namespace == namespace}
    open_ones = [
        one
        for one in alerts
        if one.namespace == namespace and one.rule in by_name and one.state is not AlertState.RESOLVED
    ]
    # An alert keeps the words of its last notice; what holds now is known for all kinds but those with a window of their own.
    now = {
        (name, breach.subject): breach
        for name in {one.rule for one in open_ones}
        for breach in breaches(by_name[name], findings) or ()
    }
    told = [of_alert(one, by_name[one.rule], now.get((one.rule, one.subject))) for one in open_ones]
    known = {(one.kind, one.subject) for one in told}
    found = [
        of_breach(spec, breach)
        for spec in (*LOOKED_FOR, *(BUILT_IN.values() if namespace == NAMESPACE_DEFAULT else ()))
        for breach in breaches_of(namespace, spec, findings)
        if (spec.kind, breach.subject) not in known
    ]
    return sorted([*told, *found], key=urgency)


def breaches_of(namespace: str, spec: AlertSpec, findings: Findings) -> Sequence[Breach]:
    rule = AlertRule(namespace=namespace, name="", spec=spec, updated_at=findings.now)
    return breaches(rule, findings) or ()


def of_alert(alert: Alert, rule: AlertRule, now: Breach | None) -> Trouble:
    return Trouble(
        kind=rule.spec.kind,
        severity=alert.severity,
        subject=alert.subject,
        words=alert.words if now is None else now.words,
        since_at=alert.since_at,
        remedy=rule.spec.runbook or remedy_of(rule.spec.kind, alert.subject, alert.run),
        run=alert.run,
        rule=alert.rule,
        alert=alert.id,
        acked_by=alert.acked_by,
    )


def of_breach(spec: AlertSpec, breach: Breach) -> Trouble:
    return Trouble(
        kind=spec.kind,
        severity=spec.severity,
        subject=breach.subject,
        words=breach.words,
        since_at=breach.since,
        remedy=remedy_of(spec.kind, breach.subject, breach.run),
        run=breach.run,
    )


def remedy_of(kind: AlertKind, subject: str, run: str) -> str:
    """What to do first, with the name of the subject, such as `nightly` of `job nightly`."""
    noun, _, name = subject.partition(" ")
    return (OF_SUBJECT.get((kind, noun)) or REMEDIES[kind]).format(name=name or subject, run=run or "RUN")


def urgency(trouble: Trouble) -> tuple[int, datetime, str]:
    return -list(Severity).index(trouble.severity), trouble.since_at or AGES, trouble.subject
