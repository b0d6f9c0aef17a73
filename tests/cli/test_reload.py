"""`up --reload`: the executor starts again when its code changes."""

import asyncio
import os
import re
from pathlib import Path

import pytest

from mainspring.cli.processes.reload import LOOK_EVERY, CodeWatch, take_picture
from mainspring.testing.clock import FakeClock
from tests.cli.scene import Shell
from tests.support.processes import Fleet, ServerProcess

JOBS = """
from mainspring import App

app = App("reload")


@app.job
def say() -> str:
    return "{word}"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "jobs.py").write_text("1")
    return tmp_path


def touch(path: Path, instant: int) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("1")
    os.utime(path, (instant, instant))


@pytest.mark.parametrize("name", ["package/jobs.py", "new.py", "mainspring.toml"])
async def test_a_file_that_is_written_or_added_is_noticed(folder: Path, name: str) -> None:
    clock = FakeClock()
    watch = CodeWatch(folder, clock)
    watching = asyncio.create_task(watch.changed(asyncio.Event()))
    await look(clock)
    unmoved = watching.done()
    touch(folder / name, 1_000_000_000)
    await look(clock)

    assert not unmoved
    assert watching.done()


async def test_a_file_that_is_removed_is_noticed_and_only_once(folder: Path) -> None:
    clock, stop = FakeClock(), asyncio.Event()
    watch = CodeWatch(folder, clock)
    (folder / "package" / "jobs.py").unlink()
    first = asyncio.create_task(watch.changed(stop))
    await look(clock)
    second = asyncio.create_task(watch.changed(stop))
    await look(clock)
    again = second.done()
    stop.set()
    await second

    assert (first.done(), again) == (True, False)


@pytest.mark.parametrize("name", [".venv/a.py", "node_modules/a.py", "__pycache__/a.py", "notes.txt", "data.db"])
def test_what_is_not_code_is_passed_by(folder: Path, name: str) -> None:
    before = take_picture(folder)
    touch(folder / name, 1_000_000_000)

    assert take_picture(folder) == before


async def look(clock: FakeClock) -> None:
    """Let the watch take its next look."""
    for _ in range(5):
        await asyncio.sleep(0)
    clock.advance(LOOK_EVERY)
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.slow
async def test_new_code_runs_after_a_change_also_when_it_was_broken_between(shell: Shell, tmp_path: Path) -> None:
    jobs = tmp_path / "code" / "jobs.py"
    jobs.parent.mkdir()
    jobs.write_text(JOBS.format(word="old"))
    fleet = Fleet(tmp_path, code=jobs.parent)
    try:
        up = await fleet.up("jobs:app", "--reload", api_token="", executor_token="").ready(executors=1)
        old = await say(fleet, up, tmp_path)
        jobs.write_text("broken(")
        await up.says("waiting for its code to change")
        jobs.write_text(JOBS.format(word="new"))
        await up.hear(re.compile(r"connected to .*connected to ", re.DOTALL))
        new = await say(fleet, up, tmp_path)
        code = await up.terminate()
    finally:
        fleet.close()

    assert (old, new, code) == ('"old"', '"new"', 0)


async def say(fleet: Fleet, up: ServerProcess, folder: Path) -> str:
    asked = fleet.command("enqueue", "say", "--wait", "--home", str(folder / "home"), "--url", up.url)
    await asked.wait()
    return asked.said.strip()
