"""The command line against a real server: what it prints and how it exits."""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from mainspring import App
from mainspring.cli.main import main
from mainspring.executor.executor import Executor
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, ServerSettings

app = App("commands")


@app.job
async def greet(name: str, times: int = 1) -> str:
    return f"hello {name}" * times


@app.job
def fail() -> None:
    raise ValueError("no luck")


@app.job(queue="nobody")
def never() -> None: ...


class Place:
    """A server with an executor, in threads of their own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.loop = asyncio.new_event_loop()
        self.stop = asyncio.Event()
        self.listening: asyncio.Queue[ServerSettings] = asyncio.Queue()
        self.thread = Thread(target=self.loop.run_forever)
        self.thread.start()
        settings = ServerSettings(home=str(home), port=0)
        self.server = asyncio.run_coroutine_threadsafe(
            serve(settings, self.stop, listening=self.listening.put_nowait), self.loop
        )
        found = asyncio.run_coroutine_threadsafe(self.listening.get(), self.loop).result()
        self.url = found.url
        here = ExecutorSettings(servers=(found.url,), token=found.executor_token, queues=("default",))
        self.executor = Executor(app.handlers, here)
        self.running = Thread(target=self.executor.run, kwargs={"signals": False})
        self.running.start()

    def close(self) -> None:
        self.executor.stop()
        self.running.join()
        self.loop.call_soon_threadsafe(self.stop.set)
        self.server.result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = Place(tmp_path_factory.mktemp("home"))
    yield made
    made.close()


class Shell:
    """Calls the command line in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self._monkeypatch.setattr(sys, "argv", ["mainspring", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        said = self._capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.fixture
def call(place: Place, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("MAINSPRING_URL", place.url)
    monkeypatch.setenv("MAINSPRING_HOME", str(place.home))
    code = 5
    while code != 0:
        # Until the executor has registered its jobs.
        code, _, _ = shell("enqueue", "greet", "name=x")
    return shell


def test_enqueue_and_wait_prints_the_result(call: Shell) -> None:
    assert call("enqueue", "greet", "name=Anna", "times=2", "--wait") == (0, '"hello Annahello Anna"\n', "")


def test_enqueue_prints_the_run_s_id_which_runs_show_knows(call: Shell) -> None:
    _, out, _ = call("enqueue", "never", "--priority", "9", "--delay", "60", "--queue", "elsewhere", "--key", "k")
    code, shown, _ = call("runs", "show", out.strip())
    _, again, _ = call("enqueue", "never", "--key", "k")

    assert code == 0
    assert f"run       {out.strip()}" in shown
    assert "priority  9" in shown
    assert again == out


def test_input_is_json_from_the_line_or_a_file(call: Shell, tmp_path: Path) -> None:
    (tmp_path / "input.json").write_text('{"name": "file"}')

    assert call("enqueue", "greet", "--input", '{"name": "line"}', "--wait")[1] == '"hello line"\n'
    assert call("enqueue", "greet", "--input", f"@{tmp_path / 'input.json'}", "--wait")[1] == '"hello file"\n'


def test_count_asks_for_many(call: Shell) -> None:
    code, out, _ = call("enqueue", "never", "--count", "3", "--output", "json")

    assert (code, len(json.loads(out))) == (0, 3)


def test_a_failed_run_exits_1_with_one_line(call: Shell) -> None:
    code, out, err = call("enqueue", "fail", "--wait")

    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert "ValueError: no luck" in err


def test_runs_are_listed_as_columns_or_json(call: Shell) -> None:
    call("enqueue", "never", "--count", "2", "--queue", "listed")
    _, table, more = call("runs", "list", "--queue", "listed", "--limit", "1")
    _, text, _ = call("runs", "list", "--queue", "listed", "--output", "json")

    assert table.splitlines()[0].split() == ["id", "job", "queue", "state", "attempt", "due", "at", "executor"]
    assert more.startswith("more: --cursor ")
    assert [run["queue"] for run in json.loads(text)["runs"]] == ["listed", "listed"]


def test_wait_and_logs(call: Shell) -> None:
    run = call("enqueue", "greet", "name=Bert")[1].strip()

    assert call("runs", "wait", run, "--timeout", "10") == (0, '"hello Bert"\n', "")
    assert call("runs", "logs", run) == (0, "", "")


def test_a_wait_that_is_too_short_exits_1(call: Shell) -> None:
    code, _, err = call("enqueue", "never", "--wait", "--timeout", "0.01")

    assert code == 1
    assert "is still waiting" in err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("enqueue", "nope"), 3, "unknown job 'nope'"),
        (("enqueue", "greet", "name=7"), 3, "input.name"),
        (("enqueue", "greet", "name"), 2, "'name' is not NAME=VALUE"),
        (("enqueue", "greet", "--due-at", "soon"), 2, "--due-at"),
        (("enqueue", "greet", "--input", "["), 2, "--input"),
        (("enqueue", "never", "--count", "2", "--key", "k"), 2, "--key"),
        (("runs", "show", "01900000-0000-7000-8000-000000000000"), 3, "unknown run"),
        (("runs", "list", "--url", "http://127.0.0.1:1"), 5, "cannot be reached"),
        (("runs", "list", "--home", "/nowhere"), 2, "no token"),
        (("runs", "list", "--colour"), 2, "No such option"),
        (("dance",), 2, "No such command 'dance'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_errors_have_their_exit_code_and_no_stack_trace(
    call: Shell, arguments: tuple[str, ...], code: int, said: str
) -> None:
    found, _, err = call(*arguments)

    assert found == code
    assert said in err
    assert "Traceback" not in err


def test_debug_shows_the_stack_trace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "argv", ["mainspring", "--debug", "runs", "list", "--home", str(tmp_path)])

    with pytest.raises(Exception, match="no token"):
        main()


def test_migrate_applies_checks_and_prints(shell: Shell, tmp_path: Path) -> None:
    home = ("--home", str(tmp_path / "fresh"))
    missing, _, said = shell("migrate", "--check", *home)
    _, sql, _ = shell("migrate", "--sql", *home)
    _, applied, _ = shell("migrate", *home)
    again = shell("migrate", *home)
    checked = shell("migrate", "--check", *home)

    assert missing == 4
    assert "mainspring migrate" in said
    assert "CREATE TABLE" in sql
    assert applied.startswith("applied 0001")
    assert again[:2] == checked[:2] == (0, "the schema is up to date\n")


def test_help_lists_every_command_without_loading_it(shell: Shell) -> None:
    code, out, _ = shell("--help")

    assert code == 0
    assert all(name in out for name in ("up", "server", "executor", "enqueue", "runs", "migrate"))


@pytest.mark.parametrize("name", ["up", "server", "executor", "enqueue", "runs", "migrate"])
def test_every_command_has_help(shell: Shell, name: str) -> None:
    code, out, _ = shell(name, "--help")

    assert code == 0
    assert out.startswith(f"Usage: mainspring {name}")


def test_an_app_that_breaks_on_import_is_one_line(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_app.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAINSPRING_EXECUTOR_TOKEN", "x")
    monkeypatch.setattr(sys, "path", list(sys.path))
    code, _, err = shell("executor", "broken_app:app")

    assert code == 1
    assert err == "mainspring: ZeroDivisionError: division by zero (--debug shows more)\n"
