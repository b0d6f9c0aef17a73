"""Asking for runs and looking at them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mainspring.domain.ids import parse_run_id
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


def mail(**fields: Any) -> dict[str, Any]:
    return {"job": "mail", "input": {"email": "a@b.c"}, **fields}


async def get(server: Server, run: str) -> dict[str, Any]:
    answer = await server.http.get(f"/api/v1/runs/{run}")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


async def test_one_run_is_accepted_and_can_be_read_back(server: Server) -> None:
    answer = await server.post(mail(priority=8, queue="letters", key="first"))
    run = await get(server, answer.json()["id"])

    assert answer.status_code == 201
    assert answer.json() == {"id": run["id"], "existing": False}
    assert {name: run[name] for name in ("namespace", "job", "queue", "priority", "state", "reason", "key")} == {
        "namespace": "default",
        "job": "mail",
        "queue": "letters",
        "priority": 8,
        "state": "waiting",
        "reason": "no_executor",
        "key": "first",
    }
    assert run["input"] == {"email": "a@b.c"}
    assert (run["attempt"], run["failures"], run["losses"]) == (0, 0, 0)
    assert run["result"] is run["error"] is run["started_at"] is run["finished_at"] is run["progress"] is None


async def test_input_defaults_to_no_arguments(server: Server) -> None:
    answer = await server.post({"job": "open"})

    assert (await get(server, answer.json()["id"]))["input"] == {}


async def test_many_runs_are_accepted_in_order(server: Server) -> None:
    answer = await server.post({"runs": [mail(priority=n % 10) for n in range(100)]})
    ids = [run["id"] for run in answer.json()["runs"]]

    assert answer.status_code == 201
    assert ids == sorted(ids)
    assert (await get(server, ids[7]))["priority"] == 7


async def test_a_repeated_key_answers_200_with_the_first_run(server: Server) -> None:
    first = await server.post(mail(key="again"))
    second = await server.post(mail(key="again"))

    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == {"id": first.json()["id"], "existing": True}


async def test_a_key_used_for_something_else_is_a_conflict(server: Server) -> None:
    await server.post(mail(key="taken"))
    answer = await server.post({"job": "mail", "input": {"email": "other"}, "key": "taken"})
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem["kind"], problem["key"]) == (
        409,
        "key_conflict",
        "key",
        "taken",
    )


async def test_due_at_and_delay_say_when(server: Server) -> None:
    due = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)  # noqa: TID251
    at = await server.post(mail(due_at=due))
    later = await server.post(mail(delay=90.5))
    delayed = await get(server, later.json()["id"])

    assert datetime.fromisoformat((await get(server, at.json()["id"]))["due_at"]) == due
    waits = datetime.fromisoformat(delayed["due_at"]) - datetime.fromisoformat(delayed["created_at"])
    assert timedelta(seconds=90) < waits < timedelta(seconds=91)


async def test_pages_lead_from_the_newest_to_the_oldest(server: Server) -> None:
    accepted = await server.post({"runs": [mail(queue="paged") for _ in range(5)]})
    ids = [run["id"] for run in accepted.json()["runs"]]
    seen: list[str] = []
    cursor: str | None = None
    while cursor is not None or not seen:
        query = {"queue": "paged", "limit": "2"} | ({"cursor": cursor} if cursor else {})
        page = (await server.http.get("/api/v1/runs", params=query)).json()
        seen += [run["id"] for run in page["runs"]]
        cursor = page["next"]

    assert seen == ids[::-1]


async def test_a_listing_is_filtered_by_job_and_state(server: Server) -> None:
    await server.post({"job": "open", "queue": "filtered"})
    await server.post(mail(queue="filtered"))
    by_job = await server.http.get("/api/v1/runs?queue=filtered&job=open")
    by_state = await server.http.get("/api/v1/runs?queue=filtered&state=succeeded&state=failed")

    assert [run["job"] for run in by_job.json()["runs"]] == ["open"]
    assert by_state.json() == {"runs": [], "next": None}


async def test_a_namespace_sees_only_its_own(server: Server) -> None:
    accepted = await server.post(mail())
    path = f"/api/v1/runs/{accepted.json()['id']}"
    by_header = await server.http.get(path, headers={"mainspring-namespace": "other"})
    by_query = await server.http.get(f"{path}?namespace=other")
    jobs = await server.post(mail(), mainspring_namespace="other")

    assert (by_header.status_code, by_query.status_code) == (404, 404)
    assert (jobs.status_code, jobs.json()["code"]) == (404, "unknown_job")
    assert (await server.http.get("/api/v1/runs?namespace=other")).json()["runs"] == []


async def test_waiting_ends_with_the_run_as_it_is(server: Server) -> None:
    accepted = await server.post(mail(delay=3600))
    answer = await server.http.get(f"/api/v1/runs/{accepted.json()['id']}?wait=0.01")

    assert answer.json()["finished_at"] is None


async def test_a_new_run_has_neither_logs_nor_attempts(server: Server) -> None:
    accepted = await server.post(mail())
    path = f"/api/v1/runs/{accepted.json()['id']}"

    assert (await server.http.get(f"{path}/logs")).json() == {"logs": [], "next": 0}
    assert (await server.http.get(f"{path}/attempts")).json() == {"attempts": []}


async def test_input_is_stored_as_it_was_sent(server: Server) -> None:
    accepted = await server.post(b'{"job": "mail", "input": { "email":"\\u00e4 \xc3\xa4",  "times": 1 }}')
    run = await server.store.runs.get("default", parse_run_id(accepted.json()["id"]))

    assert run is not None
    assert run.input == b'{ "email":"\\u00e4 \xc3\xa4",  "times": 1 }'


@pytest.mark.parametrize(
    ("route", "field"),
    [
        ({"strategy": "nearest"}, "route.strategy"),
        ({"strategy": "broadcast"}, "route.strategy"),
        ({"strategy": "failover"}, "route.executors"),
        ({"strategy": "hash", "key": ["colour"]}, "route.key"),
        ({"strategy": "hash", "key": []}, "route.key"),
        ({"strategy": "first", "on_absent": "perhaps"}, "route.on_absent"),
        ({"strategy": "first", "weight": 3}, "route.weight"),
        ({}, "route"),
    ],
    ids=str,
)
async def test_a_route_that_no_run_can_have_is_refused_with_its_field(
    server: Server, route: dict[str, Any], field: str
) -> None:
    answer = await server.post(mail(route=route))
    of_many = await server.post({"runs": [mail(), mail(route=route)]})

    assert (answer.status_code, of_many.status_code) == (422, 422)
    assert answer.json()["field"].startswith(field)
    assert of_many.json()["field"].startswith(f"runs[1].{field}")


async def test_a_run_with_a_route_of_its_own_waits_for_an_executor_like_others(server: Server) -> None:
    answer = await server.post(mail(route={"strategy": "round_robin"}))
    run = await get(server, answer.json()["id"])

    assert (answer.status_code, run["state"], run["reason"]) == (201, "waiting", "no_executor")
