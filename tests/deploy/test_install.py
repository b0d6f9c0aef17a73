"""The files to install with: systemd units, the Containerfile, compose, HAProxy and the chart's schema of values."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft7Validator

from mainspring.cli.processes.notify import READY, notify, watchdog_period
from mainspring.cli.processes.probe import executor_trouble, probe
from mainspring.cli.setup.files import deploy_files
from mainspring.executor.process.signs import ALIVE, LEASED, touch
from mainspring.settings.sources import check_variables
from tests.architecture.source import ROOT
from tests.support.services import find_program

DEPLOY = ROOT / "mainspring" / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
SCHEMA = DEPLOY / "helm" / "mainspring" / "values.schema.json"
GROUP: dict[str, Any] = {"app": "shop.jobs:app", "queues": ["mail"]}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_is_sound_and_hardly_exposed(unit: Path, tmp_path: Path) -> None:
    analyze = find_program("systemd-analyze")
    copy = tmp_path / unit.name.replace("@", "@shop")
    shutil.copy(unit, copy)

    verified = subprocess.run([analyze, "verify", "--man=no", copy], capture_output=True, text=True, check=False)
    scored = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=25", "--no-pager", copy], capture_output=True, check=False
    )

    assert (verified.returncode, verified.stderr) == (0, "")
    assert scored.returncode == 0


def test_processes_know_every_variable_that_the_files_give_them() -> None:
    written = [*UNITS, *(SCHEMA.parent / "templates").iterdir()]
    named = {name for path in written for name in re.findall(r"MAINSPRING_[A-Z_]+", path.read_text())}
    services = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())["services"]
    ours = [service for service in services.values() if "mainspring:" in service["image"]]
    named |= {name for service in ours for name in service["environment"]}

    assert len(named) > 15
    check_variables(dict.fromkeys(named, ""))


def test_systemd_hears_that_a_process_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "20000000")

        assert notify(READY)
        assert systemd.recv(100) == b"READY=1"
        assert watchdog_period() == 10.0
    monkeypatch.delenv("NOTIFY_SOCKET")
    assert not notify(READY)


def test_an_executor_is_alive_while_its_loop_turns_and_ready_while_it_has_a_lease(tmp_path: Path) -> None:
    assert "no sign 'alive'" in executor_trouble(str(tmp_path), ready=False)

    touch(tmp_path / ALIVE)
    assert executor_trouble(str(tmp_path), ready=False) == ""
    assert "no sign 'leased'" in executor_trouble(str(tmp_path), ready=True)

    touch(tmp_path / LEASED)
    assert executor_trouble(str(tmp_path), ready=True) == ""
    os.utime(tmp_path / ALIVE, (1, 1))
    assert "has not turned" in executor_trouble(str(tmp_path), ready=False)


def test_files_are_written_out_and_none_is_lost(tmp_path: Path) -> None:
    invoke = CliRunner().invoke
    written = invoke(deploy_files, ["systemd", "--to", str(tmp_path)], catch_exceptions=False)
    again = invoke(deploy_files, ["systemd", "--to", str(tmp_path)], catch_exceptions=False)
    (tmp_path / "mainspring-server.service").write_text("mine")
    refused = invoke(deploy_files, ["systemd", "--to", str(tmp_path)])

    assert (written.exit_code, again.exit_code) == (0, 0)
    assert refused.exit_code != 0
    assert (tmp_path / "mainspring-server.service").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in (DEPLOY / "systemd").iterdir()}


def test_compose_waits_for_health_and_gives_each_process_its_grace() -> None:
    services = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())["services"]

    assert {"postgres", "migrate", "server-1", "server-2", "proxy", "executor"} <= services.keys()
    assert services["server-1"]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert services["server-2"]["stop_grace_period"] == "15s"
    assert not any("sleep" in str(service) for service in services.values())
    assert all("secrets" in services[name] for name in ("postgres", "server-1", "executor"))
    ours = [services[name] for name in ("migrate", "server-1", "server-2", "executor")]
    assert all(one["read_only"] and one["cap_drop"] == ["ALL"] and one["security_opt"] for one in ours)


@pytest.mark.parametrize(
    ("values", "is_good"),
    [
        ({}, True),
        ({"executors": {"mail": GROUP | {"grace": "120s", "replicas": 2}}}, True),
        ({"executors": {"burst": GROUP | {"scale": {"by": "keda", "min": 0, "max": 40, "slots": 8}}}}, True),
        (
            {"executors": {"long": GROUP | {"scale": {"by": "keda-job", "min": 0, "max": 4, "slots": 1, "runs": 1}}}},
            True,
        ),
        (
            {"executors": {"long": GROUP | {"scale": {"by": "keda-job", "min": 0, "max": 4, "slots": 1, "runs": 0}}}},
            False,
        ),
        ({"tls": {"existingSecret": "cert", "caSecret": "authority"}, "prometheusRule": {"enabled": True}}, True),
        ({"executors": {"mail": {"queues": ["mail"]}}}, False),
        ({"executors": {"mail": GROUP | {"scale": {"by": "cron", "min": 0, "max": 1, "slots": 1}}}}, False),
        (
            {"executors": {"mail": GROUP | {"replicas": 1, "scale": {"by": "keda", "min": 0, "max": 1, "slots": 1}}}},
            False,
        ),
        ({"executors": {"Mail_1": GROUP}}, False),
        ({"servers": {"replicas": 0}}, False),
        ({"servers": {"drainDelay": "soon"}}, False),
        ({"serverz": {}}, False),
    ],
)
def test_the_chart_s_schema_refuses_what_it_does_not_know(values: dict[str, Any], is_good: bool) -> None:
    defaults = yaml.safe_load((SCHEMA.parent / "values.yaml").read_text())
    schema = json.loads(SCHEMA.read_text())

    assert Draft7Validator(schema).is_valid(defaults | values) is is_good


def test_prometheus_is_given_no_token_that_changes_anything() -> None:
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
    scraping = yaml.safe_load((DEPLOY / "compose" / "prometheus.yml").read_text())["scrape_configs"][0]

    assert compose["services"]["prometheus"]["secrets"] == ["viewer_token"]
    assert compose["secrets"]["viewer_token"]["file"] == "./secrets/viewer_token"
    assert scraping["authorization"]["credentials_file"] == "/run/secrets/viewer_token"


def test_the_chart_brings_the_rules_that_are_tested() -> None:
    shipped, tested = SCHEMA.parent / "files" / "rules.yml", DEPLOY / "prometheus" / "rules.yml"

    assert shipped.read_text() == tested.read_text()


def test_the_chart_has_no_hooks() -> None:
    templates = [path.read_text() for path in (SCHEMA.parent / "templates").iterdir()]

    assert not any("helm.sh/hook" in text for text in templates)


def test_haproxy_starts_also_where_few_files_may_be_open(tmp_path: Path) -> None:
    places = {
        "PROXY_BIND": f"unix@{tmp_path}/in",
        "PROXY_SERVER_1": "127.0.0.1:2",
        "PROXY_SERVER_2": "127.0.0.1:3",
    }
    limited = [find_program("prlimit"), "--nofile=1024:1024", find_program("haproxy")]
    # -D returns once HAProxy listens; -c would not see a limit that is too low.
    started = subprocess.run(
        [*limited, "-D", "-p", tmp_path / "pid", "-f", DEPLOY / "haproxy" / "haproxy.cfg"],
        env=os.environ | places,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )

    assert started.returncode == 0
    for pid in (tmp_path / "pid").read_text().split():
        os.kill(int(pid), signal.SIGTERM)


def test_the_health_check_of_the_image_asks_the_port_that_the_server_is_given() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        answer = CliRunner().invoke(probe, [], env={"MAINSPRING_PORT": str(port), "MAINSPRING_URL": None})

    assert answer.exit_code == 1
    assert f"http://127.0.0.1:{port} cannot be reached" in answer.output
