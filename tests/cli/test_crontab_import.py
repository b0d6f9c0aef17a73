"""Crontabs mean here what they mean to cron, and everything that differs is said."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mainspring.cli.importers import places
from mainspring.domain.imports.crontab import read_crontab
from mainspring.domain.imports.found import Imported
from mainspring.errors import ConfigError

NOW = datetime(2030, 1, 1, tzinfo=UTC)
ETC = "# m h dom mon dow user  command\n17 * * * * backup  run-it --all\n"


def found(text: str, **options: Any) -> Imported:
    return read_crontab(text, zone="UTC", now=NOW, **options)


def inputs(text: str, **options: Any) -> list[dict[str, Any]]:
    return [msgspec.json.decode(each.spec.input) for each in found(text, **options).taken]


@pytest.mark.parametrize(
    ("command", "stdin"),
    [
        ("mail joe%Joe,%go home.", "Joe,\ngo home.\n"),
        ("mail joe%Joe,%%bye%", "Joe,\n\nbye\n"),
        ("mail joe%", None),
        (r"mail joe%100\% of\it%", "100% of\\it\n"),
    ],
)
def test_what_follows_a_percent_sign_is_stdin_with_a_line_end(command: str, stdin: str | None) -> None:
    [given] = inputs(f"0 5 * * * {command}")

    assert (given["command"], given.get("stdin")) == ("mail joe", stdin)


@pytest.mark.parametrize(
    ("written", "command"),
    [(r"date +\%F", "date +%F"), (r"echo a\\%b", r"echo a\\"), (r"echo a\b", r"echo a\b"), (r"x \\\% y", r"x \\% y")],
)
def test_escapes_in_a_command_are_those_of_cron(written: str, command: str) -> None:
    assert inputs(f"0 5 * * * {written}")[0]["command"] == command


@pytest.mark.parametrize("text", ["17 * * * * root run-parts /etc/cron.hourly\n", ETC])
def test_a_system_crontab_that_was_not_called_one_is_refused(text: str) -> None:
    seen = found(text)

    assert seen.taken == ()
    assert "which is the user in a system crontab: say --system" in seen.refused[0].reason
    assert inputs(text, with_users=True)[0]["command"].startswith("run-")
    assert len(inputs(text, with_users=False)) == 1


def test_a_user_s_crontab_that_was_called_the_system_s_is_refused() -> None:
    seen = found("0 5 * * * /usr/bin/backup --all\n", with_users=True)

    assert [each.reason for each in seen.refused] == [
        "has '/usr/bin/backup' where --system has a user: is this a user's own crontab?"
    ]


def test_a_command_that_a_user_is_called_like_is_one_all_the_same() -> None:
    assert inputs("0 5 * * * mail -s x joe\n5 5 * * * root\n")[0]["command"] == "mail -s x joe"


def test_home_and_shell_reach_the_command_as_cron_passes_them_on() -> None:
    [given] = inputs("HOME=/srv/shop\nSHELL=/bin/bash\n0 5 * * * ls ~\n")

    assert given["cwd"] == "/srv/shop"
    assert given["command"] == ["/bin/bash", "-c", "ls ~"]
    assert given["env"] == {"HOME": "/srv/shop", "SHELL": "/bin/bash"}


def test_limit_folder_and_retry_are_told_where_they_differ_from_cron_s() -> None:
    seen = found("0 5 * * * ls\nHOME=/srv\nPATH=/bin\n1 5 * * * ls\n")
    said = " | ".join(remark.text for remark in seen.remarks)

    assert "these get 7 days" in said
    assert "one whose executor is lost is started again" in said
    assert "these start in the executor's folder: line 1 |" in f"{said} |"
    assert inputs("0 5 * * * ls")[0]["timeout"] == 7 * 24 * 3600


@pytest.mark.parametrize("name", ["MAILTO", "MAILFROM", "LOGNAME", "RANDOM_DELAY", "START_HOURS_RANGE", "TZ"])
def test_a_variable_that_is_cron_s_own_is_remarked_with_its_line(name: str) -> None:
    seen = found(f"\n{name}=5\n0 5 * * * ls\n")

    assert [remark.line for remark in seen.remarks if remark.line] == [2]


def test_flags_of_bsd_s_cron_are_refused() -> None:
    assert "a flag of BSD's cron" in found("0 5 * * * -n -q backup").refused[0].reason


def test_a_machine_whose_zone_has_no_name_asks_for_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(places, "LOCALTIME", tmp_path / "localtime")
    monkeypatch.setattr(places, "TIMEZONE", tmp_path / "timezone")
    nothing = places.local_zone()
    (tmp_path / "localtime").write_bytes(b"TZif2")

    assert nothing == "UTC"
    with pytest.raises(ConfigError, match="say --zone"):
        places.local_zone()
    (tmp_path / "timezone").write_text("Europe/Rome\n")
    assert places.local_zone() == "Europe/Rome"
