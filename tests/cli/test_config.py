"""`mainspring config`: what counts, where it comes from, and what is wrong in a file."""

import json
from pathlib import Path

import pytest

from mainspring.settings.origins import hidden, list_settings
from mainspring.settings.sources import SECTIONS
from tests.cli.scene import Shell

GOOD = '[server]\nport = 1111\ndatabase_url = "postgresql://u:pw@db/m"\n[scheduler]\nbeat = 7\nlease = 20\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_setting_of_every_section_is_shown_with_its_origin(folder: Path, shell: Shell) -> None:
    (folder / "mainspring.toml").write_text(GOOD)
    shell("context", "add", "prod", "--url", "https://p", "--namespace", "n")
    code, out, _ = shell("config", "show", "--origin", "--output", "json", "--home", "h")
    found = {each["name"]: (each["value"], each["origin"]) for each in json.loads(out)}

    assert code == 0
    assert len(found) == sum(len(section.__struct_fields__) for section in SECTIONS) - 1
    assert found["server.port"] == (1111, "mainspring.toml [server] port")
    assert found["server.database_url"][0] == "postgresql://u:***@db/m"
    assert found["server.home"] == ("h", "--home")
    assert found["scheduler.beat"] == (7.0, "mainspring.toml [scheduler] beat")
    assert found["scheduler.poll"] == (1.0, "default")
    assert found["client.url"][0] == ["https://p"]
    assert found["client.url"][1].startswith("context prod (")


def test_the_table_is_as_one_would_write_it(folder: Path, shell: Shell) -> None:
    _, out, _ = shell("config", "show", "executor", "scheduler.hints")
    lines = dict(line.split(maxsplit=1) for line in out.splitlines() if len(line.split()) == 2)

    assert lines["executor.pools"] == "loop=0:200:600,threads=4:32:128,processes=0:2:32"
    assert lines["scheduler.hints"] == "true"
    assert not [name for name in lines if name.startswith("server.")]


def test_a_setting_that_nobody_knows_is_said(folder: Path, shell: Shell) -> None:
    assert shell("config", "show", "colour")[0] == 2


def test_secrets_are_hidden_wherever_they_come_from(folder: Path) -> None:
    (folder / "home").mkdir()
    (folder / "home" / "api.token").write_text("hush-1")
    (folder / "file").write_text("hush-2")
    env = {
        "MAINSPRING_EXECUTOR_TOKEN_FILE": str(folder / "file"),
        "MAINSPRING_DATABASE_URL": "postgresql://u:hush-3@db/m?password=hush-4&x=1",
        "MAINSPRING_HOME": str(folder / "home"),
    }
    found = {(each.section, each.name): each for each in list_settings(env=env)}

    assert "hush" not in repr(found.values())
    assert found["client", "token"].origin == str(folder / "home" / "api.token")
    assert found["executor", "token"].origin == "MAINSPRING_EXECUTOR_TOKEN_FILE"


@pytest.mark.parametrize(
    ("secret", "shown"),
    [
        ("", ""),
        ("abc", "***"),
        ("off", "off"),
        ("postgresql://db/m", "postgresql://db/m"),
        ("postgresql://u@db/m", "postgresql://u@db/m"),
        ("postgresql://u:p:w@db:5432/m?pooler=transaction", "postgresql://u:***@db:5432/m?pooler=transaction"),
        ("postgresql://db/m?user=u&PASSWORD=pw", "postgresql://db/m?user=u&PASSWORD=***"),
        ("sqlite:////tmp/m.db", "sqlite:////tmp/m.db"),
    ],
)
def test_of_an_address_only_the_password_is_hidden(secret: str, shown: str) -> None:
    assert hidden(secret) == shown


def test_check_says_all_that_is_wrong(folder: Path, shell: Shell) -> None:
    (folder / "bad.toml").write_text(
        '[server]\nprot = 1\nport = "many"\n[scheduler]\nbeat = 6\n[servr]\n[executor]\npools = ["x=1"]\n'
    )
    code, out, err = shell("config", "check", "bad.toml")

    assert (code, out) == (2, "")
    assert err.splitlines() == [
        "mainspring: bad.toml [server] prot: unknown setting; did you mean port?",
        "mainspring: bad.toml [server] port: Expected `int`, got `str`",
        "mainspring: [scheduler] beat (6.0 s) must be at most half of lease (10.0 s)",
        "mainspring: bad.toml [servr]: unknown table; did you mean server?",
        "mainspring: bad.toml [executor] pools: unknown pool 'x'; there are loop, threads, processes",
    ]


def test_check_takes_the_file_of_this_folder(folder: Path, shell: Shell) -> None:
    missing = shell("config", "check")
    (folder / "mainspring.toml").write_text(GOOD)

    assert (missing[0], missing[2]) == (
        2,
        "mainspring: configuration file 'mainspring.toml' cannot be read: No such file or directory\n",
    )
    assert shell("config", "check") == (0, "mainspring.toml is good\n", "")


def test_a_variable_or_a_flag_names_another_file(folder: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "mainspring.toml").write_text("[server]\nport = 1\n")
    (folder / "other.toml").write_text("[server]\nport = 2\n")
    by_folder = shell("config", "show", "server.port")[1]
    by_flag = shell("config", "show", "server.port", "--config", "other.toml")[1]
    monkeypatch.setenv("MAINSPRING_CONFIG", "other.toml")
    by_variable = shell("config", "show", "server.port")[1]

    assert by_folder.split()[-1] == "1"
    assert by_flag.split()[-1] == by_variable.split()[-1] == "2"


def test_a_folder_does_not_say_where_a_token_is_sent(folder: Path, shell: Shell) -> None:
    (folder / "mainspring.toml").write_text('[client]\nurl = "http://elsewhere"\n')
    found = shell("runs", "list")
    named = shell("config", "show", "client.url", "--config", "mainspring.toml")

    assert found[0] == 2
    assert "[client] counts only in a file that you name" in found[2]
    assert "http://elsewhere" in named[1]
