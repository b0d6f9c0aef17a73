"""Conditions on queues, from the survey and the sessions of executors."""

from collections.abc import Callable, Sequence
from datetime import datetime

from mainspring.domain.alerts.alert import Breach
from mainspring.domain.alerts.findings import Findings, QueueFacts
from mainspring.domain.alerts.matching import matching, said
from mainspring.domain.alerts.notice import counted
from mainspring.domain.alerts.rule import AlertRule, number


def of_queues(
    rule: AlertRule, findings: Findings, judge: Callable[[QueueFacts], tuple[float, str] | None]
) -> Sequence[Breach] | None:
    if not findings.survey_is_fresh:
        return None
    return [
        Breach(f"queue {name}", *found, since=facts.depth.oldest_at)
        for name, facts in matching(rule, findings.queues, rule.spec.queue)
        if (found := judge(facts)) is not None
    ]


def age_of(facts: QueueFacts, now: datetime) -> float:
    return 0.0 if facts.depth.oldest_at is None else (now - facts.depth.oldest_at).total_seconds()


def queue_age(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    def judge(facts: QueueFacts) -> tuple[float, str] | None:
        age = age_of(facts, findings.now)
        return (age, f"the oldest run has waited for {said(age)}") if age > number(rule.spec, "older_than") else None

    return of_queues(rule, findings, judge)


def queue_depth(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    def judge(facts: QueueFacts) -> tuple[float, str] | None:
        due = facts.depth.queued
        return (due, f"{counted(due, 'run')} due and not started") if due >= number(rule.spec, "at_least") else None

    return of_queues(rule, findings, judge)


def budget_near(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    def judge(facts: QueueFacts) -> tuple[float, str] | None:
        if not facts.max_queued:
            return None
        share = facts.depth.backlog / facts.max_queued
        words = f"{facts.depth.backlog} of at most {facts.max_queued} runs are queued"
        return (share, words) if share > number(rule.spec, "above") else None

    return of_queues(rule, findings, judge)


def no_executor(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    def judge(facts: QueueFacts) -> tuple[float, str] | None:
        waits = (
            age_of(facts, findings.now) >= number(rule.spec, "older_than") and facts.depth.queued + facts.depth.waiting
        )
        if facts.executors or facts.paused or not waits:
            return None
        return facts.depth.backlog, f"{counted(facts.depth.backlog, 'run')} cannot start: no executor listens to it"

    return of_queues(rule, findings, judge)


def executors_few(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    def judge(facts: QueueFacts) -> tuple[float, str] | None:
        least = number(rule.spec, "at_least")
        return (
            (facts.executors, f"{counted(facts.executors, 'executor')} of at least {least:g} listen to it")
            if facts.executors < least
            else None
        )

    return of_queues(rule, findings, judge)
