"""Decides how alerts change, from the conditions that hold now. Pure: facts in, transitions out."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from fnmatch import fnmatchcase

import msgspec

from mainspring.domain.alerts.alert import (
    RULE_DELETED,
    Alert,
    AlertId,
    AlertState,
    Breach,
    NoticeKind,
    NoticeTo,
    Silence,
    Transition,
)
from mainspring.domain.alerts.rule import AlertRule, Severity

# Two evaluations, so that it does not flap.
RECOVER_AFTER = timedelta(seconds=20)
"""How long a condition must be gone before its alert resolves."""
REPEAT_FIRST, REPEAT_MAX = timedelta(hours=4), timedelta(days=1)

NewId = Callable[[], AlertId]
Key = tuple[str, str, str]
"""Namespace, rule and subject."""


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """What one evaluation goes by."""

    now: datetime
    new_id: NewId
    silences: Sequence[Silence] = ()
    known: Collection[tuple[str, str]] = ()
    """The channels that exist, by namespace and name: a notice to another one would never be sent."""
    quiet: Collection[tuple[str, str]] = ()
    """Rules whose calendar asks for quiet now, by namespace and name."""

    def silenced(self, alert: Alert) -> bool:
        if (alert.namespace, alert.rule) in self.quiet:
            return True
        return any(
            one.namespace == alert.namespace
            and one.until > self.now
            and fnmatchcase(alert.rule, one.rule)
            and fnmatchcase(alert.subject, one.subject)
            for one in self.silences
        )


def decide(
    rules: Sequence[AlertRule],
    found: Mapping[tuple[str, str], Sequence[Breach] | None],
    alerts: Sequence[Alert],
    by: Round,
) -> list[Transition]:
    """The transitions of all open alerts, and of those that begin; `found` has None for a rule whose facts are too old."""
    by_rule = {(rule.namespace, rule.name): rule for rule in rules}
    present = {(one.namespace, one.rule, one.subject): one for one in alerts}
    changes: list[Transition] = []
    for place, breaches in found.items():
        # Most of ten thousand rules have none.
        if breaches:
            changes += begun(by_rule[place], breaches, present, by)
    # By subject: a pattern that matches thousands of jobs has as many breaches as alerts.
    by_subject = {
        place: None if breaches is None else {one.subject: one for one in breaches}
        for place, breaches in found.items()
        if breaches or breaches is None
    }
    for alert in alerts:
        place = alert.namespace, alert.rule
        if (change := followed(alert, by_rule.get(place), by_subject.get(place, {}), by)) is not None:
            changes.append(change)
    return changes


def begun(rule: AlertRule, breaches: Sequence[Breach], present: Mapping[Key, Alert], by: Round) -> list[Transition]:
    """Alerts of subjects that have none yet."""
    new = {one.subject: one for one in breaches if (rule.namespace, rule.name, one.subject) not in present}
    return [changed(start(rule, one, by), 0, rule, by) for one in new.values()]


def start(rule: AlertRule, breach: Breach, by: Round) -> Alert:
    fires = rule.spec.for_ <= 0
    return Alert(
        id=by.new_id(),
        namespace=rule.namespace,
        rule=rule.name,
        subject=breach.subject,
        severity=rule.spec.severity,
        state=AlertState.FIRING if fires else AlertState.PENDING,
        since_at=by.now,
        fired_at=by.now if fires else None,
        value=breach.value,
        words=breach.words,
        run=breach.run,
    )


def followed(
    alert: Alert, rule: AlertRule | None, breaches: Mapping[str, Breach] | None, by: Round
) -> Transition | None:
    """The next change of an open alert; None if it stays as it is."""
    if rule is None:
        # An incident elsewhere would stay open, and the message may not say that all is well.
        return over(msgspec.structs.replace(alert, words=f"{alert.words}; {RULE_DELETED}"), by)
    if breaches is None:
        # Nobody knows whether the condition holds: nothing resolves on old facts, and repeats go on.
        return notified_or_none(alert, alert, rule, by)
    breach = breaches.get(alert.subject)
    if breach is None:
        return cleared(alert, rule, by)
    return notified_or_none(alert, held(alert, rule, breach, by), rule, by, breach)


def held(alert: Alert, rule: AlertRule, breach: Breach, by: Round) -> Alert:
    """The alert while its condition holds."""
    due = alert.since_at + timedelta(seconds=rule.spec.for_) <= by.now
    if alert.state is AlertState.PENDING and due:
        return replaced(alert, state=AlertState.FIRING, fired_at=by.now, value=breach.value, words=breach.words)
    return replaced(alert, clear_at=None) if alert.clear_at is not None else alert


def cleared(alert: Alert, rule: AlertRule, by: Round) -> Transition | None:
    """The alert once its condition no longer holds."""
    if alert.state is AlertState.PENDING:
        return Transition(alert=ended(alert, by.now), before=alert.revision)
    if alert.clear_at is None:
        return Transition(alert=replaced(alert, clear_at=by.now), before=alert.revision)
    if by.now < alert.clear_at + RECOVER_AFTER:
        return None
    return over(alert, by, told=rule.spec.recovery)


def over(alert: Alert, by: Round, *, told: bool = True) -> Transition:
    """The end of an alert. A silence does not keep it back: it ends what its channels were told before."""
    notices = notices_to(alert.told, NoticeKind.RECOVER, alert, by) if told else ()
    return Transition(alert=ended(alert, by.now), before=alert.revision, notices=notices)


def notified_or_none(
    before: Alert, after: Alert, rule: AlertRule, by: Round, breach: Breach | None = None
) -> Transition | None:
    change = changed(after, before.revision, rule, by)
    if change.alert == before:
        return None
    if change.notices and breach is not None:
        # A message says how things are now, and not how they were when the alert began.
        now = {"value": breach.value, "words": breach.words, "run": breach.run}
        change = msgspec.structs.replace(change, alert=msgspec.structs.replace(change.alert, **now))
    return change


def changed(alert: Alert, before: int, rule: AlertRule, by: Round) -> Transition:
    """The alert with the notices that are due for it."""
    if alert.state is not AlertState.FIRING or by.silenced(alert):
        return Transition(alert=alert, before=before)
    notices: tuple[NoticeTo, ...] = ()
    escalates = due_escalation(alert, rule, by.now)
    if escalates:
        notices = notices_to(rule.spec.escalate_to, NoticeKind.ESCALATE, alert, by)
    kind = due_kind(alert, by.now)
    if kind is not None:
        notices = (*notices_to(rule.spec.notify, kind, alert, by, urgent=is_urgent(rule, kind)), *notices)
        alert = replaced(alert, notified_at=by.now, notices=alert.notices + 1, fresh=before == 0)
    if escalates:
        alert = replaced(alert, escalated_at=by.now, fresh=before == 0)
    told = tuple(dict.fromkeys((*alert.told, *(to.channel for to in notices))))
    return Transition(alert=msgspec.structs.replace(alert, told=told), before=before, notices=notices)


def is_urgent(rule: AlertRule, kind: NoticeKind) -> bool:
    """Whether its beginning is told at once: a page, and what goes to a second channel without an acknowledgement."""
    wakes = rule.spec.severity is Severity.PAGE or rule.spec.escalate_after is not None
    return wakes and kind is NoticeKind.FIRE


def due_escalation(alert: Alert, rule: AlertRule, now: datetime) -> bool:
    if rule.spec.escalate_after is None or alert.escalated_at or alert.acked_at or alert.fired_at is None:
        return False
    return alert.fired_at + timedelta(seconds=rule.spec.escalate_after) <= now


def due_kind(alert: Alert, now: datetime) -> NoticeKind | None:
    """The notice that a firing alert is due: the first one, or a repeat after a pause that grows."""
    if alert.notified_at is None:
        return NoticeKind.FIRE
    if alert.acked_at is not None:
        return None
    pause = min(REPEAT_FIRST * 2 ** max(alert.notices - 1, 0), REPEAT_MAX)
    return NoticeKind.REPEAT if alert.notified_at + pause <= now else None


def notices_to(
    channels: Sequence[str], kind: NoticeKind, alert: Alert, by: Round, *, urgent: bool = False
) -> tuple[NoticeTo, ...]:
    known = [name for name in dict.fromkeys(channels) if (alert.namespace, name) in by.known]
    return tuple(NoticeTo(name, kind, alert.rule, urgent) for name in known)


def ended(alert: Alert, now: datetime) -> Alert:
    return replaced(alert, state=AlertState.RESOLVED, ended_at=now)


def replaced(alert: Alert, *, fresh: bool = False, **changes: object) -> Alert:
    """The alert with these changes, under its next revision unless it is not stored yet."""
    return msgspec.structs.replace(alert, revision=alert.revision + (not fresh), **changes)
