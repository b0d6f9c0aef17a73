"""The rules for Prometheus: each alert stays quiet, fires and recovers, as promtool plays it."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest
import yaml

from mainspring.domain.metrics import declared
from mainspring.domain.metrics.family import Metric
from tests.architecture.source import ROOT
from tests.support.services import promtool

RULES = ROOT / "mainspring" / "deploy" / "prometheus" / "rules.yml"
GOOD, BAD = 60, 300
"""Minutes: long enough for the alert that waits four hours."""
QUEUE = 'namespace="shop",queue="mail"'
PLACE = {"namespace": "shop", "queue": "mail"}


class Case(NamedTuple):
    """A metric that goes wrong for a while; steady ones stay as they are."""

    series: str
    labels: dict[str, str]
    good: str = "0+0"
    bad: str = "1+0"
    steady: Mapping[str, str] = MappingProxyType({})


def counter(
    series: str, labels: dict[str, str], *, step: int = 5, steady: Mapping[str, str] = MappingProxyType({})
) -> Case:
    return Case(series, labels, "0+0", f"1+{step}", steady)


CASES = {
    "MainspringRunsFailed": counter(f'mainspring_runs_finished_total{{{QUEUE},state="failed"}}', PLACE),
    "MainspringFailureRateHigh": counter(
        f'mainspring_runs_finished_total{{{QUEUE},state="failed"}}',
        PLACE,
        steady={f'mainspring_runs_finished_total{{{QUEUE},state="succeeded"}}': "0+5"},
    ),
    "MainspringQueueLate": Case(f"mainspring_cluster_queue_oldest_seconds{{{QUEUE}}}", PLACE, bad="400+0"),
    "MainspringQueueWithoutExecutor": Case(f'mainspring_cluster_queue_runs{{{QUEUE},state="queued"}}', PLACE),
    "MainspringQueuePaused": Case(f"mainspring_cluster_queue_paused{{{QUEUE}}}", PLACE),
    "MainspringRunsRefused": counter(
        'mainspring_runs_refused_total{namespace="shop",reason="over_budget"}',
        {"namespace": "shop", "reason": "over_budget"},
    ),
    "MainspringFireTimesSkipped": counter(
        'mainspring_fires_total{namespace="shop",result="missed"}', {"namespace": "shop", "result": "missed"}
    ),
    "MainspringServerDown": Case(
        'up{job="mainspring",instance="s1"}', {"job": "mainspring", "instance": "s1"}, "1+0", "0+0"
    ),
    "MainspringServerNotReady": Case('mainspring_server_ready{instance="s1"}', {"instance": "s1"}, "1+0", "0+0"),
    "MainspringDutyStopped": Case(
        'mainspring_server_duty_age_seconds{instance="s1",duty="roll_up"}',
        {"instance": "s1", "duty": "roll_up"},
        bad="200+0",
    ),
    "MainspringDutyFails": counter(
        'mainspring_server_duty_failures_total{instance="s1",duty="roll_up"}', {"instance": "s1", "duty": "roll_up"}
    ),
    "MainspringDatabaseSlow": counter(
        'mainspring_server_store_seconds_bucket{instance="s1",act="claim",le="+Inf"}',
        {"instance": "s1"},
        step=60,
        steady={
            'mainspring_server_store_seconds_bucket{instance="s1",act="settle",le="1"}': "0+60",
            'mainspring_server_store_seconds_bucket{instance="s1",act="settle",le="2.5"}': "0+60",
            'mainspring_server_store_seconds_bucket{instance="s1",act="settle",le="+Inf"}': "0+60",
        },
    ),
    "MainspringVacuumHeldBack": Case("mainspring_database_xmin_age_seconds", {}, bad="900+0"),
    "MainspringReplicationLate": Case("mainspring_database_replication_lag_seconds", {}, bad="90+0"),
    "MainspringLeasesLost": counter("mainspring_leases_lost_total", {}),
    "MainspringCountsOld": Case("mainspring_cluster_rollup_age_seconds", {}, bad="500+0"),
    "MainspringLoopLate": Case('mainspring_server_loop_lag_seconds{instance="s1"}', {"instance": "s1"}),
    "MainspringMetricsFolded": Case('mainspring_metrics_folded{label="queue"}', {"label": "queue"}, bad="7+0"),
}
"""By alert: what goes wrong."""


def rules() -> list[dict[str, str]]:
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


ALERTS = {rule["alert"]: rule for rule in rules() if "alert" in rule}


def played(alert: str, case: Case) -> dict[str, object]:
    whole = 2 * GOOD + BAD
    course = f"{case.good}x{GOOD} {case.bad}x{BAD} {resting(case)}x{GOOD}"
    series = [{"series": case.series, "values": course}]
    series += [{"series": name, "values": f"{values}x{whole}"} for name, values in case.steady.items()]
    return {
        "interval": "1m",
        "input_series": series,
        "alert_rule_test": [
            {"eval_time": f"{GOOD - 1}m", "alertname": alert, "exp_alerts": []},
            {"eval_time": f"{GOOD + BAD - 1}m", "alertname": alert, "exp_alerts": [expected(alert, case)]},
            {"eval_time": f"{whole}m", "alertname": alert, "exp_alerts": []},
        ],
    }


def resting(case: Case) -> str:
    """A counter stays where it is once things are well again."""
    start, step = case.bad.split("+")
    return f"{int(start) + int(step) * BAD}+0" if int(step) else case.good


def expected(alert: str, case: Case) -> dict[str, object]:
    return {"exp_labels": {"severity": ALERTS[alert]["labels"]["severity"], **case.labels}}  # type: ignore[index]


def test_promtool_accepts_the_rules() -> None:
    promtool("check", "rules", str(RULES))


def test_every_alert_is_played() -> None:
    assert CASES.keys() == ALERTS.keys()
    assert len(ALERTS) == 18


@pytest.mark.parametrize("alert", CASES)
def test_an_alert_stays_quiet_fires_and_recovers(alert: str, tmp_path: Path) -> None:
    bare = yaml.safe_load(RULES.read_text())
    for group in bare["groups"]:
        # The others have nothing to do with this one, and promtool would evaluate them for each of its minutes.
        group["rules"] = [rule for rule in group["rules"] if rule.get("alert", alert) == alert]
        for rule in group["rules"]:
            # promtool compares annotations as well, and the words of ours change more often than what they are about.
            rule.pop("annotations", None)
    (tmp_path / "rules.yml").write_text(yaml.safe_dump(bare))
    test = {"rule_files": ["rules.yml"], "evaluation_interval": "1m", "tests": [played(alert, CASES[alert])]}
    (tmp_path / "test.yml").write_text(yaml.safe_dump(test))

    promtool("test", "rules", str(tmp_path / "test.yml"))


@pytest.mark.parametrize("alert", ALERTS)
def test_an_alert_tells_what_happened_and_what_to_do(alert: str) -> None:
    assert set(ALERTS[alert]["annotations"]) == {"summary", "action"}


def test_rules_name_only_metrics_that_exist() -> None:
    known = {metric.name for metric in vars(declared).values() if isinstance(metric, Metric)}
    named = {word for rule in rules() for word in re.findall(r"\bmainspring_\w+", rule["expr"])}

    assert {re.sub("_bucket$", "", name) for name in named} <= known
