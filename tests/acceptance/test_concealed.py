"""No process of ours shows a token to others of the same user: not where its environment can be read, nor its arguments."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest

from tests.acceptance.scene import Scene
from tests.support.processes import API_TOKEN, EXECUTOR_TOKEN

pytestmark = [pytest.mark.slow]

JOB = {"handler": "shell"}
READ = "cat /proc/$PPID/environ /proc/$PPID/cmdline | tr '\\0' '\\n'; env"


def shown_by(process: psutil.Process) -> str:
    """All that the system tells others about how it was started."""
    place = Path("/proc", str(process.pid))
    return (place / "environ").read_bytes().decode() + (place / "cmdline").read_bytes().decode()


async def ended(http: httpx2.AsyncClient, wanted: dict[str, Any]) -> Any:
    made = (await http.post("/api/v1/runs", json=wanted)).json()
    return (await http.get(f"/api/v1/runs/{made['id']}", params={"wait": 30})).json()


async def test_a_command_finds_no_token_in_any_process_of_ours(scene: Scene) -> None:
    up = await scene.fleet.up(executor_allow="shell", token=API_TOKEN).ready(executors=1)
    async with up.http() as http:
        await http.put("/api/v1/jobs/look", json=JOB, headers={"if-none-match": "*"})
        report = {"job": "sales_report", "input": {"day": "2030-01-01", "rounds": 10}}
        await ended(http, report)
        looked = await ended(http, {"job": "look", "input": {"command": READ}})
    started = psutil.Process(up.pid)
    processes = [started, *started.children(recursive=True)]
    shown = [shown_by(process) for process in processes]

    assert looked["state"] == "succeeded", looked
    assert "MAINSPRING_HOME=" in looked["result"]["output"]
    assert len(processes) >= 3, [process.cmdline() for process in processes]
    for text in (looked["result"]["output"], *shown):
        assert API_TOKEN not in text
        assert EXECUTOR_TOKEN not in text


def test_code_of_the_process_still_finds_the_token_that_is_for_it() -> None:
    code = (
        "import os, subprocess; from mainspring.settings.concealing import conceal; conceal();"
        "print(os.environ.get('MAINSPRING_TOKEN'), os.environ.get('MAINSPRING_EXECUTOR_TOKEN'),"
        "open('/proc/self/environ').read().count('hidden'),"
        "subprocess.run(['/usr/bin/printenv', 'MAINSPRING_TOKEN'], stdout=-1, text=True).stdout, end='')"
    )
    env = {**os.environ, "MAINSPRING_TOKEN": "hidden-a", "MAINSPRING_EXECUTOR_TOKEN": "hidden-b", "AFTER": "hidden-c"}
    said = subprocess.run([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True, check=True).stdout

    assert said == "hidden-a None 1 hidden-a\n"
