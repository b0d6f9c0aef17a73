"""Dependencies point one way, and the SDK and the executor stay light."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, package

SERVER_SIDE = (
    "asyncpg",
    "fastapi",
    "pydantic",
    "sqlite3",
    "starlette",
    "uvicorn",
    "mainspring.api",
    "mainspring.scheduler",
    "mainspring.server",
    "mainspring.store",
)

LOADED = "import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"


def test_a_folder_imports_only_what_stands_below_it() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "module",
    [
        "mainspring",
        "mainspring.app",
        "mainspring.client",
        "mainspring.executor",
        "mainspring.executor.process.executor",
    ],
)
def test_the_sdk_and_the_executor_load_nothing_of_the_server(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(module=module)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)

    assert [name for name in loaded if name in SERVER_SIDE] == []


def test_domain_and_wire_import_only_values() -> None:
    known = set(sys.stdlib_module_names) - {"asyncio", "logging", "sqlite3"} | {"msgspec", "mainspring"}
    foreign = [
        f"{source.name}:{line} imports {name}"
        for source in package()
        if source.inside.startswith(("domain/", "wire/"))
        for line, name in source.imported()
        if name.partition(".")[0] not in known
    ]

    assert foreign == []


def test_nothing_but_tests_imports_the_test_kit() -> None:
    importing = [
        f"{source.name}:{line}"
        for source in package()
        if not source.inside.startswith("testing/")
        for line, name in source.imported()
        if name.startswith("mainspring.testing")
    ]

    assert importing == []
