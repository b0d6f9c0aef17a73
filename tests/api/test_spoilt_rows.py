"""Damaged rows in the store: a list leaves them out or shows them as they are, and is answered all the same."""

from typing import Any

import msgspec
import pytest

from mainspring.store.sqlite.store import SqliteStore
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOURLY = {"job": "open", "when": {"kind": "cron", "expressions": ["0 * * * *"]}}


async def spoil(server: Server, statement: str, *values: Any) -> None:
    store = server.store
    assert isinstance(store, SqliteStore)
    await store.connection.write(lambda c: c.execute(statement, values))


async def test_a_run_due_before_all_time_is_listed(server: Server) -> None:
    run = (await server.post({"job": "open", "queue": "nobody"})).json()["id"]
    await spoil(
        server,
        "UPDATE runs SET due_at = ?, extra = ? WHERE id = ?",
        -(10**17),
        b"{not",
        bytes.fromhex(run.replace("-", "")),
    )
    listed = await server.http.get("/api/v1/runs?bodies=true&limit=10")
    one = await server.http.get(f"/api/v1/runs/{run}")

    assert (listed.status_code, one.status_code) == (200, 200)
    assert one.json()["due_at"] == "1900-01-01T00:00:00Z"
    assert run in {each["id"] for each in listed.json()["runs"]}


@pytest.mark.parametrize("stored", [b"{not json", b'1,"state":"failed"', b"\xff"])
async def test_an_input_that_is_no_json_spoils_no_answer(server: Server, stored: bytes) -> None:
    run = (await server.post({"job": "open", "queue": "nobody"})).json()["id"]
    await spoil(server, "UPDATE runs SET input = ? WHERE id = ?", stored, bytes.fromhex(run.replace("-", "")))
    answer = await server.http.get(f"/api/v1/runs/{run}")

    assert answer.status_code == 200
    assert msgspec.json.decode(answer.content)["state"] == "waiting"
    assert answer.json()["input"] == stored.decode(errors="replace")


async def test_an_unreadable_trigger_is_left_out_of_pages_and_named_where_it_is_asked_for(server: Server) -> None:
    for name in ("a", "b", "c"):
        await server.http.put(f"/api/v1/triggers/{name}", json=HOURLY)
    await spoil(server, "UPDATE triggers SET spec = '{not' WHERE name = 'b'")
    page = (await server.http.get("/api/v1/triggers?limit=2")).json()
    asked = await server.http.get("/api/v1/triggers/b")
    broken = await unreadable(server, "triggers")
    matched = await server.http.delete("/api/v1/triggers/b", headers={"if-match": '"1"'})
    deleted = await server.http.delete("/api/v1/triggers/b")
    again = await server.http.delete("/api/v1/triggers/b")
    mended = await unreadable(server, "triggers")

    assert [each["name"] for each in page["triggers"]] == ["a", "c"]
    assert (asked.status_code, asked.json()["code"]) == (409, "row_unreadable")
    assert (matched.status_code, deleted.status_code, again.status_code) == (409, 204, 404)
    assert (len(broken), mended) == (1, [])


async def test_an_unreadable_job_is_named_where_it_is_asked_for(server: Server) -> None:
    await server.http.put("/api/v1/jobs/spoilt", json={"handler": "open"}, headers={"if-none-match": "*"})
    await spoil(server, "UPDATE jobs SET spec = CAST('{' || CAST(spec AS TEXT) AS BLOB) WHERE name = 'spoilt'")
    asked = await server.http.get("/api/v1/jobs/spoilt")
    await spoil(server, "UPDATE jobs SET spec = substr(spec, 2) WHERE name = 'spoilt'")
    mended = await server.http.get("/api/v1/jobs/spoilt")

    assert (asked.status_code, asked.json()["code"]) == (409, "row_unreadable")
    assert mended.status_code == 200


async def unreadable(server: Server, table: str) -> list[str]:
    """The rows of a table that the server names as unreadable."""
    invariants = (await server.http.get("/api/v1/invariants")).json()["invariants"]
    (readable,) = (each for each in invariants if each["name"] == "readable")
    return [example for example in readable["examples"] if example.startswith(f"{table} ")]
