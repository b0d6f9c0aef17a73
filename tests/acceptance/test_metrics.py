"""A real Prometheus scrapes a fleet."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import httpx2
import pytest

from mainspring.domain.alerts.channel import ChannelKind, ChannelSpec
from mainspring.domain.alerts.rule import AlertKind, AlertSpec
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.family import Kind, Metric
from mainspring.domain.slos.slo import SloSpec
from mainspring.errors import MainspringError
from scripts.write_dashboards import DASHBOARDS
from tests.acceptance.scene import QUICK, Scene, enqueue, settled
from tests.deploy.test_prometheus_rules import RULES
from tests.support.pgbouncer import free_port
from tests.support.processes import API_TOKEN, ServerProcess, eventually
from tests.support.services import Prometheus, promtool

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

RUNS = 20
ALL = {
    **QUICK,
    "scheduler_metrics_jobs": 50,
    "scheduler_metrics_executors": True,
    "scheduler_alert_networks": "127.0.0.0/8",
}
OWN_OCCASION = {
    "mainspring_server_store_errors_total": "no call of the database fails here",
    "mainspring_database_replication_lag_seconds": "there is no standby",
    "mainspring_server_discovery_age_seconds": "no address book is named; tests/discovery has one",
    "mainspring_server_discovery_entries": "likewise",
}
"""Metrics that this fleet does not show, and why."""


@pytest.fixture
async def prometheus(tmp_path: Path) -> AsyncIterator[Prometheus]:
    folder = tmp_path / "prometheus"
    folder.mkdir()
    made = Prometheus(folder)
    yield made
    made.stop()


def stored_name(metric: Metric) -> str:
    return f"{metric.name}_bucket" if metric.kind is Kind.HISTOGRAM else metric.name


async def test_prometheus_sees_every_metric_and_answers_every_panel_and_rule(
    scene: Scene, database_url: str, prometheus: Prometheus
) -> None:
    servers: list[ServerProcess] = await scene.servers(2, database_url, **ALL)
    await scene.executors("a", servers[0])
    await prometheus.scrape([server.url for server in servers], API_TOKEN, rules=[str(RULES)])
    await eventually(lambda: seen(prometheus, "count(up == 1)", 2), "both servers scraped")
    await enqueue(servers[0], "noop", RUNS)
    await settled(servers[0], RUNS)
    finished = 'sum(mainspring_runs_finished_total{state="succeeded"})'
    await eventually(lambda: seen(prometheus, finished, RUNS), "all runs rolled up and scraped")
    waits = await prometheus.query("sum(mainspring_run_wait_seconds_count)")
    await give_occasions(servers[0])
    # A rate takes two scrapes, and those of runs come with the roll-ups.
    await eventually(lambda: prometheus.query(busy_rate()), "a rate of finished runs")
    panels = [panel for dashboard in DASHBOARDS.values() for panel in dashboard if panel.answers]
    for panel in panels:
        answered = partial(prometheus.query, shown(panel.expression))
        await eventually(answered, f"an answer for {panel.title}")
    silent = [panel.expression for dashboard in DASHBOARDS.values() for panel in dashboard if not panel.answers]
    for expression in silent:
        # It raises if the query is none.
        await prometheus.query(shown(expression))
    loaded = await prometheus.get("/api/v1/rules")
    rules = [rule for group in loaded["data"]["groups"] for rule in group["rules"]]
    names = await prometheus.names()
    declared_names = {stored_name(each) for each in vars(declared).values() if isinstance(each, Metric)}
    ours = {name for name in names if name.startswith("mainspring_") and not name.endswith(("_sum", "_count"))}

    assert waits == [({}, RUNS)]
    assert await seen(prometheus, "max(mainspring_cluster_servers)", 2)
    assert await seen(prometheus, "max(sum by (instance) (mainspring_cluster_executors))", 1)
    assert {name for name in declared_names if name.startswith("mainspring_")} - ours == OWN_OCCASION.keys()
    assert ours <= declared_names
    assert {rule["health"] for rule in rules} <= {"ok", "unknown"}
    assert [rule["name"] for rule in rules if rule.get("lastError")] == []
    assert len(rules) == 21


async def give_occasions(server: ServerProcess) -> None:
    """Fail, refuse, fire, promise and tell, so that there is something to measure."""
    async with server.client() as client:
        # Nothing listens at this channel's address, so each notice is tried and comes back.
        await client.channels.set("ops", ChannelSpec(kind=ChannelKind.WEBHOOK, url="https://127.0.0.1:1/"))
        rule = AlertSpec(kind=AlertKind.RUN_FAILED, job="*", notify=("ops",))
        await client.alert_rules.set("fails", rule)
        await client.slos.set("noop-works", SloSpec(job="noop"))
        await client.triggers.create("often", job="noop", when={"kind": "interval", "every": 1}, overlap="skip")
        await client.queues.set_budget("full", 0, new=True)
        with pytest.raises(MainspringError):
            await client.enqueue("noop", queue="full")
    await enqueue(server, "fail")


def shown(expression: str) -> str:
    """The query as Grafana sends it for all namespaces."""
    return expression.replace("$namespace", ".*")


def busy_rate() -> str:
    return "sum(rate(mainspring_runs_accepted_total[1m])) and sum(rate(mainspring_run_wait_seconds_count[5m]))"


async def seen(prometheus: Prometheus, expression: str, value: float) -> bool:
    return await prometheus.query(expression) == [({}, value)]


async def test_a_listener_of_its_own_serves_metrics_and_nothing_else_without_a_token(scene: Scene) -> None:
    address = f"127.0.0.1:{free_port()}"
    server = await scene.server(metrics_listen=address)
    async with httpx2.AsyncClient() as http:
        found = await http.get(f"http://{address}/metrics")
        other = await http.get(f"http://{address}/api/v1/runs")
        refused = await http.get(f"{server.url}/metrics")

    assert (found.status_code, other.status_code, refused.status_code) == (200, 404, 401)
    assert "mainspring_cluster_servers 1\n" in found.text
    assert promtool("check", "metrics", text=found.text) == ""
