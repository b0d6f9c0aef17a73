"""Circuit breakers over HTTP."""

import pytest

from tests.api.conftest import Server

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
