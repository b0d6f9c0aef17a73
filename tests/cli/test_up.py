"""`mainspring up` as a visitor starts it: two real processes."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil
import pytest

from tests.support.limits import HANG

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


class Up:
    """A running `mainspring up`."""

    def __init__(self, home: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "mainspring", "up", *arguments, "--home", str(home), "--port", "0"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.home = home
        self.said = ""

    def listen(self) -> httpx2.Client:
        assert self.process.stdout is not None
        while not (found := re.search(r"server +(http://\S+)", self.said)):
            self.said += self.process.stdout.readline()
        token = (self.home / "api.token").read_text().strip()
        return httpx2.Client(base_url=found[1], headers={"authorization": f"Bearer {token}"}, timeout=HANG)

    def executor(self) -> psutil.Process:
        [child] = psutil.Process(self.process.pid).children()
        return child


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Up]:
    started = Up(tmp_path / "home")
    yield started
    started.process.kill()
    started.process.communicate()


def wait_for_executor(http: httpx2.Client) -> None:
    while not http.get("/readyz").json().get("executors"):
        pass


def wait_for_triggers(http: httpx2.Client, count: int) -> dict[str, str]:
    """Those that the code of the executor brings, and whose they are."""
    while len(found := http.get("/api/v1/triggers").json()["triggers"]) < count:
        pass
    return {each["name"]: each["owner"] for each in found}


def run_job(http: httpx2.Client, job: str, **arguments: object) -> object:
    accepted = http.post("/api/v1/runs", json={"job": job, "input": arguments}).json()
    return http.get(f"/api/v1/runs/{accepted['id']}?wait=30").json()["result"]


def test_the_examples_run_in_every_pool_and_a_signal_ends_both_processes(up: Up) -> None:
    with up.listen() as http:
        wait_for_executor(http)
        mail = run_job(http, "welcome_mail", email="a@b.c", name="Anna")
        picture = run_job(http, "thumbnail", picture="cat.jpg", width=64)
        report = run_job(http, "sales_report", day="2030-01-01", rounds=10)
        owners = wait_for_triggers(http, 5)
        executor = up.executor()
        up.process.send_signal(signal.SIGTERM)
        _, errors = up.process.communicate(timeout=HANG)

    assert owners == {
        "close_books": "night desk",
        "delete_old_carts": "back office",
        "rebuild-search": "shop",
        "sync-north": "back office",
        "sync-south": "back office",
    }
    assert mail == "Dear Anna, welcome! (sent to a@b.c)"
    assert picture == {"picture": "cat-64.jpg", "width": 64}
    assert str(report).startswith("report-2030-01-01-")
    assert up.process.returncode == 0, errors
    assert not executor.is_running()
    assert "Traceback" not in errors


def test_ctrl_c_is_called_by_its_name(up: Up) -> None:
    with up.listen() as http:
        wait_for_executor(http)
    up.process.send_signal(signal.SIGINT)
    _, errors = up.process.communicate(timeout=HANG)

    assert "Ctrl-C: draining; once more to end at once" in errors
    assert "SIGINT" not in errors
    assert "draining: nothing in hand" in errors


def test_the_commands_that_it_names_work_in_a_shell_that_knows_nothing_else(tmp_path: Path) -> None:
    started = Up(tmp_path / "home")
    with started.listen() as http:
        wait_for_executor(http)
        while "Watch it happen" not in started.said:
            assert started.process.stdout is not None
            started.said += started.process.stdout.readline()
    lines = [line.partition(":  ")[2].strip() or line.strip() for line in started.said.splitlines()]
    commands = [line for line in lines if " enqueue " in line or " runs list" in line or " top" in line]
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    said = [subprocess.run(line, shell=True, cwd=ROOT, env=bare, capture_output=True, check=False) for line in commands]
    started.process.kill()
    started.process.communicate()

    assert len(commands) == 3
    assert [each.returncode for each in said] == [0, 0, 0], [each.stderr for each in said]


def test_an_executor_that_dies_is_started_again(up: Up) -> None:
    with up.listen() as http:
        wait_for_executor(http)
        first = up.executor()
        first.kill()
        first.wait(HANG)
        result = run_job(http, "welcome_mail", email="a@b.c")

        assert result == "Dear friend, welcome! (sent to a@b.c)"
        assert up.executor().pid != first.pid


def test_an_executor_does_not_outlive_a_server_that_is_killed(up: Up) -> None:
    with up.listen() as http:
        wait_for_executor(http)
        executor = up.executor()
        up.process.kill()

        executor.wait(HANG)
    assert not executor.is_running()


def test_an_app_that_does_not_exist_ends_with_its_reason(tmp_path: Path) -> None:
    started = Up(tmp_path / "home", "no.such.module:app")
    _, errors = started.process.communicate(timeout=HANG)

    assert started.process.returncode == 2
    assert "no.such.module" in errors
    assert "Traceback" not in errors
