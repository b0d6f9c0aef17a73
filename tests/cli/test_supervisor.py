"""`mainspring executor --processes N`: several processes, one name, one drain, one exit code."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from mainspring.cli.processes.supervisor import as_options, count_of
from mainspring.errors import ConfigError
from mainspring.executor.process.cores import usable_cores
from mainspring.settings import TOKEN_EXECUTOR, read_token
from tests.cli.test_up import ROOT, Up, run_job
from tests.support.limits import HANG

pytestmark = pytest.mark.slow


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Up]:
    started = Up(tmp_path / "home")
    yield started
    started.process.kill()
    started.process.communicate()


class Fleet:
    """A running `mainspring executor --processes 2` beside a server."""

    def __init__(self, url: str, home: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "mainspring", "executor", "tests.cli.fleet:app", "--server", url]
        self.process = subprocess.Popen(
            [*command, "--home", str(home), "--name", "press", "--processes", "2", *arguments],
            cwd=ROOT,
            env={**os.environ, "MAINSPRING_EXECUTOR_TOKEN": read_token(str(home), TOKEN_EXECUTOR)},
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for_line(self, words: str, times: int = 1) -> None:
        assert self.process.stderr is not None
        while times:
            line = self.process.stderr.readline()
            assert line, "it ended"
            times -= words in line

    def children(self) -> list[psutil.Process]:
        found: list[psutil.Process] = psutil.Process(self.process.pid).children()
        return found

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=HANG)
        return self.process.returncode


@pytest.fixture
def fleet(up: Up) -> Iterator[Fleet]:
    with up.listen() as http:
        found = Fleet(str(http.base_url).rstrip("/"), up.home)
    yield found
    for child in found.children() if found.process.poll() is None else []:
        child.kill()
    found.process.kill()
    found.process.communicate()


def test_they_have_one_name_and_drain_together(up: Up, fleet: Fleet) -> None:
    fleet.wait_for_line("connected to", 2)
    children = fleet.children()
    with up.listen() as http:
        assert run_job(http, "whoami") in {child.pid for child in children}
        shown = http.get("/api/v1/executors").json()["executors"]

    assert [each["name"] for each in shown].count("press") == 2
    assert len(children) == 2
    assert fleet.end() == 0
    assert not any(child.is_running() for child in children)


def test_one_that_dies_is_started_again(fleet: Fleet) -> None:
    fleet.wait_for_line("connected to", 2)
    first, second = fleet.children()
    first.kill()
    fleet.wait_for_line("starting it again")
    fleet.wait_for_line("connected to")
    now = {child.pid for child in fleet.children()}

    assert (first.pid in now, second.pid in now, len(now)) == (False, True, 2)
    assert fleet.end() == 0


def test_none_of_them_shows_its_token(up: Up, fleet: Fleet) -> None:
    fleet.wait_for_line("connected to", 2)
    for process in (psutil.Process(fleet.process.pid), *fleet.children()):
        shown = Path("/proc", str(process.pid), "environ").read_text()

        assert "MAINSPRING_EXECUTOR_TOKEN=" in shown
        assert read_token(str(up.home), TOKEN_EXECUTOR) not in shown
    assert fleet.end() == 0


def test_a_second_signal_ends_them_at_once(up: Up, fleet: Fleet) -> None:
    fleet.wait_for_line("connected to", 2)
    children = fleet.children()
    with up.listen() as http:
        http.post("/api/v1/runs", json={"job": "sit"})
        while not any(run["state"] == "running" for run in http.get("/api/v1/runs").json()["runs"]):
            pass
    fleet.process.send_signal(signal.SIGTERM)
    fleet.wait_for_line("draining")
    fleet.process.send_signal(signal.SIGTERM)
    fleet.process.communicate(timeout=HANG)

    assert fleet.process.returncode == 128 + signal.SIGTERM
    psutil.wait_procs(children, timeout=HANG)
    assert not any(child.is_running() for child in children)


def test_settings_that_none_can_work_with_end_them_all(up: Up) -> None:
    with up.listen() as http:
        fleet = Fleet(str(http.base_url).rstrip("/"), up.home, "--pool", "loop=0:0:0")
    _, errors = fleet.process.communicate(timeout=HANG)

    assert fleet.process.returncode == 2
    assert "Traceback" not in errors
    assert re.search(r"needs a loop pool", errors)


def test_how_many_there_are() -> None:
    assert (count_of("3", 8), count_of("auto", 8)) == (3, 8)
    for bad in ("0", "-1", "many", "1:8", ""):
        with pytest.raises(ConfigError, match="neither a number above 0 nor auto"):
            count_of(bad, 8)


def test_a_control_groups_quota_bounds_the_cores(tmp_path: Path) -> None:
    here = len(os.sched_getaffinity(0))
    quota = tmp_path / "cpu.max"
    quota.write_text("max 100000\n")
    assert usable_cores(quota) == here
    quota.write_text("50000 100000\n")
    assert usable_cores(quota) == 1
    assert usable_cores(tmp_path / "none") == here


def test_children_get_the_options_of_their_command() -> None:
    flags = {"servers": ("a", "b"), "labels": ("zone=eu",), "stop_grace": 1.5, "name": None, "code_version": "7"}

    assert list(as_options(flags)) == [
        *("--server", "a", "--server", "b", "--label", "zone=eu"),
        *("--stop-grace", "1.5s", "--code-version", "7"),
    ]
