"""The guides for those who write jobs: what they show is run, and prints what they say."""

import ast
import asyncio
import importlib
import inspect
import re
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from mainspring.executor.executor import Executor
from mainspring.executor.loading import load_handlers
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, ServerSettings
from tests.architecture.source import ROOT
from tests.client.conftest import TOKEN

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]

BLOCK = re.compile(r"^```python\n# (\w+\.py)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = ("writing-jobs", "middleware-and-injection")


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest) -> str:
    return (ROOT / "docs" / "guides" / f"{request.param}.md").read_text()


@pytest.fixture(scope="module")
def jobs(page: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The page's jobs.py, which can be imported."""
    folder = tmp_path_factory.mktemp("guide")
    (folder / "jobs.py").write_text("".join(code for name, code in BLOCK.findall(page) if name == "jobs.py"))
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    yield folder
    sys.path.remove(str(folder))
    del sys.modules["jobs"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def serving(jobs: Path) -> AsyncIterator[str]:
    """A server and an executor for the page's jobs."""
    settings = ServerSettings(home=str(jobs), port=0, api_token=TOKEN, executor_token=TOKEN + "-executor")
    stop, listening = asyncio.Event(), asyncio.Queue[ServerSettings]()
    server = asyncio.create_task(serve(settings, stop, listening=listening.put_nowait))
    url = (await listening.get()).url
    executor = Executor(
        load_handlers("jobs"), ExecutorSettings(servers=(url,), token=TOKEN + "-executor"), app="jobs:app"
    )
    running = asyncio.create_task(asyncio.to_thread(executor.run, signals=False))
    async with httpx2.AsyncClient(base_url=url) as http:
        while not (await http.get("/readyz")).json()["executors"]:
            pass
    yield url
    executor.stop()
    assert await running == 0
    stop.set()
    await server


async def test_what_the_guide_shows_prints_what_it_says(
    page: str, serving: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MAINSPRING_URL", serving)
    monkeypatch.setenv("MAINSPRING_TOKEN", TOKEN)
    shown: dict[str, Any] = {}
    blocks = [code for name, code in BLOCK.findall(page) if name != "jobs.py"]
    for code in ["from jobs import *", *blocks]:
        compiled = compile(code, "guide", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        found = await asyncio.to_thread(eval, compiled, shown)
        if inspect.isawaitable(found):
            await found
    expected = re.findall(r"print\(.*\)  # (.+)$", "\n".join(blocks), re.MULTILINE)
    await shown["app"].client.close()
    shown["app"].sync_client.close()

    assert capsys.readouterr().out.splitlines() == expected


async def test_every_python_block_of_the_guides_says_where_it_belongs(page: str) -> None:
    assert page.count("```python") == len(BLOCK.findall(page)) > 3
