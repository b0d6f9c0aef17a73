"""Backfills over HTTP: what one would do, beginning it, how far it has come, and what is refused."""

from datetime import datetime, timedelta
from typing import Any

import httpx2
import pytest

from mainspring.clock import SystemClock
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOURLY = {"kind": "interval", "every": 3600, "anchor": "2026-01-01T00:00:00Z"}
NOTHING = "01900000-0000-7000-8000-000000000000"


NOW = SystemClock().now()


def ago(hours: int) -> str:
    return (NOW - timedelta(hours=hours)).isoformat()


async def make(server: Server, name: str, when: Any = HOURLY) -> None:
    answer = await server.http.put(f"/api/v1/triggers/{name}", json={"job": "open", "when": when})
    assert answer.status_code == 201, answer.text


async def fill(server: Server, name: str, **said: Any) -> httpx2.Response:
    return await server.http.post(f"/api/v1/triggers/{name}/backfills", json=said)


async def get(server: Server, path: str) -> dict[str, Any]:
    answer = await server.http.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def until_made(server: Server, backfill: str, count: int) -> dict[str, Any]:
    while True:
        await server.scheduler.timing.backfilling.tick()
        found = await get(server, f"backfills/{backfill}")
        if found["made"] >= count:
            return found


async def test_a_dry_run_says_what_would_be_done_and_does_nothing(server: Server) -> None:
    await make(server, "planned")
    answer = await fill(server, "planned", since=ago(48), until=ago(24), dry_run=True)
    plan = answer.json()

    assert (answer.status_code, plan["instants"], plan["fired"], plan["runs"]) == (200, 24, 0, 24)
    assert len(plan["sample"]) == 5
    first, last = (datetime.fromisoformat(plan[name]) for name in ("first", "last"))
    assert last - first == timedelta(hours=23)
    assert (await get(server, "backfills?trigger=planned"))["backfills"] == []


async def test_one_is_begun_followed_and_cancelled(server: Server) -> None:
    await make(server, "begun")
    answer = await fill(server, "begun", since=ago(48), until=ago(24), concurrency=2, reason="late")
    made = answer.json()
    found = await until_made(server, made["id"], 2)
    page = await get(server, f"backfills/{made['id']}/instants?limit=1")
    rest = await get(server, f"backfills/{made['id']}/instants?cursor={page['next']}")
    run = await get(server, f"runs/{page['instants'][0]['run']}")
    ended = await server.http.post(f"/api/v1/backfills/{made['id']}/cancel", json={"reason": "enough"})
    again = await server.http.post(f"/api/v1/backfills/{made['id']}/cancel")

    assert (answer.status_code, made["state"], made["expected"], made["by"]) == (
        202,
        "running",
        24,
        "MAINSPRING_API_TOKEN",
    )
    assert (found["made"], len(found["live"]), found["concurrency"], found["priority"]) == (2, 2, 2, 1)
    assert [each["run"] for each in (*page["instants"], *rest["instants"])] == found["live"]
    assert rest["next"] is None
    assert (run["trigger"], run["fire_at"], run["backfill"]) == ("begun", page["instants"][0]["at"], made["id"])
    assert (run["priority"], run["created_by"]) == (1, "MAINSPRING_API_TOKEN")
    assert (ended.status_code, ended.json()["state"]) == (200, "cancelled")
    assert (again.status_code, again.json()["code"]) == (409, "backfill_over")
    instants = await get(server, f"triggers/begun/instants?since={ago(49).replace('+', '%2B')}&limit=2")
    assert [(each["outcome"], each["backfill"]) for each in instants["instants"]] == [("fired", made["id"])] * 2


async def test_they_are_listed_in_pages(server: Server) -> None:
    await make(server, "listed")
    ids = [(await fill(server, "listed", since=ago(3))).json()["id"] for _ in range(3)]
    page = await get(server, "backfills?trigger=listed&limit=2")
    rest = await get(server, f"backfills?trigger=listed&limit=2&cursor={page['next']}")

    assert [each["id"] for each in (*page["backfills"], *rest["backfills"])] == ids[::-1]
    assert rest["next"] is None
    assert (await get(server, "backfills?trigger=a%00b"))["backfills"] == []


@pytest.mark.parametrize(
    ("said", "status", "code", "field"),
    [
        ({}, 422, "missing_field", "since"),
        ({"since": "yesterday"}, 422, "bad_since", "since"),
        ({"since": "2026-01-01T00:00:00"}, 422, "bad_since", "since"),
        ({"since": "1960-01-01T00:00:00Z"}, 422, "bad_since", "since"),
        ({"since": ago(1), "until": ago(2)}, 422, "bad_since", "since"),
        ({"since": ago(1), "until": ago(-1)}, 422, "bad_until", "until"),
        ({"since": "1971-01-01T00:00:00Z"}, 422, "bad_backfill", "since"),
        ({"since": ago(2), "concurrency": 0}, 422, "bad_concurrency", "concurrency"),
        ({"since": ago(2), "priority": 10}, 422, "bad_priority", "priority"),
        ({"since": ago(2), "color": "red"}, 422, "unknown_field", "color"),
    ],
)
async def test_what_is_wrong_is_said(server: Server, said: dict[str, Any], status: int, code: str, field: str) -> None:
    await server.http.put("/api/v1/triggers/refused", json={"job": "open", "when": HOURLY})
    answer = await fill(server, "refused", **said)

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (status, code, field)


async def test_what_is_not_there_is_not_found(server: Server) -> None:
    answers = [
        await fill(server, "nobody", since=ago(2)),
        await server.http.get(f"/api/v1/backfills/{NOTHING}"),
        await server.http.get(f"/api/v1/backfills/{NOTHING}/instants"),
        await server.http.post(f"/api/v1/backfills/{NOTHING}/cancel"),
        await server.http.get("/api/v1/backfills/nothing"),
        await server.http.get("/api/v1/backfills?cursor=nothing"),
    ]

    assert [(each.status_code, each.json()["code"]) for each in answers] == [
        (404, "unknown_trigger"),
        (404, "unknown_backfill"),
        (404, "unknown_backfill"),
        (404, "unknown_backfill"),
        (422, "bad_run_id"),
        (422, "bad_cursor"),
    ]


async def test_a_trigger_without_such_instants_is_told_so(server: Server) -> None:
    await make(server, "delayed", {"kind": "delay", "delay": 60})
    await make(server, "rare", {"kind": "once", "at": "2101-01-01T00:00:00Z"})
    answers = [await fill(server, name, since=ago(2)) for name in ("delayed", "rare")]

    assert [(each.status_code, each.json()["code"]) for each in answers] == [
        (409, "no_instants"),
        (409, "empty_backfill"),
    ]
