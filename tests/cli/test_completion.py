"""Completion in shells: commands and options at once, names from the server if it answers."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.scene import Place, Shell
from tests.support.processes import clean_environment


def complete(words: str, **env: str) -> list[str]:
    """What bash would be offered for the last word."""
    given = words.split(" ")
    done = subprocess.run(
        [sys.executable, "-m", "mainspring"],
        env=clean_environment(
            _MAINSPRING_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(len(given) - 1), **env
        ),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.split()]


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_the_script_is_printed_for_each_shell(shell: Shell, name: str) -> None:
    code, out, err = shell("completion", name)

    assert (code, err) == (0, "")
    assert f"_MAINSPRING_COMPLETE={name}_complete" in out


def test_the_script_is_one_that_bash_can_read(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "script").write_text(shell("completion", "bash")[1])
    bash = shutil.which("bash")
    assert bash is not None

    assert subprocess.run([bash, "-n", tmp_path / "script"], check=False).returncode == 0


def test_an_unknown_shell_is_refused(shell: Shell) -> None:
    code, _, err = shell("completion", "csh")

    assert code == 2
    assert "'csh' is not one of" in err


def test_commands_options_and_choices_are_completed() -> None:
    assert complete("mainspring co") == ["config", "context", "completion"]
    assert complete("mainspring runs l") == ["list", "logs"]
    assert complete("mainspring runs list --sta") == ["--state"]
    assert complete("mainspring runs list --output ") == ["table", "json", "yaml", "name"]
    assert complete("mainspring runs list --state can") == ["cancelled"]


def test_names_of_contexts_are_completed(shell: Shell, user_folder: Path) -> None:
    for name in ("prod", "play", "test"):
        shell("context", "add", name, "--url", "http://127.0.0.1:1")

    assert complete("mainspring context use p", XDG_CONFIG_HOME=str(user_folder)) == ["play", "prod"]
    assert complete("mainspring runs list --context t", XDG_CONFIG_HOME=str(user_folder)) == ["test"]


def test_names_are_asked_of_the_server(call: Shell, place: Place) -> None:
    run = call("enqueue", "never")[1].strip()
    env = {"MAINSPRING_URL": place.url, "MAINSPRING_HOME": str(place.home)}

    assert run in complete("mainspring runs show ", **env)
    assert complete(f"mainspring runs show {run}", **env) == [run]


def test_a_server_that_is_not_there_costs_nothing() -> None:
    env = {"MAINSPRING_URL": "http://127.0.0.1:1", "MAINSPRING_TOKEN": "any"}

    assert complete("mainspring runs show ", **env) == []
    assert complete("mainspring enqueue ", **env) == []
