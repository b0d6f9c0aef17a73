"""Conditions on triggers, and on jobs and triggers that have not succeeded for long."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase

from mainspring.domain.alerts.alert import Breach
from mainspring.domain.alerts.findings import Findings, Place, Since, TriggerEnds
from mainspring.domain.alerts.matching import matching, said
from mainspring.domain.alerts.notice import counted, span
from mainspring.domain.alerts.rule import AlertRule, number

INTERVALS = 2
"""Of its own that a trigger may be without a success, unless a rule says another length."""


def stale(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    if not findings.counts_are_fresh:
        return None
    return stale_triggers(rule, findings) if rule.spec.trigger else stale_jobs(rule, findings)


def stale_jobs(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    found: list[Breach] = []
    # A job that has never succeeded counts from when the rule was made.
    for name, (last,) in matching(rule, findings.succeeded, rule.spec.job):
        age = findings.now - (last or rule.updated_at)
        if age.total_seconds() > number(rule.spec, "older_than"):
            words = "has never succeeded" if last is None else f"has not succeeded for {span(age)}"
            found.append(Breach(f"job {name}", age.total_seconds(), words, since=last))
    return found


def stale_triggers(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    found: list[Breach] = []
    for name, ends in matching(rule, findings.triggers, rule.spec.trigger):
        if not ends.looked:
            return None
        last, limit = ends.succeeded_at, stale_after(rule, ends)
        age = findings.now - (last or max(rule.updated_at, ends.made_at))
        if limit is not None and age.total_seconds() > limit:
            words = "no run of it has succeeded" if last is None else f"no run of it has succeeded for {span(age)}"
            found.append(Breach(f"trigger {name}", age.total_seconds(), words, since=last))
    return found


def stale_after(rule: AlertRule, trigger: TriggerEnds) -> float | None:
    """Seconds without a success that a rule allows a trigger; None: the rule says none, and the trigger has no intervals."""
    if rule.spec.older_than is not None:
        return rule.spec.older_than
    return None if trigger.interval is None else INTERVALS * trigger.interval


def of_triggers(rule: AlertRule, facts: Mapping[Place, Since], verb: str, now: datetime) -> list[Breach]:
    """Triggers, or those of a job, that are in some state for longer than the rule allows."""
    limit = number(rule.spec, "older_than")
    return [
        Breach(f"trigger {name}", age, f"{verb} for {said(age)}", since=fact.at)
        for name, fact in matching(rule, facts, rule.spec.trigger or "*")
        if (not rule.spec.job or fnmatchcase(fact.about, rule.spec.job))
        and (age := (now - fact.at).total_seconds()) > limit
    ]


def trigger_late(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    return of_triggers(rule, findings.late, "has been late", findings.now)


def trigger_paused(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    return of_triggers(rule, findings.paused, "has been paused", findings.now)


def fires_skipped(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    facts = findings.skipped.get(number(rule.spec, "over"), {})
    return [
        Breach(f"trigger {name}", skips, f"skipped {counted(skips, 'fire time')} in {said(number(rule.spec, 'over'))}")
        for name, (skips, job) in matching(rule, facts, rule.spec.trigger or "*")
        if (not rule.spec.job or fnmatchcase(job, rule.spec.job)) and skips >= number(rule.spec, "at_least")
    ]
