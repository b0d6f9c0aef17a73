"""The API against its own description: every check that schemathesis has, on a real server."""

import asyncio
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.openapi.document import document
from mainspring.domain.jobs.job import JobSpec
from mainspring.settings import ServerSettings
from tests.api.conftest import API_TOKEN, Server, serving

HERE = Path(__file__).parent / "fuzz"
EXAMPLES = 5

SEED = "1"
"""The same requests every time, as far as answers do not lead elsewhere; another one finds other mistakes."""
WORDS = ("description", "title", "default", "examples")
"""What says nothing of a value."""
OWN = {
    "/api/v1/triggers/preview": {"after", "count", "end_at", "start_at"},
    "/api/v1/triggers/bulk": set(),
    "/api/v1/triggers/apply": {"adopt", "based_on", "calendars", "code", "name", "owner", "triggers", "workflows"},
    "/api/v1/alert-rules/apply": {"adopt", "channels", "owner", "rules", "slos"},
    "/api/v1/batches/{id}/runs": {"at", "runs"},
    "/api/v1/jobs/{name}/runs": set(),
    "/api/v1/jobs/{name}/what-if": {"changes", "runs"},
    "/api/v1/breakers/{name}/what-if": {"rule", "runs"},
    "/api/v1/calendars/{name}/preview": set(),
    "/api/v1/sweep-previews": set(),
}
"""Of routes that are not covered case by case, fields that no covered route has: these are tried by invented requests alone."""


async def test_no_check_fails(tmp_path: Path) -> None:
    # What a job wants of its input is not in the document: this one takes any.
    async with serving(tmp_path, [JobSpec(name="open", handler="open")]) as server:
        ended, said = await examine(server, tmp_path)

    assert ended == 0, said[-20_000:]
    assert "No issues found" in said, said[-2_000:]


async def examine(server: Server, here: Path) -> tuple[int | None, str]:
    examining = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("schemathesis"),
        *("--config-file", str(HERE / "schemathesis.toml"), "run", f"{server.url}/api/v1/openapi.json"),
        *("-H", f"Authorization: Bearer {API_TOKEN}", "--checks", "all", "--max-examples", str(EXAMPLES)),
        *("--seed", os.environ.get("SCHEMATHESIS_SEED", SEED)),
        *(
            "--request-timeout",
            "70",
            "--max-response-time",
            "65",
            "--continue-on-failure",
            "--no-color",
            "--warnings",
            "off",
        ),
        cwd=here,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.api.fuzz.hooks", "PYTHONPATH": str(HERE.parents[2])},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await examining.communicate()
    return examining.returncode, said.decode()


def test_what_is_not_covered_case_by_case_is_covered_by_another_route() -> None:
    made = document(create_app(EngineGate(), ServerSettings()))
    config = tomllib.loads((HERE / "schemathesis.toml").read_text())
    [left_out] = [one["include-name-regex"] for one in config["operations"] if "phases" in one]
    covered: set[tuple[str, bytes]] = set()
    others: dict[str, set[tuple[str, bytes]]] = {}
    for path, item in made["paths"].items():
        for method, operation in item.items():
            fields = set(fields_in(operation.get("requestBody", {}), made, set()))
            if re.search(left_out, f"{method.upper()} {path}"):
                others[path] = fields
            else:
                covered |= fields

    assert {path: {name for name, _ in fields - covered} for path, fields in others.items()} == OWN


def fields_in(part: Any, made: dict[str, Any], seen: set[str]) -> Iterator[tuple[str, bytes]]:
    """Each field of a body and of what it is made of, with what its value may be."""
    if isinstance(part, list):
        for each in part:
            yield from fields_in(each, made, seen)
    if not isinstance(part, dict) or part.get("$ref") in seen:
        return
    if isinstance(reference := part.get("$ref"), str):
        seen.add(reference)
        yield from fields_in(made["components"]["schemas"][reference.rpartition("/")[2]], made, seen)
    for name, schema in part.get("properties", {}).items():
        meant = {word: value for word, value in schema.items() if word not in WORDS}
        yield name, msgspec.json.encode(meant, order="sorted")
        yield from fields_in(schema, made, seen)
    for name, each in part.items():
        if name != "properties":
            yield from fields_in(each, made, seen)
