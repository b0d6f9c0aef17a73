"""Every kind of condition says that all is well only from facts that are new enough to know."""

from datetime import timedelta
from typing import Any

import pytest

from mainspring.domain.alerts.conditions import CONDITIONS, breaches
from mainspring.domain.alerts.findings import Findings
from mainspring.domain.alerts.rule import READS, AlertKind, AlertRule, AlertSpec
from mainspring.testing.clock import START

FROM_COUNTS = {AlertKind.RUN_FAILED, AlertKind.FAILURE_RATE, AlertKind.STALE, AlertKind.SLO_BURN, AlertKind.SLO_BUDGET}
FROM_SURVEY = {
    *(AlertKind.QUEUE_AGE, AlertKind.QUEUE_DEPTH, AlertKind.BUDGET_NEAR),
    *(AlertKind.NO_EXECUTOR, AlertKind.EXECUTORS_FEW),
}
FROM_SERVERS = {AlertKind.SERVER_LOST, AlertKind.SERVERS_FEW}
FRESH = Findings(now=START, counted_until=START, surveyed_at=START, servers_lost={}, servers=2)
OLD = Findings(now=START, counted_until=START - timedelta(minutes=5), surveyed_at=START - timedelta(minutes=5))


def rule(kind: AlertKind) -> AlertRule:
    subjects: dict[str, Any] = dict.fromkeys(READS[kind].subjects[:1], "*")
    return AlertRule(namespace="default", name="rule", spec=AlertSpec(kind=kind, **subjects), updated_at=START)


def test_every_kind_has_a_condition() -> None:
    assert set(CONDITIONS) == set(AlertKind)


@pytest.mark.parametrize("kind", AlertKind)
def test_an_alert_of_each_kind_resolves_on_fresh_facts_and_never_on_old_ones(kind: AlertKind) -> None:
    assert list(breaches(rule(kind), FRESH) or ()) == []
    assert breaches(rule(kind), FRESH) is not None
    if kind in FROM_COUNTS | FROM_SURVEY | FROM_SERVERS:
        assert breaches(rule(kind), OLD) is None
    elif kind is AlertKind.UNWATCHED:
        assert breaches(rule(kind), OLD)
    else:
        # Read from the database with each evaluation: these facts are as old as the evaluation, or it fails as a whole.
        assert list(breaches(rule(kind), OLD) or ()) == []
