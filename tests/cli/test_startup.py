"""The command line starts quickly: it loads what a command needs and nothing else.

Times differ between machines; what is loaded does not, and decides them.
"""

import subprocess
import sys

import pytest

from mainspring.cli.main import COMMANDS

LOADED = """
import sys
from mainspring.cli.main import main
for arguments in {calls!r}:
    sys.argv = ["mainspring", *arguments]
    try:
        main()
    except SystemExit:
        pass
    print(*sorted(sys.modules), file=sys.stderr)
"""

HEAVY = {
    "asyncpg",
    "difflib",
    "fastapi",
    "httpx2",
    "mainspring.api",
    "mainspring.executor",
    "mainspring.scheduler",
    "mainspring.server",
    "mainspring.store",
    "pydantic",
    "rich",
    "sqlite3",
    "starlette",
    "tomllib",
    "uvicorn",
    "websockets",
    "yaml",
}
HEAVIER_THAN_HELP = {
    "asyncio",
    "http.client",
    "mainspring.app",
    "mainspring.client",
    "mainspring.settings",
    "msgspec",
    "ssl",
}


ON_A_SERVER = {"up", "server", "executor", "migrate", "doctor"}
"""Commands that run a part of the system, or look into its database."""


def loaded_by(*arguments: str) -> set[str]:
    return loaded_by_each([arguments])[-1]


def loaded_by_each(calls: list[tuple[str, ...]]) -> list[set[str]]:
    """What is loaded after each of these, in one process."""
    command = [sys.executable, "-c", LOADED.format(calls=calls)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [set(line.split()) for line in done.stderr.splitlines()[-len(calls) :]]


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)], ids=" ".join)
def test_help_and_version_load_nothing_but_the_parser(arguments: tuple[str, ...]) -> None:
    loaded = loaded_by(*arguments)

    assert "click" in loaded
    assert loaded & (HEAVY | HEAVIER_THAN_HELP) == set()


def test_commands_that_call_a_server_load_nothing_of_one() -> None:
    names = sorted(set(COMMANDS) - ON_A_SERVER)
    loaded = loaded_by_each([(name, "--help") for name in names])

    # What one of them loads stays: the first that is named here is to blame.
    assert [(name, after & HEAVY) for name, after in zip(names, loaded, strict=True) if after & HEAVY] == []


def test_a_call_loads_nothing_more_than_it_needs() -> None:
    loaded = loaded_by("runs", "list", "--url", "http://127.0.0.1:1", "--home", "/nowhere")

    assert "mainspring.client.client" in loaded
    assert loaded & HEAVY == set()
