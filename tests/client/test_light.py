"""What importing the SDK loads: little, so that it costs a web server or a script nearly nothing."""

import subprocess
import sys

import msgspec
import pytest

from tests.architecture.source import ROOT

HEAVY = {
    "asyncio",
    "click",
    "concurrent",
    "difflib",
    "email",
    "fastapi",
    "hashlib",
    "http",
    "httpx2",
    "json",
    "multiprocessing",
    "pydantic",
    "pydantic_core",
    "rich",
    "select",
    "selectors",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "tempfile",
    "tomllib",
    "urllib.request",
    "uvloop",
    "websockets",
    "yaml",
}
LOADED = "import sys; {code}; import msgspec; print(msgspec.json.encode(list(sys.modules)).decode())"
DEFINING = """
from mainspring import App, AsyncClient, Client, Context, Inject, Job, Middleware, RetryPolicy, RunHandle
app = App('light')
@app.job
def add(left: int, right: int) -> int: return left + right
add.call(1, 2)
"""


def loaded(code: str) -> set[str]:
    command = [sys.executable, "-c", LOADED.format(code=f"exec({code!r})")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    return set(msgspec.json.decode(done.stdout, type=list[str]))


@pytest.mark.parametrize("code", ["import mainspring", DEFINING], ids=["import", "defining a job"])
def test_importing_and_defining_loads_nothing_heavy(code: str) -> None:
    assert {name for name in loaded(code) if {name, name.partition(".")[0]} & HEAVY} == set()


def test_importing_alone_loads_hardly_anything() -> None:
    ours = {name for name in loaded("import mainspring") if name.partition(".")[0] == "mainspring"}

    assert ours == {"mainspring", "mainspring.version"}


def test_every_public_name_is_found_where_it_is_said_to_be() -> None:
    code = "import mainspring; [getattr(mainspring, name) for name in dir(mainspring)]"

    assert "mainspring.app" in loaded(code)
