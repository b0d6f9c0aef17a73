"""Every command that the console shows is one that the command line has."""

import re
from pathlib import Path

import click
import pytest

from mainspring.cli.main import command as root

CONSOLE = Path(__file__).parents[2] / "console"
LINE = re.compile(r"`?mainspring ((?:[a-z][a-z-]* ?)+)")
PROSE = frozenset({"is", "was", "has"})


def shown() -> list[str]:
    """The words of commands in the sources of the console, up to their first argument."""
    files = [path for part in ("pages", "parts", "frame") for path in (CONSOLE / part).rglob("*.ts*")]
    found = {match[1].strip() for path in files for match in LINE.finditer(path.read_text())}
    return sorted(words for words in found if words.split()[0] not in PROSE)


def leads(words: list[str]) -> bool:
    """Whether the words name a command; what follows it is its arguments."""
    command: click.Command = root
    for word in words:
        if not isinstance(command, click.Group):
            return True
        found = command.get_command(click.Context(command), word)
        if found is None:
            return False
        command = found
    return True


@pytest.mark.parametrize("line", shown())
def test_a_command_of_the_console_exists(line: str) -> None:
    assert leads(line.split()), f"mainspring {line}"


def test_commands_are_found_in_the_sources() -> None:
    assert len(shown()) > 20
