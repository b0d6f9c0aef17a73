"""The guides on jobs and executors: what they show is run, in their order, against a real server."""

import asyncio
import os
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Thread

import httpx2
import pytest

from mainspring import App, Client
from mainspring.executor.executor import Executor
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, ServerSettings
from tests.architecture.source import ROOT
from tests.cli.scene import Shell

TOKEN = "token-of-the-guides-which-is-long-enough"
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

app = App("guides")


@app.job
async def send_mail(to: str) -> None: ...


@app.job
async def reconcile(day: str) -> str:
    return day


@app.job
async def http(url: str, method: str = "POST") -> str:
    return f"{method} {url}"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server, with the executor that the guides speak of."""
    loop, stop, listening = asyncio.new_event_loop(), asyncio.Event(), asyncio.Queue[ServerSettings]()
    home = str(tmp_path_factory.mktemp("home"))
    settings = ServerSettings(home=home, port=0, api_token=TOKEN, executor_token=TOKEN + "-executor")
    thread = Thread(target=loop.run_forever)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(serve(settings, stop, listening=listening.put_nowait), loop)
    found = asyncio.run_coroutine_threadsafe(listening.get(), loop).result().url
    here = ExecutorSettings(servers=(found,), token=TOKEN + "-executor", name="press-1")
    executor = Executor(app.handlers, here)
    running = Thread(target=executor.run, kwargs={"signals": False})
    running.start()
    yield found
    executor.stop()
    running.join()
    loop.call_soon_threadsafe(stop.set)
    server.result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
def client(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setenv("MAINSPRING_URL", url)
    monkeypatch.setenv("MAINSPRING_TOKEN", TOKEN)
    monkeypatch.setenv("EDITOR", "true")
    with Client() as client:
        while not client.executors.list().executors or len(client.jobs.list().jobs) < len(app.handlers):
            pass
        yield client


def commands(name: str) -> list[str]:
    """What the page tells people to type, in its order."""
    text = (ROOT / "docs" / "guides" / f"{name}.md").read_text().replace("\\\n", " ")
    return [line[2:] for block in CONSOLE.findall(text) for line in block.splitlines() if line.startswith("$ ")]


def perform(shell: Shell, line: str) -> str:
    program, *arguments = shlex.split(line)
    if program == "mainspring":
        code, out, err = shell(*arguments)
        assert code == 0, f"{line}: {err}"
        return out
    assert program == "curl"
    return call_plainly([os.path.expandvars(argument) for argument in arguments])


def call_plainly(arguments: list[str]) -> str:
    """What curl would do; not every machine that runs the tests has it."""
    pairs = list(pairwise(arguments))
    headers = dict(value.split(": ", 1) for option, value in pairs if option == "-H")
    [method] = [value for option, value in pairs if option == "-X"]
    [content] = [value for option, value in pairs if option == "-d"]
    [address] = [argument for argument in arguments if argument.startswith("http")]
    answer = httpx2.request(method, address, headers=headers, content=content)
    assert answer.is_success, answer.text
    return answer.text


def test_the_guide_on_jobs_does_what_it_says(client: Client, shell: Shell) -> None:
    said = {line: perform(shell, line) for line in commands("jobs")}

    assert len(said) >= 10
    assert "https://partner.example/ping" in said["mainspring enqueue ping-partner --wait"]
    assert "retry.attempts" in said["mainspring jobs diff send_mail 1 2"]
    [started] = [out for line, out in said.items() if line.startswith("curl")]
    assert '"existing":false' in started
    assert client.jobs.get("send_mail").drifted is False


def test_the_python_of_the_guide_on_jobs_runs(client: Client) -> None:
    [code] = PYTHON.findall((ROOT / "docs" / "guides" / "jobs.md").read_text())
    exec(compile(code, "jobs.md", "exec"), {})

    assert client.jobs.get("send_mail").retry.attempts == 5


def test_the_guide_on_executors_does_what_it_says(client: Client, shell: Shell, tmp_path: Path) -> None:
    for line in commands("executors"):
        perform(shell, line)
    detail = client.executors.get("press-1")
    client.executors.uncordon("press-1")

    assert detail.cordon is not None
    assert (detail.cordon.reason, detail.cordon.grace) == ("new kernel", 120.0)
