"""A caller that lies in every place of every body: it gets a problem, and all that there is can still be read.

Bodies and their places are those of the OpenAPI document: a new operation is covered as soon as it is there.
"""

import copy
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from httpx2 import Response

from tests.api.conftest import Server
from tests.api.test_years import BODIES, MADE, NAMES, Part, Path, resolved
from tests.api.write_samples import SAMPLES

pytestmark = pytest.mark.asyncio(loop_scope="module")

DEEP = "deep"
LARGE = "x" * 60_000
"""Just below the size of a usual body."""
TEXTS: list[Any] = ["a\x00b", "\x1b[31m", LARGE, 1]
NUMBERS: list[Any] = [-1, 2**63, 2**64, -(2**63) - 1, 1e308, "1", True]
LISTS: list[Any] = [[None] * 10_000, {}, "x"]
MAPS: list[Any] = [{"a\x00b": 1}, {LARGE: "x"}, {str(key): "x" for key in range(4_000)}, [], "x"]
OTHERS: list[Any] = [DEEP, None]
LIES: dict[str, list[Any]] = {
    "string": TEXTS,
    "integer": NUMBERS,
    "number": NUMBERS,
    "boolean": ["yes", 2],
    "array": LISTS,
    "object": MAPS,
}
HARMLESS: dict[str, list[Any]] = {kind: [] for kind in LIES} | {
    "string": [""],
    "integer": [2**31],
    "number": [2**31],
    "array": [[]],
}
"""Accepted in some places, with reason."""
DATA = {"input", "form", "schema", "returns", "data", "text"}
"""Parts whose content is the caller's own, and texts whose faults are the answer."""
EITHER = {(("policy", "uses", "any"), "number"), (("policy", "uses", "any"), "string")}
"""A number, or a text that says one."""
HOOK = "/hooks/{id}"
"""Asks for a secret of its own before it reads anything."""
NESTED = b"[" * 2_000 + b"]" * 2_000
DEPTH_MAX = 6
"""Parts of parts that are looked into: workflows have workflows."""


def places(schema: Part, path: Path = (), seen: Path = ()) -> Iterator[tuple[Path, str]]:
    """Each place that the schema describes, with its type."""
    if "$ref" in schema:
        if schema["$ref"] in seen:
            return
        seen, schema = (*seen, schema["$ref"]), resolved(schema)
    kinds = schema.get("type", ())
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        if kind in LIES and path:
            yield path, kind
    if len(path) >= DEPTH_MAX:
        return
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from places(part, path, seen)
    for name, part in schema.get("properties", {}).items():
        yield from places(part, (*path, name), seen)
    for word, step in (("items", "0"), ("additionalProperties", "any")):
        if isinstance(schema.get(word), dict):
            yield from places(schema[word], (*path, step), seen)


def operations() -> Iterator[tuple[str, str, list[tuple[Path, str]]]]:
    for path, item in MADE["paths"].items():
        for method, operation in item.items():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                yield method, path, list(dict.fromkeys(places(content["schema"])))


OPERATIONS = list(operations())
LISTS_THERE = [
    path
    for path, item in MADE["paths"].items()
    if "get" in item and "{" not in path and not any(one.get("required") for one in item["get"].get("parameters", ()))
]
"""Addresses that only have to be asked."""


async def calm(server: Server) -> None:
    """Undo what accepted calls of other tests have stopped."""
    await server.http.post("/api/v1/namespaces/default/resume")
    await server.http.post("/api/v1/jobs/open/resume")
    await server.http.put("/api/v1/maintenance", json={"on": False})


async def sample(server: Server, method: str, path: str) -> tuple[str, Any]:
    """An address that is there, and a body that is accepted where one is known."""
    await calm(server)
    made = SAMPLES.get(f"{method.upper()} {path}")
    if made is not None:
        url, body = await made(server)
        return url, body
    name = next((name for start, name in NAMES.items() if path.startswith(start)), "known")
    return path.replace("{name}", name), BODIES.get(f"{method} {path}", {})


def put(body: Any, place: Path, value: object) -> Any:
    """The body with a lie at that place, whatever stood above it."""
    if not place:
        return value
    step, rest = place[0], place[1:]
    if step == "0":
        items = list(body) if isinstance(body, list) and body else [{}]
        return [put(items[0], rest, value), *items[1:]]
    fields = dict(body) if isinstance(body, dict) else {}
    fields[step] = put(fields.get(step), rest, value)
    return fields


async def lie(server: Server, method: str, url: str, body: Any) -> Response:
    content = msgspec.json.encode(body).replace(b'"deep"', NESTED)
    headers = {"content-type": "application/json", "if-match": "*"}
    return await server.http.request(method, url, content=content, headers=headers)


@pytest.mark.parametrize(
    ("method", "path", "found"), OPERATIONS, ids=lambda value: value if isinstance(value, str) else ""
)
async def test_a_lie_anywhere_in_a_body_gets_a_problem(
    server: Server, method: str, path: str, found: list[tuple[Path, str]]
) -> None:
    url, body = await sample(server, method, path)
    for place, kind in found:
        for value in (*LIES[kind], *HARMLESS[kind], *OTHERS):
            answer = await lie(server, method, url, put(copy.deepcopy(body), place, value))
            where = (place, kind, str(value)[:40], answer.text[:300])
            if not answer.is_success:
                assert answer.status_code < 500, where
                assert answer.json()["code"], where
                continue
            assert DATA & {*place} or value in HARMLESS[kind] or value is None or (place, kind) in EITHER, where
            url, body = await sample(server, method, path)


@pytest.mark.parametrize(
    ("method", "path", "found"), OPERATIONS, ids=lambda value: value if isinstance(value, str) else ""
)
async def test_a_body_that_is_too_large_or_too_deep_is_refused(
    server: Server, method: str, path: str, found: list[tuple[Path, str]]
) -> None:
    if path == HOOK:
        return
    url, _ = await sample(server, method, path)
    headers = {"content-type": "application/json", "if-match": "*"}
    for content in (b"[" * 30_000, NESTED, b'{"a":' * 10_000 + b"1" + b"}" * 10_000, b'{"a": NaN}', b"\xff"):
        answer = await server.http.request(method, url, content=content, headers=headers)
        assert answer.status_code in (400, 422), answer.text
        assert answer.json()["code"]


@pytest.mark.parametrize("path", LISTS_THERE)
async def test_after_all_that_everything_can_be_read(server: Server, path: str) -> None:
    assert (await server.http.get(path)).status_code == 200


async def test_bodies_are_found() -> None:
    assert len(OPERATIONS) > 60
    assert sum(len(found) for _, _, found in OPERATIONS) > 400
