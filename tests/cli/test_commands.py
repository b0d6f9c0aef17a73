"""The command line against a real server: what it prints and how it exits."""

import json
import sys
from pathlib import Path

import pytest

from mainspring.cli.main import main
from mainspring.version import __version__
from tests.cli.scene import Place, Shell


def test_enqueue_and_wait_prints_the_result(call: Shell) -> None:
    assert call("enqueue", "greet", "name=Anna", "times=2", "--wait") == (0, '"hello Annahello Anna"\n', "")


def test_enqueue_prints_the_run_s_id_which_runs_show_knows(call: Shell) -> None:
    _, out, _ = call("enqueue", "never", "--priority", "9", "--delay", "60", "--queue", "elsewhere", "--key", "k")
    code, shown, _ = call("runs", "show", out.strip())
    _, again, _ = call("enqueue", "never", "--key", "k")

    assert code == 0
    assert ["run", out.strip()] in [line.split() for line in shown.splitlines()]
    assert ["priority", "9"] in [line.split() for line in shown.splitlines()]
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

    assert table.splitlines()[0].split() == [
        *("id", "job", "queue", "state", "attempt"),
        *("due", "at", "executor", "reason"),
    ]
    assert more.startswith("more: --cursor ")
    assert [run["queue"] for run in json.loads(text)["runs"]] == ["listed", "listed"]


def test_wait_and_logs(call: Shell) -> None:
    run = call("enqueue", "greet", "name=Bert")[1].strip()

    assert call("runs", "wait", run, "--timeout", "10") == (0, '"hello Bert"\n', "")
    assert call("runs", "logs", run) == (0, "", "")


def test_a_wait_that_is_too_short_exits_6(call: Shell) -> None:
    code, _, err = call("enqueue", "never", "--wait", "--timeout", "0.01")

    assert code == 6
    assert "is still waiting" in err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("enqueue", "nope"), 3, "unknown job 'nope'"),
        (("enqueue", "gret", "name=x"), 3, "did you mean greet?"),
        (("enqueue", "greet", "name=7"), 3, "input.name"),
        (("enqueue", "greet", "name"), 2, "'name' is not NAME=VALUE"),
        (("enqueue", "greet", "--due-at", "soon"), 2, "--due-at"),
        (("enqueue", "greet", "--input", "["), 2, "--input"),
        (("enqueue", "never", "--count", "2", "--key", "k"), 2, "--key"),
        (("runs", "show", "01900000-0000-7000-8000-000000000000"), 3, "unknown run"),
        (("runs", "list", "--url", "http://127.0.0.1:1"), 5, "cannot be reached"),
        (("runs", "list", "--home", "/nowhere"), 2, "no token"),
        (("runs", "list", "--url", "localhost:8484"), 2, "is not the address of a server"),
        (("runs", "list", "--url", "http://:8484"), 2, "is not the address of a server"),
        (("runs", "list", "--url", "http://me:secret@127.0.0.1:8484"), 2, "leave user and password out of the address"),
        (("runs", "list", "--url", "http://h:99999999"), 2, "is not the address of a server"),
        (("runs", "list", "--colour"), 2, "No such option"),
        (("runs", "list", "--stat", "x"), 2, "'--state'"),
        (("runs", "lst"), 2, "'list'"),
        (("dance",), 2, "No such command 'dance'"),
        (("enqueu",), 2, "Did you mean 'enqueue'"),
        (("up", "--log-level", "loud"), 2, "'loud' is not one of"),
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


def test_the_token_of_a_home_that_nobody_named_goes_to_this_machine_only(
    place: Place, shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".mainspring").symlink_to(place.home)
    monkeypatch.chdir(tmp_path)
    here = shell("runs", "list", "--url", place.url, "--limit", "1")
    code, _, err = shell("runs", "list", "--url", "http://example.com")

    assert here[0] == 0
    assert code == 2
    assert "no token for http://example.com" in err


def test_versions_are_shown_of_both_sides(call: Shell) -> None:
    quick = call("--version")
    here = call("version", "--output", "json")
    both = call("version", "--server", "--output", "json")

    assert quick[1] == f"mainspring {__version__} (Python {sys.version.split()[0]})\n"
    assert json.loads(here[1])["version"] == __version__
    assert json.loads(both[1])["server"]["version"] == __version__


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
