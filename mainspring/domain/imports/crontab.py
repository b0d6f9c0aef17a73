"""Crontabs, of users and of the system: every line is a trigger of the built-in handler `shell`."""

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

import msgspec

from mainspring.domain.imports.crontab_lines import name_for, parted, split, unquoted, user_of
from mainspring.domain.imports.found import Collector, Imported, UnfitError, slug
from mainspring.domain.jobs.rules import COMMAND_MAX

JOB = "shell"
VARIABLE = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|\"[^\"]+\"|'[^']+')\s*=\s*(.*?)\s*$")
ANSIBLE = re.compile(r"#\s*Ansible:\s*(.+?)\s*$")
HEADER = re.compile(r"#.*\bdow\s+user(-name)?\b|#.*\buser-name\s+command\b", re.IGNORECASE)
"""The comment that distributions put above the lines of a system crontab."""
ZONE = "CRON_TZ"
TZ_SAYS = "TZ is for the commands, as it is to cron; CRON_TZ or --zone says when to fire"
LEFT_OUT = {
    "MAILTO": "output is not mailed: it is in the run's log",
    "MAILFROM": "output is not mailed: it is in the run's log",
    "CONTENT_TYPE": "output is not mailed: it is in the run's log",
    "CONTENT_TRANSFER_ENCODING": "output is not mailed: it is in the run's log",
    "LOGNAME": "LOGNAME is left out: commands run as the executor's user",
    "RANDOM_DELAY": "RANDOM_DELAY is left out: give these triggers a jitter",
    "START_HOURS_RANGE": "START_HOURS_RANGE is anacron's, and left out",
}
"""Variables that mean something to cron itself, with the words for those who rely on it."""
DAYS = int(COMMAND_MAX // 86_400)
OF_ALL = (
    f"cron sets no limit to a command's time: these get {DAYS} days, the longest that shell takes",
    (
        "cron starts a command once: one whose executor is lost is started again (on_lost of the job shell), and one that"
        " fails as often as that job's retry policy says, by default not again"
    ),
    "cron forgets what was due while it was down: the last missed instant is made up for (misfire of the trigger)",
)
WITHOUT = {
    "HOME": "cron starts commands in the user's home folder, and without HOME above them these start in the executor's folder",
    "PATH": "cron's PATH is /usr/bin:/bin, and without PATH above them these have the executor's",
}


class CrontabSetting(msgspec.Struct):
    """Everything that the lines above say."""

    zone: str
    variables: dict[str, str] = msgspec.field(default_factory=dict)
    comment: str = ""
    name: str = ""


class CrontabReader:
    """One crontab; `users` are the names that no command has, to tell a system crontab by."""

    def __init__(self, *, zone: str, now: datetime, with_users: bool | None, users: frozenset[str]) -> None:
        self._collector = Collector(now=now)
        self._setting = CrontabSetting(zone)
        self._with_users = with_users
        self._users = users
        self._has_header = False
        self._without: dict[str, list[int]] = {name: [] for name in WITHOUT}

    def read(self, text: str) -> Imported:
        for number, line in enumerate(text.split("\n"), start=1):
            self._read_line(number, line, line.strip())
        for words in OF_ALL if self._collector.has_taken else ():
            self._collector.remark(0, words)
        for name, lines in self._without.items():
            if lines:
                self._collector.remark(0, f"{WITHOUT[name]}: line{'s'[: len(lines) > 1]} {', '.join(map(str, lines))}")
        return self._collector.found()

    def _read_line(self, number: int, line: str, stripped: str) -> None:
        setting = self._setting
        if stripped.startswith("#"):
            self._has_header = self._has_header or HEADER.match(stripped) is not None
            note_comment(setting, stripped)
        elif (variable := VARIABLE.fullmatch(line)) and not stripped[0].isdigit():
            self._set(number, unquoted(variable[1]), unquoted(variable[2]))
        else:
            if stripped:
                self._take(number, stripped)
            setting.comment = setting.name = ""

    def _set(self, number: int, name: str, value: str) -> None:
        if name == ZONE:
            self._setting.zone = value
        self._setting.variables[name] = value
        if name in LEFT_OUT and value:
            self._collector.remark(number, LEFT_OUT[name])
        if name == "TZ" and ZONE not in self._setting.variables:
            self._collector.remark(number, TZ_SAYS)

    def _take(self, number: int, line: str) -> None:
        # SUSE's cron does not log lines that begin so.
        plain = line.removeprefix("-")
        try:
            expression, rest = split(plain)
            self._refuse_users(rest)
            user, rest = user_of(rest, with_users=self._with_users is True)
            fields = trigger_fields(expression, rest, self._setting)
        except UnfitError as error:
            self._collector.refuse(number, line, str(error))
            return
        is_taken = self._collector.take(number, fields, text=line, notes=notes_on(line, rest, user))
        for name, lines in self._without.items():
            if is_taken and name not in self._setting.variables:
                lines.append(number)

    def _refuse_users(self, rest: str) -> None:
        """Raises UnfitError for a line of a system crontab that was not called one."""
        first = rest.split(None, 1)[0] if rest.split() else ""
        if self._with_users is None and (self._has_header or (first in self._users and first != rest.strip())):
            raise UnfitError(
                f"would run {first!r} as a command, which is the user in a system crontab: say --system,"
                " or --no-system if it is the command"
            )


def read_crontab(
    text: str,
    *,
    zone: str,
    now: datetime,
    with_users: bool | None = None,
    users: frozenset[str] = frozenset({"root"}),
) -> Imported:
    """`zone` is that of the machine, for lines that no `CRON_TZ` is above; `with_users`: the command has a user before it.

    None: it is not known, and lines that look so are refused.
    """
    return CrontabReader(zone=zone, now=now, with_users=with_users, users=users).read(text)


def note_comment(setting: CrontabSetting, line: str) -> None:
    """The comment above a line: its description, and for Ansible also its name."""
    if named := ANSIBLE.match(line):
        setting.name = named[1]
    else:
        setting.comment = line.lstrip("#").strip()


def trigger_fields(expression: str, rest: str, setting: CrontabSetting) -> dict[str, Any]:
    command, stdin = parted(rest)
    if not command:
        raise UnfitError("has no command before its first %")
    given = setting.variables
    arguments = {
        "command": words_for(command, given),
        "env": {name: value for name, value in given.items() if name != ZONE and name not in LEFT_OUT},
        "cwd": given.get("HOME"),
        "stdin": stdin,
        "timeout": int(COMMAND_MAX),
    }
    return {
        "name": slug(setting.name) or name_for(command),
        "job": JOB,
        "cron": expression,
        "zone": setting.zone,
        "description": setting.comment or setting.name,
        "input": {name: value for name, value in arguments.items() if value},
    }


def words_for(command: str, variables: Mapping[str, str]) -> Any:
    shell = variables.get("SHELL", "/bin/sh")
    return command if shell == "/bin/sh" or PurePosixPath(shell).name == "sh" else [shell, "-c", command]


def notes_on(line: str, rest: str, user: str) -> list[str]:
    notes = [f"ran as {user}; now as the executor's user"] if user else []
    if line.startswith("-"):
        notes.append("the - before it, which keeps it out of the system's log, is left out")
    if "~" in " ".join(line.split()[:5]):
        notes.append("a random time is chosen once, and not whenever the file is read")
    if "\\\\" in rest:
        notes.append(r"\\ is kept as it is; some crons make one backslash of it")
    return notes
