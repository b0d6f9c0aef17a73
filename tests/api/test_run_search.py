"""Runs are found by a query, page by page, and counted."""

import pytest

from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def fill(server: Server, tag: str) -> list[str]:
    bodies = [{"job": "open", "tags": [tag], "priority": number % 3, "input": {"n": number}} for number in range(9)]
    return [(await server.post(body)).json()["id"] for body in bodies]


async def pages(server: Server, q: str, limit: int) -> list[str]:
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        answer = (await server.http.get("/api/v1/runs", params={"q": q, "limit": limit, **cursor})).json()
        found += [run["id"] for run in answer["runs"]]
        if answer["next"] is None:
            return found
        cursor = {"cursor": answer["next"]}


@pytest.mark.parametrize("limit", [1, 2, 50])
async def test_pages_of_a_query_have_every_run_once(server: Server, limit: int) -> None:
    runs = await fill(server, f"paged-{limit}")

    assert await pages(server, f"tag:paged-{limit} priority:1", limit) == list(reversed(runs[1::3]))
    assert await pages(server, f"tag:paged-{limit} input.n:3,4 since:1h", limit) == [runs[4], runs[3]]


async def test_a_query_is_counted_by_state(server: Server) -> None:
    await fill(server, "counted")
    answer = await server.http.get("/api/v1/runs/count", params={"q": "tag:counted -priority:0"})

    assert answer.json() == {"count": 6, "is_complete": True, "states": {"waiting": 6}}


async def test_a_query_stands_alone_and_its_mistakes_are_named(server: Server) -> None:
    beside = await server.http.get("/api/v1/runs", params={"q": "job:open", "queue": "mail"})
    unknown = await server.http.get("/api/v1/runs", params={"q": "jobb:open"})
    other = await server.http.get("/api/v1/runs", params={"q": "job:open", "limit": 1})
    moved = await server.http.get("/api/v1/runs", params={"q": "job:mail", "cursor": other.json()["next"]})

    assert (beside.status_code, beside.json()["detail"]) == (422, "says it all: leave out queue")
    assert (unknown.status_code, unknown.json()["field"], unknown.json()["code"]) == (422, "q", "bad_query")
    assert "did you mean job?" in unknown.json()["detail"]
    assert (moved.status_code, moved.json()["code"]) == (422, "bad_cursor")
