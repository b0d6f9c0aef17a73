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
sys.argv = ["mainspring", *{arguments!r}]
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
    command = [sys.executable, "-c", LOADED.format(arguments=arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)], ids=" ".join)
def test_help_and_version_load_nothing_but_the_parser(arguments: tuple[str, ...]) -> None:
    loaded = loaded_by(*arguments)

    assert "click" in loaded
    assert loaded & (HEAVY | HEAVIER_THAN_HELP) == set()


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - ON_A_SERVER))
def test_commands_that_call_a_server_load_nothing_of_one(name: str) -> None:
    assert loaded_by(name, "--help") & HEAVY == set()


def test_a_call_loads_nothing_more_than_it_needs() -> None:
    loaded = loaded_by("runs", "list", "--url", "http://127.0.0.1:1", "--home", "/nowhere")

    assert "mainspring.client.client" in loaded
    assert loaded & HEAVY == set()
