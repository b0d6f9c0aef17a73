"""Who may look at one namespace learns nothing of another, by any read and any filter, and no act reaches into it.

The other namespace has something of everything, under names that occur nowhere else. Reads and acts are those of the contract,
so a new one is covered as soon as it is there.
"""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import msgspec
import pytest
import pytest_asyncio

from mainspring.api.auth import BoundRoute
from mainspring.contract.base.operation import Operation
from mainspring.domain.access.permissions import Role
from tests.api.conftest import Server, serving
from tests.api.test_route_matrix import GUARDED

pytestmark = pytest.mark.asyncio(loop_scope="module")

WORD = "zebra"
OTHER = {"mainspring-namespace": "other"}
MADE: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("PUT", "jobs/zebra-job", {"handler": "zebra-handler", "queue": "zebra-queue"}),
    ("PUT", "triggers/zebra-trigger", {"job": "zebra-job", "when": {"kind": "interval", "every": 3600}}),
    ("PUT", "calendars/zebra-calendar", {"weekdays": ["mon"]}),
    ("PUT", "breakers/zebra-breaker", {"failures": 0.5}),
    ("PUT", "limits/zebra-limit", {"at_once": 4}),
    ("PUT", "alert-rules/zebra-rule", {"kind": "queue_age", "queue": "*", "older_than": 60}),
    ("PUT", "channels/zebra-channel", {"kind": "webhook", "url": "https://hooks.example/zebra"}),
    ("PUT", "slos/zebra-slo", {"job": "zebra-job", "objective": 0.99}),
    ("PUT", "workflows/zebra-flow", {"steps": {"look": {"approval": "May the zebra out?"}}}),
    ("POST", "queues/zebra-queue/pause", {"reason": "zebra-reason"}),
    ("POST", "tokens", {"name": "zebra-token", "role": "viewer"}),
    ("PUT", "shared-views/zebra-view", {"q": "job:zebra-job"}),
)
RUN = {"job": "zebra-job", "key": "zebra-key", "tags": ["zebra-tag"], "labels": {"zebra-label": "zebra-value"}}
WORDS = (
    "zebra-job",
    "zebra-trigger",
    "zebra-queue",
    "zebra-key",
    "zebra-tag",
    "zebra-calendar",
    "zebra-flow",
    "other",
    "*",
)
QUERIES = (
    WORD,
    "job:zebra-job",
    "tag:zebra-tag",
    "key:zebra-key",
    "queue:zebra-queue",
    "label.zebra-label:zebra-value",
)
OPERATIONS = [route.operation for route in GUARDED if isinstance(route, BoundRoute)]
READS = [
    operation for operation in OPERATIONS if operation.method == "GET" and not operation.name.startswith("stream_")
]
ACTS = [operation for operation in OPERATIONS if operation.method != "GET" and "{" in operation.path]
KEPT = (
    *("audit", "jobs", "runs", "triggers", "calendars", "breakers", "limits", "alert-rules", "channels", "slos"),
    *("views", "tokens", "sweeps", "backfills", "batches", "approvals", "silences", "dead-letters"),
)
"""What no act of a stranger changes, and nothing else does meanwhile; every act there would be in the log."""


class Stranger:
    """Somebody with all roles in a namespace of their own, and what there is in another."""

    def __init__(self, server: Server, runs: list[str], keys: dict[Role, str]) -> None:
        self.server = server
        self.runs = runs
        self._keys = keys

    async def ask(self, method: str, path: str, role: Role, **more: Any) -> httpx2.Response:
        headers = {"authorization": f"Bearer {self._keys[role]}", "if-match": "*"}
        return await self.server.http.request(method, path, headers=headers, timeout=30, **more)

    def reveals(self, answer: httpx2.Response, asked: str) -> bool:
        """Whether the answer has a word of the other namespace that was not in the question."""
        text = answer.text.replace(asked, "").lower() if asked else answer.text.lower()
        return any(word.lower() in text for word in (WORD, *self.runs) if word != asked)

    async def look(self) -> dict[str, str]:
        """What the other namespace looks like to those who may see it."""
        found = {name: await self.server.http.get(f"/api/v1/{name}", headers=OTHER) for name in KEPT}
        assert {name for name, answer in found.items() if answer.status_code != 200} == set()
        return {name: answer.text for name, answer in found.items()}


@asynccontextmanager
async def meeting(home: Path) -> AsyncIterator[Stranger]:
    async with serving(home, []) as server:
        for method, path, body in MADE:
            made = await server.http.request(method, f"/api/v1/{path}", json=body, headers=OTHER)
            assert made.is_success, (path, made.text)
        asked = [RUN, {"job": "zebra-flow"}]
        runs = [await server.http.post("/api/v1/runs", json=body, headers=OTHER) for body in asked]
        keys = {}
        for role in (Role.VIEWER, Role.ADMIN):
            token = await server.http.post("/api/v1/tokens", json={"name": role, "role": role, "namespace": "default"})
            keys[role] = token.json()["text"]
        yield Stranger(server, [run.json()["id"] for run in runs], keys)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stranger]:
    """Has nothing of its own: whatever it sees of such names is another's."""
    async with meeting(tmp_path_factory.mktemp("home")) as stranger:
        yield stranger


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def actor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stranger]:
    """Makes things of such names in its own namespace as it tries."""
    async with meeting(tmp_path_factory.mktemp("home")) as stranger:
        yield stranger


def questions(operation: Operation[Any], runs: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The paths of things of the other namespace, and each filter with the words for them."""
    names = re.findall(r"\{(\w+)\}", operation.path)
    for meant in (*WORDS, *runs) if names else ("",):
        path = operation.path
        for name in names:
            path = path.replace(f"{{{name}}}", "1" if name in ("version", "number") else quote(meant, safe=""))
        yield path, {}
        if meant in (*WORDS[1:], *runs[1:]):
            continue
        for field in msgspec.structs.fields(operation.query) if operation.query else ():
            values = QUERIES if field.encode_name == "q" else WORDS
            for value in (*values, *runs, *(run[:8] for run in runs)):
                yield path, {field.encode_name: value}


@pytest.mark.parametrize("operation", READS, ids=lambda one: one.name)
async def test_a_read_shows_nothing_of_another_namespace(reader: Stranger, operation: Operation[Any]) -> None:
    for role in (Role.VIEWER, Role.ADMIN):
        for path, asked in questions(operation, reader.runs):
            answer = await reader.ask("GET", path, role, params=asked)
            [value] = asked.values() or [""]
            assert answer.status_code < 500, (path, asked, answer.text)
            # A refusal says what was asked for, and nothing else.
            assert not answer.is_success or not reader.reveals(answer, value), (path, asked, answer.text)


@pytest.mark.parametrize("operation", ACTS, ids=lambda one: f"{one.method} {one.path}")
async def test_an_act_does_not_reach_into_another_namespace(actor: Stranger, operation: Operation[Any]) -> None:
    before = await actor.look()
    for path, _ in questions(operation, actor.runs):
        for body in (None, {}, {"reason": "why"}):
            answer = await actor.ask(operation.method, path, Role.ADMIN, **({} if body is None else {"json": body}))
            assert answer.status_code < 500, (path, answer.text)

    assert await actor.look() == before
