"""The guides on queues and live events: what they show is run, against a real server."""

import ast
import asyncio
import inspect
import re
import shlex
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from click.testing import CliRunner

from mainspring import AsyncClient
from mainspring.cli.main import command
from mainspring.executor.executor import Executor
from mainspring.executor.loading import load_handlers
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, ServerSettings
from tests.architecture.source import ROOT
from tests.client.conftest import TOKEN

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]

PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ mainspring (.+)$", re.MULTILINE)
APP = "mainspring.examples.shop:app"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def serving(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A server with the shop's executor."""
    home = tmp_path_factory.mktemp("home")
    settings = ServerSettings(home=str(home), port=0, api_token=TOKEN, executor_token=TOKEN + "-executor")
    stop, listening = asyncio.Event(), asyncio.Queue[ServerSettings]()
    server = asyncio.create_task(serve(settings, stop, listening=listening.put_nowait))
    url = (await listening.get()).url
    here = ExecutorSettings(servers=(url,), token=TOKEN + "-executor", queues=("default", "mail"))
    executor = Executor(load_handlers(APP), here, app=APP)
    running = asyncio.create_task(asyncio.to_thread(executor.run, signals=False))
    async with httpx2.AsyncClient(base_url=url) as http:
        while not (await http.get("/readyz")).json()["executors"]:
            pass
    yield url
    executor.stop()
    assert await running == 0
    stop.set()
    await server


@pytest.fixture(autouse=True)
def environment(serving: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAINSPRING_URL", serving)
    monkeypatch.setenv("MAINSPRING_TOKEN", TOKEN)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def page(name: str) -> str:
    return (ROOT / "docs" / "guides" / f"{name}.md").read_text()


async def run_blocks(name: str) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for code in PYTHON.findall(page(name)):
        found = eval(compile(code, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), shown)
        if inspect.isawaitable(found):
            await found
    return shown


async def test_the_python_of_the_queues_guide_runs(capsys: pytest.CaptureFixture[str]) -> None:
    shown = await run_blocks("queues")
    client: AsyncClient = shown["client"]
    mail = await client.queues.get("mail")
    await client.close()
    await shown["patient"].close()

    assert "mail 0 0 None" in capsys.readouterr().out.splitlines()
    assert (mail.paused, mail.max_queued) == (None, 10_000)


async def test_the_python_of_the_events_guide_runs(capsys: pytest.CaptureFixture[str]) -> None:
    shown = await run_blocks("events")
    client: AsyncClient = shown["client"]
    following = asyncio.create_task(shown["follow"]())
    printed = ""
    while "queue.paused mail" not in printed:
        await client.queues.pause("mail")
        await client.queues.resume("mail")
        printed += capsys.readouterr().out
    following.cancel()
    await asyncio.wait((following,))
    await client.close()

    assert "succeeded 1" in printed


async def test_the_commands_of_the_queues_guide_work() -> None:
    commands = [shlex.split(line) for line in COMMAND.findall(page("queues"))]
    done = [await asyncio.to_thread(CliRunner().invoke, command, arguments) for arguments in commands]

    assert [
        (arguments, answer.output) for arguments, answer in zip(commands, done, strict=True) if answer.exit_code
    ] == []
    assert len(commands) > 5
