"""Write the Grafana dashboards in mainspring/deploy/grafana from one list of panels."""

import sys
from pathlib import Path
from typing import NamedTuple

import msgspec

FOLDER = Path(__file__).parents[1] / "mainspring" / "deploy" / "grafana"
WIDTH, HEIGHT, COLUMNS = 12, 8, 2
SOURCE = {"type": "prometheus", "uid": "${source}"}
WITHIN = 'namespace=~"$namespace"'


class Panel(NamedTuple):
    title: str
    expression: str
    legend: str
    unit: str = "short"
    answers: bool = True
    """Whether any fleet at work has something to show here."""


def by_queue(function: str, metric: str, matchers: str = "") -> str:
    return f"{function} by (namespace, queue) ({metric}{{{WITHIN}{matchers}}})"


def quantile(share: float, metric: str) -> str:
    return f"histogram_quantile({share}, sum by (le) (rate({metric}_bucket{{{WITHIN}}}[5m])))"


DASHBOARDS = {
    "fleet": [
        Panel("Servers ready", "sum(mainspring_server_ready)", "ready"),
        Panel("Executors", "max by (namespace, state) (mainspring_cluster_executors)", "{{namespace}} {{state}}"),
        Panel(
            "Slots",
            "max by (namespace, pool, use) (mainspring_cluster_executor_slots)",
            "{{namespace}} {{pool}} {{use}}",
        ),
        Panel("Executors on each server", "mainspring_server_attached_executors", "{{instance}}"),
        Panel("Leases lost", "sum(increase(mainspring_leases_lost_total[5m]))", "lost"),
        Panel("Late outcomes", "sum(increase(mainspring_outcomes_stale_total[5m]))", "late"),
        Panel("Age of duties", "max by (duty) (mainspring_server_duty_age_seconds)", "{{duty}}", "s"),
        Panel(
            "Failing duties",
            "sum by (duty) (increase(mainspring_server_duty_failures_total[5m]))",
            "{{duty}}",
            answers=False,
        ),
        Panel("Lag of the event loop", "mainspring_server_loop_lag_seconds", "{{instance}}", "s"),
        Panel("Clock against the database", "mainspring_server_clock_offset_seconds", "{{instance}}", "s"),
        Panel(
            "Frames of executors",
            "sum by (direction) (rate(mainspring_server_frames_total[1m]))",
            "{{direction}}",
            "ops",
        ),
        Panel("Alerts", "max by (severity, state) (mainspring_cluster_alerts)", "{{severity}} {{state}}"),
        Panel(
            "Notices",
            "sum by (channel_kind, result) (increase(mainspring_notices_total[5m]))",
            "{{channel_kind}} {{result}}",
        ),
        Panel("Notices that wait", "max by (channel_kind) (mainspring_cluster_notices_waiting)", "{{channel_kind}}"),
        Panel("Memory", "process_resident_memory_bytes", "{{instance}}", "bytes"),
        Panel("Processor", "rate(process_cpu_seconds_total[1m])", "{{instance}}"),
        Panel("Requests by code", "sum by (code) (rate(mainspring_server_requests_total[1m]))", "{{code}}", "reqps"),
    ],
    "queues": [
        Panel("Due and not started", by_queue("max", "mainspring_cluster_queue_runs", ',state="queued"'), "{{queue}}"),
        Panel("Running", by_queue("max", "mainspring_cluster_queue_runs", ',state="running"'), "{{queue}}"),
        Panel("Longest due", by_queue("max", "mainspring_cluster_queue_oldest_seconds"), "{{queue}}", "s"),
        Panel("Longest attempt", by_queue("max", "mainspring_cluster_queue_running_oldest_seconds"), "{{queue}}", "s"),
        Panel("Executors", by_queue("max", "mainspring_cluster_queue_executors"), "{{queue}}"),
        Panel("Paused", by_queue("max", "mainspring_cluster_queue_paused"), "{{queue}}"),
        Panel("Accepted", f"sum by (queue) (rate(mainspring_runs_accepted_total{{{WITHIN}}}[1m]))", "{{queue}}", "ops"),
        Panel(
            "Finished by state",
            f"sum by (state) (rate(mainspring_runs_finished_total{{{WITHIN}}}[1m]))",
            "{{state}}",
            "ops",
        ),
        Panel(
            "Attempts by outcome",
            f"sum by (outcome) (rate(mainspring_attempts_total{{{WITHIN}}}[5m]))",
            "{{outcome}}",
            "ops",
        ),
        Panel("Dead letters", f"max by (namespace) (mainspring_cluster_dead_letters{{{WITHIN}}})", "{{namespace}}"),
        Panel(
            "Refused",
            f"sum by (reason) (rate(mainspring_runs_refused_total{{{WITHIN}}}[5m]))",
            "{{reason}}",
            "ops",
        ),
        Panel("Wait, 99 % within", quantile(0.99, "mainspring_run_wait_seconds"), "p99", "s"),
        Panel("Duration, 99 % within", quantile(0.99, "mainspring_run_duration_seconds"), "p99", "s"),
    ],
    "triggers": [
        Panel("Triggers", f"max by (state) (mainspring_cluster_triggers{{{WITHIN}}})", "{{state}}"),
        Panel(
            "Fire times by result",
            f"sum by (result) (rate(mainspring_fires_total{{{WITHIN}}}[5m]))",
            "{{result}}",
            "ops",
        ),
        Panel("Fire times, 99 % moved within", quantile(0.99, "mainspring_fire_delay_seconds"), "p99", "s"),
        Panel(
            "Skipped",
            f'sum by (namespace, result) (increase(mainspring_fires_total{{{WITHIN},result!="fired"}}[1h]))',
            "{{namespace}} {{result}}",
            answers=False,
        ),
        Panel(
            "Error budget left",
            f"max by (namespace, slo) (mainspring_cluster_slo_budget_left_ratio{{{WITHIN}}})",
            "{{namespace}} {{slo}}",
            "percentunit",
        ),
        Panel(
            "Burn rate of error budgets",
            f'max by (slo, window) (mainspring_cluster_slo_burn_rate{{{WITHIN},window=~"60m|360m"}})',
            "{{slo}} {{window}}",
        ),
    ],
    "database": [
        Panel("Calls by act", "sum by (act) (rate(mainspring_server_store_seconds_count[1m]))", "{{act}}", "ops"),
        Panel(
            "Calls, 99 % within",
            "histogram_quantile(0.99, sum by (act, le) (rate(mainspring_server_store_seconds_bucket[5m])))",
            "{{act}}",
            "s",
        ),
        Panel(
            "Errors",
            "sum by (act, kind) (increase(mainspring_server_store_errors_total[5m]))",
            "{{act}} {{kind}}",
            answers=False,
        ),
        Panel("Size", "max(mainspring_database_size_bytes)", "size", "bytes"),
        Panel("Dead rows", "max by (table) (mainspring_database_dead_rows)", "{{table}}"),
        Panel("Vacuum held back for", "max(mainspring_database_xmin_age_seconds)", "oldest snapshot", "s"),
        Panel("Age of counts", "max(mainspring_cluster_survey_age_seconds)", "survey", "s"),
        Panel("Age of roll-ups", "max(mainspring_cluster_rollup_age_seconds)", "roll-up", "s"),
        Panel("Reached", "min(mainspring_cluster_shard_up)", "home"),
        Panel(
            "Connections", "sum by (instance, state) (mainspring_server_store_connections)", "{{instance}} {{state}}"
        ),
        Panel(
            "Runs of a batch, half within",
            "histogram_quantile(0.5, sum by (act, le) (rate(mainspring_server_batch_runs_bucket[5m])))",
            "{{act}}",
        ),
        Panel("Hints", "sum by (direction) (rate(mainspring_server_hints_total[1m]))", "{{direction}}", "ops"),
    ],
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in DASHBOARDS:
        (FOLDER / f"{name}.json").write_bytes(dashboard(name))
        sys.stdout.write(f"wrote {FOLDER.name}/{name}.json\n")


def dashboard(name: str) -> bytes:
    written = {
        "uid": f"mainspring-{name}",
        "title": f"Mainspring: {name}",
        "tags": ["mainspring"],
        "schemaVersion": 38,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": [source_variable(), namespace_variable()]},
        "panels": [panel(number, each) for number, each in enumerate(DASHBOARDS[name])],
    }
    return msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n"


def panel(number: int, each: Panel) -> dict[str, object]:
    row, column = divmod(number, COLUMNS)
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": each.title,
        "datasource": SOURCE,
        "gridPos": {"x": column * WIDTH, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": each.unit}, "overrides": []},
        "targets": [{"refId": "A", "datasource": SOURCE, "expr": each.expression, "legendFormat": each.legend}],
    }


def source_variable() -> dict[str, object]:
    return {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}


def namespace_variable() -> dict[str, object]:
    query = "label_values(mainspring_cluster_executors, namespace)"
    return {
        "name": "namespace",
        "type": "query",
        "datasource": SOURCE,
        "query": {"query": query, "refId": "namespace"},
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "refresh": 2,
    }


if __name__ == "__main__":
    main()
