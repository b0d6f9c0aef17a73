"""A client that a foreign generator makes of the OpenAPI document: whole, importable, and understood by a real server."""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.openapi.document import document
from mainspring.domain.jobs.job import JobSpec
from mainspring.settings import ServerSettings
from tests.api.conftest import API_TOKEN, serving

PACKAGE = "foreign_client"
CALLS = f"""
import importlib, pkgutil, sys
import {PACKAGE}
from {PACKAGE} import AuthenticatedClient
from {PACKAGE}.api.jobs import put_job, start_run
from {PACKAGE}.models import JobBody, PutJobIfNoneMatch, RunBody

for module in pkgutil.walk_packages({PACKAGE}.__path__, "{PACKAGE}."):
    importlib.import_module(module.name)
url, token = sys.argv[1:]
with AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True) as client:
    made = put_job.sync_detailed("letters", client=client, body=JobBody(handler="open"), if_none_match=PutJobIfNoneMatch("*"))
    again = put_job.sync_detailed("letters", client=client, body=JobBody(handler="open"), if_none_match=PutJobIfNoneMatch("*"))
    run = start_run.sync_detailed("letters", client=client, body=RunBody())
print(made.status_code, again.status_code, run.status_code, type(made.parsed).__name__, type(run.parsed).__name__)
"""


def made() -> dict[str, Any]:
    return document(create_app(EngineGate(), ServerSettings()))


async def run(here: Path, *command: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *command, cwd=here, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate()
    return process.returncode, said.decode()


async def generate(here: Path) -> tuple[int | None, str]:
    (here / "openapi.json").write_text(json.dumps(made()))
    (here / "generator.yaml").write_text("post_hooks: []")
    generator = str(Path(sys.executable).with_name("openapi-python-client"))
    output = ("--meta", "none", "--config", "generator.yaml", "--output-path", PACKAGE)
    return await run(here, generator, "generate", "--path", "openapi.json", *output, "--fail-on-warning")


def modules(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*/*.py")} - {"__init__"}


async def test_every_operation_is_generated_without_a_warning(tmp_path: Path) -> None:
    ended, said = await generate(tmp_path)
    generated = modules(tmp_path / PACKAGE / "api")

    assert ended == 0, said
    assert "WARNING" not in said, said
    assert generated == {one["operationId"] for item in made()["paths"].values() for one in item.values()}


async def test_what_was_generated_imports_and_is_understood_by_a_server(tmp_path: Path) -> None:
    await generate(tmp_path)
    async with serving(tmp_path, [JobSpec(name="open", handler="open")]) as server:
        ended, said = await run(tmp_path, sys.executable, "-c", CALLS, server.url, API_TOKEN)

    assert ended == 0, said
    assert said.split() == ["201", "412", "201", "JobInfo", "AcceptedRun"]


@pytest.mark.parametrize("kind", ["schemas", "parameters", "securitySchemes"])
def test_no_two_components_share_a_name_and_none_shows_a_python_path(kind: str) -> None:
    components = made()["components"][kind]
    titles = [part.get("title", name) for name, part in components.items()]

    assert [name for name in components if "." in name or not name.replace("-", "").isalnum()] == []
    assert len({title.lower() for title in titles}) == len(titles)


def test_no_text_of_the_document_shows_a_python_path() -> None:
    assert [text for text in texts(made()) if "mainspring." in text.lower()] == []


def texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    for key, inner in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        yield str(key)
        yield from texts(inner)
