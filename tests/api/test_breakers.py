"""Circuit breakers over HTTP."""

import pytest

from tests.api.conftest import Server
from tests.api.test_dead import dead
from tests.api.test_jobs import make

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_breaker_is_defined_read_and_deleted(server: Server) -> None:
    made = await server.http.put("/api/v1/breakers/erp", json={"failures": 0.4, "ignore": ["InvalidNumber"]})
    read = await server.http.get("/api/v1/breakers/erp")
    listed = await server.http.get("/api/v1/breakers")

    assert (made.status_code, read.status_code) == (200, 200)
    assert made.json() == read.json()
    assert read.json()["state"] == "closed"
    assert (read.json()["rule"]["failures"], read.json()["rule"]["ignore"]) == (0.4, ["InvalidNumber"])
    assert "erp" in [one["name"] for one in listed.json()["breakers"]]
    assert (await server.http.delete("/api/v1/breakers/erp")).status_code == 204
    assert (await server.http.get("/api/v1/breakers/erp")).status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"failures": 1.5}, "failures"),
        ({"window": 0.5}, "window"),
        ({"slow": 0.5}, "slow_after"),
        ({"window_calls": 3}, "min_calls"),
        ({"wait": 20.0, "wait_max": 10.0}, "wait_max"),
        ({"probes": 0}, "probes"),
        ({"wrong": 1}, "wrong"),
    ],
)
async def test_nonsense_is_refused_with_its_field(server: Server, body: dict[str, object], field: str) -> None:
    answer = await server.http.put("/api/v1/breakers/bad", json=body)

    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert field in answer.text


async def test_operators_steer_it_and_history_keeps_that(server: Server) -> None:
    await server.http.put("/api/v1/breakers/mail", json={})
    forced = await server.http.post("/api/v1/breakers/mail/force-open", json={"reason": "gateway moves"})
    back = await server.http.post("/api/v1/breakers/mail/resume")
    history = await server.http.get("/api/v1/breakers/mail/history")

    assert (forced.json()["state"], forced.json()["reason"]) == ("forced_open", "gateway moves")
    assert back.json()["state"] == "closed"
    assert [change["state"] for change in history.json()["changes"]] == ["closed", "forced_open"]


async def test_a_job_cannot_name_one_that_is_not_there(server: Server) -> None:
    await server.http.put("/api/v1/breakers/gateway", json={})
    answer = await server.http.patch(
        "/api/v1/jobs/open", json={"policy": {"breaker": "gatewy"}}, headers={"if-match": "*"}
    )

    assert answer.json()["code"] == "unknown_breaker"
    assert "gateway" in answer.text


async def test_a_rule_is_tried_on_the_attempts_of_its_jobs_and_nothing_is_changed(server: Server) -> None:
    await server.http.put("/api/v1/breakers/tried", json={})
    await make(server, "brittle", handler="open", policy={"breaker": "tried"})
    for _ in range(3):
        await dead(server, "no answer", job="brittle")
    rule = {"failures": 0.5, "min_calls": 2, "witnesses": 1}
    found = (await server.http.post("/api/v1/breakers/tried/what-if", json={"rule": rule})).json()
    lax = (await server.http.post("/api/v1/breakers/tried/what-if", json={"rule": rule | {"min_calls": 9}})).json()

    assert (found["jobs"], found["calls"], found["failures"]) == (["brittle"], 3, 3)
    assert [(one["openings"], one["until"]) for one in found["opened"]] == [(1, None)]
    assert (found["opened_then"], lax["opened"], lax["open_seconds"]) == (0, [], 0.0)
    assert "handler_calls" in found["unknown"]
    assert (await server.http.get("/api/v1/breakers/tried")).json()["rule"]["min_calls"] == 20


async def test_a_rule_without_jobs_has_no_past(server: Server) -> None:
    found = (await server.http.post("/api/v1/breakers/not-there/what-if", json={})).json()

    assert (found["jobs"], found["calls"], found["since"], found["opened"]) == ([], 0, None, [])


async def test_a_rule_that_could_not_be_saved_is_not_tried(server: Server) -> None:
    bad = {"rule": {"wait": 20.0, "wait_max": 10.0}}
    answer = await server.http.post("/api/v1/breakers/tried/what-if", json=bad)

    assert (answer.status_code, answer.json()["field"]) == (422, "wait_max")
