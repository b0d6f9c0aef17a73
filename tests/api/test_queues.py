"""Queues over HTTP: what is shown, and what an operator may do."""

from typing import Any

import httpx2
import msgspec
import pytest

from mainspring.api.app import create_app
from mainspring.api.input.bodies import Intake
from mainspring.domain.jobs.job import JobSpec
from mainspring.errors import UnavailableError
from mainspring.settings import ServerSettings
from tests.api.conftest import API_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def enqueue(server: Server, queue: str, count: int = 1) -> httpx2.Response:
    return await server.post({"runs": [{"job": "open", "queue": queue} for _ in range(count)]})


async def survey(server: Server) -> None:
    """Count now, as the duty does every two seconds."""
    surveying = server.scheduler.observation.surveying
    surveying.period = 0.0
    await surveying.tick()


async def get(server: Server, path: str, **query: Any) -> dict[str, Any]:
    answer = await server.http.get(f"/api/v1/{path}", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def send(server: Server, method: str, path: str, content: object = None, **headers: str) -> httpx2.Response:
    body = None if content is None else msgspec.json.encode(content)
    said = {"content-type": "application/json"} if body is not None else {}
    return await server.http.request(method, f"/api/v1/{path}", content=body, headers=said | headers)


async def test_a_queue_shows_its_depth_as_of_the_last_survey(server: Server) -> None:
    await enqueue(server, "shown", 3)
    await server.post({"job": "open", "queue": "shown", "delay": 3600})
    await survey(server)
    queue = await get(server, "queues/shown")

    numbers = {name: queue[name] for name in ("queued", "later", "waiting", "running", "executors", "slots")}
    assert numbers == {"queued": 3, "later": 1, "waiting": 0, "running": 0, "executors": 0, "slots": 0}
    assert queue["oldest_seconds"] >= 0
    assert queue["taken_at"] is not None
    assert (queue["paused"], queue["max_queued"]) == (None, None)


async def test_queues_are_listed_a_page_at_a_time(server: Server) -> None:
    for name in ("page-b", "page-a", "page-c"):
        await enqueue(server, name)
    names: list[str] = []
    cursor: str | None = None
    while cursor is not None or not names:
        page = await get(server, "queues", limit=2, **({"cursor": cursor} if cursor else {}))
        names += [queue["name"] for queue in page["queues"]]
        cursor = page["next"]

    assert names == sorted(names)
    assert {"page-a", "page-b", "page-c"} <= set(names)


async def test_an_autoscaler_gets_the_load_and_the_number_of_executors(server: Server) -> None:
    await enqueue(server, "scaled", 5)
    await survey(server)
    busy = await get(server, "queues/scaled/scaling")
    await send(server, "POST", "queues/scaled/pause")
    paused = await get(server, "queues/scaled/scaling")

    several = await get(server, "scaling", queues="scaled,never-used", slots=2)
    bad = await send(server, "GET", "scaling?queues=scaled&slots=0")

    assert busy.keys() == {"depth", "oldest_seconds", "running", "slots", "load", "wanted", "arrivals", "duration"}
    assert (busy["load"], busy["wanted"]) == (5, 1)
    assert (several["depth"], several["wanted"]) == (0, 0)
    assert bad.status_code == 422
    assert (busy["depth"], busy["running"], busy["slots"]) == (5, 0, 0)
    assert paused["depth"] == 0


async def test_a_paused_queue_says_why_by_whom_and_since_when(server: Server) -> None:
    await enqueue(server, "letters/air")
    answer = await send(server, "POST", "queues/letters%2Fair/pause", {"reason": "no stamps"})
    run = (await enqueue(server, "letters/air")).json()["runs"][0]["id"]
    found = await get(server, f"runs/{run}")

    assert answer.status_code == 200
    assert (answer.json()["paused"]["reason"], answer.json()["name"]) == ("no stamps", "letters/air")
    assert (found["state"], found["reason"]) == ("waiting", "paused")
    resumed = await send(server, "POST", "queues/letters%2Fair/resume")
    assert (resumed.status_code, resumed.json()["paused"]) == (200, None)
    again = await send(server, "POST", "queues/letters%2Fair/resume", {})
    assert again.status_code == 200


async def test_a_queue_over_its_budget_answers_429_and_no_run_exists(server: Server) -> None:
    await enqueue(server, "small", 2)
    await survey(server)
    await send(server, "PUT", "queues/small/budget", {"max_queued": 3})
    fits = await server.post({"job": "open", "queue": "small"})
    refused = await server.post({"job": "open", "queue": "small"})
    bulk = await enqueue(server, "small", 5)
    problem = refused.json()

    assert (fits.status_code, refused.status_code, bulk.status_code) == (201, 429, 429)
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.headers["retry-after"] == str(problem["retry_after"])
    assert {name: problem[name] for name in ("code", "kind", "key", "depth", "limit")} == {
        "code": "over_budget",
        "kind": "queue",
        "key": "small",
        "depth": 3,
        "limit": 3,
    }
    assert len((await get(server, "runs", queue="small"))["runs"]) == 3
    await send(server, "PUT", "queues/small/budget", {"max_queued": None})
    assert (await server.post({"job": "open", "queue": "small"})).status_code == 201


async def test_a_namespace_has_a_budget_too(server: Server) -> None:
    await server.store.jobs.register("other", [JobSpec(name="open", handler="open")], now=server.scheduler._clock.now())
    there = {"mainspring-namespace": "other"}
    answer = await send(server, "PUT", "namespaces/other/budget", {"max_queued": 1})
    first = await server.post({"job": "open", "queue": "a"}, **there)
    second = await server.post({"job": "open", "queue": "b"}, **there)
    elsewhere = await enqueue(server, "default")

    assert (answer.status_code, answer.json()) == (200, {"namespace": "other", "max_queued": 1})
    assert (await get(server, "namespaces/other/budget"))["max_queued"] == 1
    assert (first.status_code, second.status_code, elsewhere.status_code) == (201, 429, 201)
    assert (second.json()["kind"], second.json()["key"]) == ("namespace", "other")
    await send(server, "PUT", "namespaces/other/budget", {"max_queued": None})


async def test_rates_are_given_step_by_step(server: Server) -> None:
    await enqueue(server, "rated")
    await server.scheduler.observation.rolling.tick()
    minutes = await get(server, "queues/rated/rates", steps=5)
    hours = await get(server, "queues/rated/rates", step="hour", job="open")

    assert (minutes["step"], len(minutes["steps"])) == ("minute", 5)
    assert minutes["steps"][0].keys() == {"at", "succeeded", "failed", "cancelled", "skipped", "wait", "duration"}
    assert (hours["step"], len(hours["steps"])) == ("hour", 60)


async def test_rates_of_a_namespace_have_the_same_form(server: Server) -> None:
    await enqueue(server, "rated")
    await server.scheduler.observation.rolling.tick()
    whole = await get(server, "rates", steps=5)
    figures = await get(server, "rates/jobs")

    assert (whole["step"], len(whole["steps"])) == ("minute", 5)
    assert figures.keys() == {"since", "until", "jobs"}


@pytest.mark.parametrize(
    ("method", "path", "content", "status", "code", "field"),
    [
        ("GET", "queues/nobody", None, 404, "unknown_queue", None),
        ("GET", "queues/nobody/scaling", None, 404, "unknown_queue", None),
        ("GET", "queues/nobody/rates", None, 404, "unknown_queue", None),
        ("GET", "queues?limit=0", None, 422, "bad_limit", "limit"),
        ("GET", "queues?limit=501", None, 422, "bad_limit", "limit"),
        ("GET", "queues?cursor=nonsense", None, 422, "bad_cursor", "cursor"),
        ("GET", "queues/default/rates?step=day", None, 422, "bad_step", "step"),
        ("GET", "rates?step=day", None, 422, "bad_step", "step"),
        ("GET", "rates?job=nope", None, 404, "unknown_job", None),
        ("GET", "rates/jobs?step=day", None, 422, "bad_step", "step"),
        ("GET", "queues/default/rates?steps=0", None, 422, "bad_steps", "steps"),
        ("GET", "queues/default/rates?job=nope", None, 404, "unknown_job", None),
        ("POST", "queues/defualt/pause", {}, 404, "unknown_queue", None),
        ("POST", "queues/defualt/resume", {}, 404, "unknown_queue", None),
        ("POST", "queues/default/pause", {"reason": 7}, 422, "bad_reason", "reason"),
        ("POST", "queues/default/pause", {"reason": "x" * 501}, 422, "bad_reason", "reason"),
        ("POST", "queues/default/pause", {"reason": "a\x07b"}, 422, "bad_reason", "reason"),
        ("POST", "queues/default/pause", {"why": "x"}, 422, "unknown_field", "why"),
        ("POST", "queues/default/pause", [], 422, "bad_body", "body"),
        ("POST", "queues/default/resume", {"reason": "x"}, 422, "unknown_field", "reason"),
        ("POST", f"queues/{'x' * 101}/pause", {"new": True}, 422, "bad_name", "name"),
        ("POST", "queues/a%20/pause", {"new": True}, 422, "bad_queue", "queue"),
        ("PUT", "queues/defualt/budget", {"max_queued": 1}, 404, "unknown_queue", None),
        ("PUT", "queues/default/budget", {}, 422, "missing_field", "max_queued"),
        ("PATCH", "queues/default", {"ageing": 0}, 422, "bad_ageing", "ageing"),
        ("PATCH", "queues/default", {"ageing": "10m"}, 422, "bad_ageing", "ageing"),
        ("PATCH", "queues/default", {"hurry": 1e12}, 422, "bad_hurry", "hurry"),
        ("PATCH", "queues/default", {"hurry": []}, 422, "bad_hurry", "hurry"),
        ("PATCH", "queues/default", {"blackout": "nowhere"}, 422, "unknown_calendar", "blackout"),
        ("PATCH", "queues/default", {"blackout": None}, 422, "bad_blackout", "blackout"),
        ("PATCH", "namespaces/default/policy", {"blackout": "nowhere"}, 422, "unknown_calendar", "blackout"),
        ("POST", "queues/default/pause", {"lasts": 0}, 422, "bad_lasts", "lasts"),
        ("PATCH", "queues/default", {"when_full": "shout"}, 422, "bad_when_full", "when_full"),
        ("PATCH", "queues/default", {"late_after": -5}, 422, "bad_late_after", "late_after"),
        ("PATCH", "queues/default", {"weight": 0}, 422, "bad_weight", "weight"),
        ("PATCH", "queues/defautl", {"ageing": 60}, 404, "unknown_queue", None),
        ("PUT", "queues/default/budget", {"max_queued": -1}, 422, "bad_max_queued", "max_queued"),
        ("PUT", "queues/default/budget", {"max_queued": 1.5}, 422, "bad_max_queued", "max_queued"),
        ("PUT", "queues/default/budget", {"max_queued": 2**70}, 422, "bad_max_queued", "max_queued"),
        ("PUT", "queues/default/budget", {"max_queued": "9"}, 422, "bad_max_queued", "max_queued"),
        ("PUT", "queues/default/budget", None, 415, "unsupported_media_type", "content-type"),
        ("PUT", "namespaces/nowhere/budget", {"max_queued": 1}, 404, "unknown_namespace", None),
        ("PUT", "namespaces/No!/budget", {"max_queued": 1}, 422, "bad_namespace", "namespace"),
        ("PUT", "namespaces/default/budget", {"max_queued": []}, 422, "bad_max_queued", "max_queued"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_bad_requests_are_refused_and_change_nothing(
    server: Server, method: str, path: str, content: object, status: int, code: str, field: str | None
) -> None:
    await enqueue(server, "default")
    answer = await send(server, method, path, content)
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem.get("field")) == (status, code, field)
    assert [rule for rule in await server.store.queues.rules() if rule.queue in ("default", "defualt", "")] == []


async def test_a_mistyped_name_is_answered_with_the_one_that_was_meant(server: Server) -> None:
    await enqueue(server, "thumbnails")
    answer = await send(server, "POST", "queues/thumbnial/pause", {})

    assert "did you mean thumbnails?" in answer.json()["detail"]


async def test_a_namespace_sees_only_its_own_queues(server: Server) -> None:
    await enqueue(server, "private")
    there = {"mainspring-namespace": "other"}
    page = await server.http.get("/api/v1/queues", headers=there)
    one = await server.http.get("/api/v1/queues/private", headers=there)

    assert "private" not in [queue["name"] for queue in page.json()["queues"]]
    assert one.status_code == 404


async def test_bodies_that_are_too_many_together_are_turned_away(server: Server) -> None:
    app = create_app(server.scheduler, ServerSettings(api_token=API_TOKEN))
    app.state.intake = Intake(1_000_000)
    run = {"job": "mail", "input": {"email": "x" * 1000}}
    small, large = ({"runs": [run] * count} for count in (500, 2000))
    headers = {"authorization": f"Bearer {API_TOKEN}", "content-type": "application/json"}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://test") as http:
        fits = await http.post("/api/v1/runs", content=msgspec.json.encode(small), headers=headers)
        busy = await http.post("/api/v1/runs", content=msgspec.json.encode(large), headers=headers)
        again = await http.post("/api/v1/runs", content=msgspec.json.encode(small), headers=headers)

    assert (fits.status_code, busy.status_code, again.status_code) == (201, 503, 201)
    assert (busy.json()["code"], busy.headers["retry-after"]) == ("busy", "1")


async def test_room_for_large_bodies_is_shared_and_given_back() -> None:
    intake = Intake(100)
    with intake.hold() as one:
        one.grow(60)
        with intake.hold() as other:
            other.grow(30)
            with pytest.raises(UnavailableError):
                other.grow(41)
        one.grow(100)
    with intake.hold() as whole:
        whole.grow(100)


async def test_the_order_of_a_queue_is_changed_field_by_field_and_shown(server: Server) -> None:
    await enqueue(server, "default")
    first = await send(server, "PATCH", "queues/default", {"ageing": 600, "hurry": 30})
    second = await send(server, "PATCH", "queues/default", {"hurry": None})

    assert first.json()["policy"] == {
        "ageing": 600.0,
        "hurry": 30.0,
        "late_after": None,
        "blackout": "",
        "when_full": "refuse",
        "weight": None,
    }
    assert second.json()["policy"] == {
        "ageing": 600.0,
        "hurry": None,
        "late_after": None,
        "blackout": "",
        "when_full": "refuse",
        "weight": None,
    }
    assert (await get(server, "queues/default"))["policy"]["ageing"] == 600.0
    await send(server, "PATCH", "queues/default", {"ageing": None})


async def test_answers_say_how_full_the_fullest_place_is(server: Server) -> None:
    without = await server.post({"job": "open", "queue": "pressed"})
    await send(server, "PUT", "queues/pressed/budget", {"max_queued": 4, "new": True})
    await survey(server)
    first = await server.post({"job": "open", "queue": "pressed"})
    many = await enqueue(server, "pressed", 2)
    refused = await server.post({"job": "open", "queue": "pressed"})
    await send(server, "PUT", "queues/pressed/budget", {"max_queued": None})

    pressures = [answer.headers.get("mainspring-pressure") for answer in (without, first, many, refused)]
    assert pressures == [None, "0.50", "1.00", "1.00"]


async def test_a_queue_that_sheds_takes_urgent_runs_and_skips_others(server: Server) -> None:
    await send(server, "PUT", "queues/shedding/budget", {"max_queued": 1, "new": True})
    await send(server, "PATCH", "queues/shedding", {"when_full": "shed"})
    low = await server.post({"job": "open", "queue": "shedding", "priority": 1})
    high = await server.post({"job": "open", "queue": "shedding", "priority": 9})
    same = await server.post({"job": "open", "queue": "shedding", "priority": 9})
    await send(server, "PUT", "queues/shedding/budget", {"max_queued": None})
    gone = await get(server, f"runs/{low.json()['id']}")

    assert (high.status_code, same.status_code) == (201, 429)
    assert (gone["state"], gone["reason"]) == ("skipped", "shed")
