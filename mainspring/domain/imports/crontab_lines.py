"""The parts of a crontab's line, as cron itself takes them apart."""

import re
import shlex
from pathlib import PurePosixPath

from mainspring.domain.imports.found import UnfitError, slug

RANDOM = re.compile(r"(\d*)~(\d*)")
FLAGS = re.compile(r"-[a-z]+\s")
USER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\$?(?::[A-Za-z0-9_.-]+)?(?:/[A-Za-z0-9_-]+)?")
"""Also with a group and a login class, as on FreeBSD."""
WRAPPERS = frozenset(
    {"env", "nice", "ionice", "sudo", "flock", "timeout", "chronic", "nohup", "exec", "time", "test", "["}
)
TIME_FIELDS = 5
RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))


def split(line: str) -> tuple[str, str]:
    """The schedule and the command."""
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


def user_of(rest: str, *, with_users: bool) -> tuple[str, str]:
    user, command = (*rest.split(None, 1), "", "")[:2] if with_users else ("", rest)
    if not command:
        raise UnfitError("has no command" + (" after the user" if with_users else ""))
    if with_users and not USER.fullmatch(user):
        raise UnfitError(f"has {user!r} where --system has a user: is this a user's own crontab?")
    if FLAGS.match(command):
        raise UnfitError(f"begins with {command.split()[0]!r}, a flag of BSD's cron, which is not known here")
    return user, command


def parted(rest: str) -> tuple[str, str]:
    """The command and its stdin: the first percent sign parts them, the others are line ends; `\\%` is the sign itself.

    A stdin that does not end with a line end gets one.
    """
    position, command = 0, ""
    while position < len(rest) and rest[position] != "%":
        escaped = rest[position] == "\\"
        pair = rest[position : position + 2]
        command += ("%" if pair == "\\%" else pair) if escaped else rest[position]
        position += 2 if escaped else 1
    stdin = re.sub(r"\\%|%", lambda found: "\n" if found[0] == "%" else "%", rest[position + 1 :])
    return command.strip(), stdin if not stdin or stdin.endswith("\n") else f"{stdin}\n"


def name_for(command: str) -> str:
    """The program that the command runs, without those around it."""
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
