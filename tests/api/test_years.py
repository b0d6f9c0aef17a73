"""Instants outside 1900 to 2999: refused with their field at every door, which are found in the OpenAPI document."""

import copy
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from httpx2 import Response

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.openapi.document import document
from mainspring.clock import SystemClock
from mainspring.settings import ServerSettings
from tests.api.batch_samples import new_batch
from tests.api.conftest import Server
from tests.api.failure_samples import kind_of_failure

pytestmark = pytest.mark.asyncio(loop_scope="module")

Part = dict[str, Any]
Path = tuple[str, ...]

MADE: Part = document(create_app(EngineGate(), ServerSettings()))
OUTSIDE = [
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "1899-12-31T23:59:59.999999Z",
    "1900-01-01T00:00:00+14:00",
    "3000-01-01T00:00:00Z",
    "2999-12-31T23:59:59-14:00",
    "9999-12-31T23:59:59-14:00",
    "0000-01-01T00:00:00Z",
    "NaN",
    "infinity",
    "-infinity",
    1e308,
    -1,
]
TRIGGER: Part = {"job": "open", "when": {"kind": "interval", "every": 60}}
RULES: dict[str, Part] = {
    "at": {"kind": "once", "at": "2030-01-01T00:00:00Z"},
    "anchor": {"kind": "interval", "every": 60, "anchor": "2030-01-01T00:00:00Z"},
    "delay": {"kind": "delay", "delay": 60},
    "opens": {"kind": "windows", "every": 60, "opens": "09:00", "closes": "10:00"},
}
BLACKOUT: Part = {"name": "move", "since": "2030-01-01T00:00:00Z", "until": "2030-01-02T00:00:00Z"}
BODIES: dict[str, Any] = {
    "post /api/v1/runs": {"job": "open"},
    "post /api/v1/runs many": {"runs": [{"job": "open"}]},
    "post /api/v1/batches": {"name": "batch {id}"},
    "post /api/v1/batches many": {"name": "batch {id}", "runs": [{"job": "open"}]},
    "post /api/v1/batches/{id}/runs many": {"runs": [{"job": "open"}]},
    "post /api/v1/jobs/{name}/runs": {},
    "post /api/v1/runs/{id}/suspend": {},
    "post /api/v1/runs/change": {"runs": ["{id}"], "priority": 9},
    "post /api/v1/dead-letters/{fingerprint}/mute": {},
    "post /api/v1/silences": {"until": (SystemClock().now() + timedelta(hours=1)).isoformat()},
    "post /api/v1/sweeps": {"act": "cancel", "filter": {"job": "open"}},
    "post /api/v1/sweep-previews": {"act": "cancel", "filter": {"job": "open"}},
    "post /api/v1/triggers/preview": {"when": TRIGGER["when"]},
    "post /api/v1/triggers/spread": {"names": ["known"], "over": 60, "dry_run": True},
    "put /api/v1/triggers/{name}": TRIGGER,
    "post /api/v1/triggers/bulk": [{"name": "hourly", **TRIGGER}],
    "post /api/v1/triggers/apply": {
        "owner": "app",
        "triggers": [{"name": "applied", **TRIGGER}],
        "calendars": [{"name": "applied-days", "blackouts": [BLACKOUT]}],
    },
    "post /api/v1/triggers/{name}/backfills": {"since": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z"},
    "put /api/v1/calendars/{name}": {"blackouts": [BLACKOUT]},
    "post /api/v1/calendars/{name}/preview": {"blackouts": [BLACKOUT]},
}
"""Of every operation with an instant in its body: one that is accepted, `{id}` being a run."""
NAMES = {"/api/v1/jobs/{name}/runs": "open", "/api/v1/triggers/{name}": "known", "/api/v1/calendars/{name}": "days"}


def resolved(part: Part) -> Part:
    found: Part = MADE
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def instants(schema: Part, path: Path = (), seen: Path = ()) -> Iterator[Path]:
    """Where in what the schema describes an instant stands."""
    if "$ref" in schema:
        if schema["$ref"] in seen:
            return
        seen, schema = (*seen, schema["$ref"]), resolved(schema)
    if schema.get("format") == "date-time":
        yield path
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from instants(part, path, seen)
    for name, part in schema.get("properties", {}).items():
        yield from instants(part, (*path, name), seen)
    for word, step in (("items", "0"), ("additionalProperties", "any")):
        if isinstance(schema.get(word), dict):
            yield from instants(schema[word], (*path, step), seen)


def doors() -> Iterator[tuple[str, str, Path]]:
    """Method, path, and where the instant stands; that of a query has no place in a body."""
    for path, item in MADE["paths"].items():
        for method, operation in item.items():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                for found in dict.fromkeys(instants(content["schema"])):
                    yield method, path, found
            for each in operation.get("parameters", ()):
                given = resolved(each) if "$ref" in each else each
                if any(True for _ in instants(given["schema"])):
                    yield method, path, (f"?{given['name']}",)


DOORS = list(doors())


def body_for(method: str, path: str, place: Path) -> Any:
    key = f"{method} {path}"
    key = f"{key} many" if place[0] == "runs" else key
    assert key in BODIES, f"{key} takes an instant at {place}: give it a body in BODIES"
    body = copy.deepcopy(BODIES[key])
    if "when" in place:
        at(body, place[: place.index("when")])["when"] = dict(RULES[place[-1]])
    return body


def at(body: Any, place: Path) -> Any:
    for step in place:
        body = body[int(step)] if step.isdigit() else body.setdefault(step, {})
    return body


async def ask(server: Server, method: str, path: str, place: Path, value: object) -> Response:
    run = (await server.post({"job": "open", "queue": "nobody"})).json()["id"]
    name = next((name for start, name in NAMES.items() if path.startswith(start)), "known")
    name = f"new-{run}" if method == "put" else name
    url = path.replace("{fingerprint}", await kind_of_failure(server)) if "{fingerprint}" in path else path
    url = url.replace("{name}", name).replace("{id}", await batch(server) if "/batches/" in path else run)
    if place[0].startswith("?"):
        needed = {"workflow": "steps"} if path == "/api/v1/workflow-runs" else {}
        return await server.http.request(method, url, params={place[0][1:]: str(value), **needed})
    body = body_for(method, path, place)
    if value is not None:
        at(body, place[:-1])[place[-1]] = value
    headers = {"content-type": "application/json"}
    return await server.http.request(
        method, url, content=msgspec.json.encode(body).replace(b"{id}", run.encode()), headers=headers
    )


async def batch(server: Server) -> str:
    """The id of a batch that is open."""
    made: str = (await server.http.post("/api/v1/batches", json=new_batch())).json()["id"]
    return made


async def make_known(server: Server) -> None:
    made = {
        "/api/v1/triggers/known": TRIGGER,
        "/api/v1/calendars/days": {"blackouts": [BLACKOUT]},
        "/api/v1/workflows/steps": {"steps": {"first": {"job": "open"}}},
    }
    for url, body in made.items():
        if (await server.http.get(url)).status_code == 404:
            assert (await server.http.put(url, json=body)).is_success


@pytest.mark.parametrize(
    ("method", "path", "place"), DOORS, ids=lambda value: "/".join(value) if isinstance(value, tuple) else value
)
async def test_an_instant_outside_the_known_years_is_refused_by_its_field(
    server: Server, method: str, path: str, place: Path
) -> None:
    await make_known(server)
    usual = await ask(server, method, path, place, None if not place[0].startswith("?") else "2026-01-01T00:00:00Z")
    answers = [await ask(server, method, path, place, value) for value in OUTSIDE]

    assert usual.is_success, usual.text
    for value, answer in zip(OUTSIDE, answers, strict=True):
        assert answer.status_code == 422, (value, answer.text)
        assert place[-1].lstrip("?") in answer.json()["field"], (value, answer.text)
        assert answer.json()["code"]


async def test_there_are_doors_of_every_kind() -> None:
    places = {place[0] for _, _, place in DOORS}

    assert {"due_at", "runs", "resume_at", "filter", "0", "triggers", "blackouts", "?since", "?after"} <= places


async def test_after_all_that_lists_are_still_answered(server: Server) -> None:
    await server.post({"job": "open", "due_at": "1900-01-01T00:00:00Z"})
    answers = [
        await server.http.get(f"/api/v1/{name}") for name in ("runs", "triggers", "audit", "calendars", "sweeps")
    ]

    assert [answer.status_code for answer in answers] == [200] * len(answers)
