"""Conditions on executors and servers."""

from collections.abc import Sequence
from datetime import timedelta

from mainspring.domain.alerts.alert import Breach
from mainspring.domain.alerts.findings import Findings
from mainspring.domain.alerts.matching import matching
from mainspring.domain.alerts.notice import counted
from mainspring.domain.alerts.rule import AlertRule, number

LAPSED = "stopped answering and has not come back"


def executor_lost(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    over = timedelta(seconds=number(rule.spec, "over"))
    return [
        Breach(f"executor {name}", (findings.now - fact.at).total_seconds(), LAPSED, since=fact.at)
        for name, fact in matching(rule, findings.lost, rule.spec.executor)
        if findings.now - fact.at <= over
    ]


def server_lost(_rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    if findings.servers_lost is None:
        return None
    return [
        Breach(f"server {name}", (findings.now - fact.at).total_seconds(), LAPSED, since=fact.at)
        for name, fact in findings.servers_lost.items()
    ]


def servers_few(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    if findings.servers is None:
        return None
    least = number(rule.spec, "at_least")
    words = f"{counted(findings.servers, 'server')} of at least {least:g} left"
    return [Breach("cluster", findings.servers, words)] if findings.servers < least else []


def strays(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    return [
        Breach(f"executor {name}", count, f"handlers that were given up still hold {counted(count, 'thread')}")
        for name, count in matching(rule, findings.strays, rule.spec.executor)
        if count >= number(rule.spec, "at_least")
    ]
