"""Crontabs, of users and of the system: every line is a trigger of the built-in handler `shell`."""

import re
import shlex
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

import msgspec

from mainspring.cli.importers.found import Collector, Found, UnfitError, slug

JOB = "shell"
VARIABLE = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|\"[^\"]+\"|'[^']+')\s*=\s*(.*?)\s*$")
ANSIBLE = re.compile(r"#\s*Ansible:\s*(.+?)\s*$")
RANDOM = re.compile(r"(\d*)~(\d*)")
ZONE = "CRON_TZ"
KEPT_BACK = frozenset({ZONE, "MAILTO", "MAILFROM", "SHELL", "HOME", "LOGNAME", "USER", "RANDOM_DELAY"})
"""Variables that mean something to cron itself, or that only say what cron would have done."""
WRAPPERS = frozenset(
    {"env", "nice", "ionice", "sudo", "flock", "timeout", "chronic", "nohup", "exec", "time", "test", "["}
)
TIME_FIELDS = 5
RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))


class Setting(msgspec.Struct):
    """What the lines above say."""

    zone: str
    variables: dict[str, str] = msgspec.field(default_factory=dict)
    comment: str = ""
    name: str = ""


def read_crontab(text: str, *, zone: str, now: datetime, with_users: bool = False) -> Found:
    """`zone` is that of the machine, for lines that no `CRON_TZ` is above; `with_users`: the command has a user before it."""
    collector, setting = Collector(now=now), Setting(zone)
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped:
            setting.comment = setting.name = ""
        elif stripped.startswith("#"):
            note_comment(setting, stripped)
        elif (variable := VARIABLE.fullmatch(line)) and not stripped[0].isdigit():
            set_variable(setting, unquoted(variable[1]), unquoted(variable[2]))
        else:
            read_line(collector, number, stripped, setting, with_users=with_users)
            setting.comment = setting.name = ""
    return collector.found()


def note_comment(setting: Setting, line: str) -> None:
    """The comment above a line says what it is for; Ansible's also how it is called."""
    if named := ANSIBLE.match(line):
        setting.name = named[1]
    else:
        setting.comment = line.lstrip("#").strip()


def set_variable(setting: Setting, name: str, value: str) -> None:
    if name == ZONE:
        setting.zone = value
    setting.variables[name] = value


def read_line(collector: Collector, number: int, line: str, setting: Setting, *, with_users: bool) -> None:
    try:
        expression, rest = split(line)
        user, command = user_of(rest, with_users=with_users)
        fields, notes = trigger_fields(expression, command, setting, user)
    except UnfitError as error:
        collector.refuse(number, line, str(error))
        return
    collector.take(number, fields, text=line, notes=notes)


def user_of(rest: str, *, with_users: bool) -> tuple[str, str]:
    user, command = (*rest.split(None, 1), "", "")[:2] if with_users else ("", rest)
    if not command:
        raise UnfitError("has no command" + (" behind the user" if with_users else ""))
    return user, command


def split(line: str) -> tuple[str, str]:
    """When, and what."""
    # SUSE's cron keeps quiet about lines that begin so.
    line = line.removeprefix("-")
    parts = line.split(None, 1 if line.startswith("@") else TIME_FIELDS)
    if line.startswith("@"):
        if parts[0].lower() == "@reboot":
            raise UnfitError(
                "@reboot is no time: have the machine's own init start it, or a trigger when it is deployed"
            )
        return parts[0], parts[1] if len(parts) == 2 else ""
    if len(parts) <= TIME_FIELDS:
        raise UnfitError(f"has {len(parts)} fields where five of time and a command belong")
    times = (settled(each, *bounds) for each, bounds in zip(parts[:TIME_FIELDS], RANGES, strict=True))
    return " ".join(times), parts[TIME_FIELDS]


def settled(field: str, low: int, high: int) -> str:
    """`0~59` is chosen anew by cronie whenever it reads the file, and once for ever here."""
    return RANDOM.sub(lambda found: f"H({found[1] or low}-{found[2] or high})", field)


def trigger_fields(expression: str, rest: str, setting: Setting, user: str) -> tuple[dict[str, Any], list[str]]:
    command, stdin = parted(rest)
    given = setting.variables
    given_shell = given.get("SHELL", "/bin/sh")
    words: Any = command if PurePosixPath(given_shell).name == "sh" else [given_shell, "-c", command]
    env = {name: value for name, value in given.items() if name not in KEPT_BACK}
    arguments = {"command": words, "env": env, "cwd": given.get("HOME"), "stdin": stdin}
    fields: dict[str, Any] = {
        "name": slug(setting.name) or name_for(command),
        "job": JOB,
        "cron": expression,
        "zone": setting.zone,
        "description": setting.comment or setting.name,
        "input": {name: value for name, value in arguments.items() if value},
    }
    return fields, notes_on(given, user)


def notes_on(variables: Mapping[str, str], user: str) -> list[str]:
    notes = [f"ran as {user}; now as the executor's user"] if user else []
    if variables.get("MAILTO"):
        notes.append(f"output went to {variables['MAILTO']}; now to the run's log")
    if "TZ" in variables and ZONE not in variables:
        notes.append("TZ is for the command, as it is to cron; CRON_TZ or --zone says when to fire")
    if "RANDOM_DELAY" in variables:
        notes.append("RANDOM_DELAY is left out: see jitter")
    return notes


def parted(rest: str) -> tuple[str, str | None]:
    """The command and its stdin: the first percent sign parts them, the others are line ends; `\\%` is the sign itself."""
    pieces = [piece.replace("\\%", "%") for piece in re.split(r"(?<!\\)%", rest)]
    command, *lines = pieces
    return command.strip(), "\n".join(lines) if lines else None


def name_for(command: str) -> str:
    """What the command runs, without what is around it."""
    try:
        words = shlex.split(command, comments=False)
    except ValueError:
        words = command.split()
    position = 0
    if words and words[0] == "cd" and "&&" in words:
        position = words.index("&&") + 1
    for word in words[position:]:
        base = PurePosixPath(word.strip("()")).name
        if "=" in word or word.startswith("-") or base in WRAPPERS or base.isdigit() or not slug(base):
            continue
        return slug(base)
    return "line"


def unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
