"""The overview of a namespace, histograms, saved views, herds of triggers, searches, figures, marks and settings."""

import asyncio

import httpx2
import msgspec
import pytest

from mainspring.api.http.shared_answers import SharedAnswers
from mainspring.testing.clock import FakeClock
from tests.api.conftest import Server
from tests.api.test_dead import dead

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Number(msgspec.Struct):
    number: int


async def test_the_overview_has_all_that_the_first_page_shows(server: Server) -> None:
    await dead(server, "no stamps")
    trigger = {"job": "open", "when": {"kind": "interval", "every": 3600}}
    await server.http.put("/api/v1/triggers/hourly", json=trigger)
    await server.post({"job": "open"})
    found = (await server.http.get("/api/v1/overview")).json()

    assert found["totals"]["queues"] >= 1
    assert found["failing"][0]["job"] == "open"
    assert found["failing_groups"] == len(found["failing"])
    assert [(fire["trigger"], fire["job"]) for fire in found["next_fires"]] == [("hourly", "open")]
    assert {queue["name"] for queue in found["queues"]} >= {"default"}
    assert (found["approvals"], found["executors"], found["rates"]["step"]) == ([], [], "minute")


async def test_the_overview_says_that_nothing_is_started(server: Server) -> None:
    await server.http.put("/api/v1/maintenance", json={"on": True, "reason": "moving house"})
    other = {"mainspring-namespace": "other"}
    await server.http.post("/api/v1/namespaces/other/pause", json={"reason": "unpaid"})
    found = (await server.http.get("/api/v1/overview", headers=other)).json()
    await server.http.put("/api/v1/maintenance", json={"on": False})
    await server.http.post("/api/v1/namespaces/other/resume", json={})

    assert (found["maintenance"]["reason"], found["pause"]["reason"]) == ("moving house", "unpaid")


async def test_the_overview_of_another_namespace_is_its_own(server: Server) -> None:
    found = (await server.http.get("/api/v1/overview", headers={"mainspring-namespace": "other"})).json()

    assert (found["next_fires"], found["failing"], found["totals"]["queued"]) == ([], [], 0)


async def test_answers_are_made_once_for_all_who_wait_and_anew_after_a_second() -> None:
    clock, made, let_go = FakeClock(), 0, asyncio.Event()
    shared = SharedAnswers(clock)

    async def make() -> Number:
        nonlocal made
        made += 1
        await let_go.wait()
        return Number(made)

    waiting = [asyncio.create_task(shared.get("one", make)) for _ in range(5)]
    gone = asyncio.create_task(shared.get("one", make))
    await asyncio.sleep(0)
    gone.cancel()
    let_go.set()

    assert [await each for each in waiting] == [b'{"number":1}'] * 5
    assert await shared.get("one", make) == b'{"number":1}'
    assert await shared.get("other", make) == b'{"number":2}'
    clock.advance(1.0)
    assert await shared.get("one", make) == b'{"number":3}'


async def test_what_an_answer_raises_is_raised_and_tried_anew() -> None:
    shared = SharedAnswers(FakeClock())

    async def fail() -> Number:
        raise LookupError("gone")

    async def make() -> Number:
        return Number(1)

    with pytest.raises(LookupError):
        await shared.get("one", fail)
    assert await shared.get("one", make) == b'{"number":1}'


async def test_a_costly_answer_is_kept_by_its_cost_and_given_while_the_next_is_made() -> None:
    clock, made = FakeClock(), 0
    shared = SharedAnswers(clock)

    async def make() -> Number:
        nonlocal made
        made += 1
        number = made
        clock.advance(2.0)
        return Number(number)

    assert await shared.get_costly("one", make) == b'{"number":1}'
    clock.advance(37.0)
    assert await shared.get_costly("one", make) == b'{"number":1}'
    clock.advance(2.0)
    assert await shared.get_costly("one", make) == b'{"number":1}'
    for _ in range(10):
        await asyncio.sleep(0)
    assert await shared.get_costly("one", make) == b'{"number":2}'
    clock.advance(240.0)
    assert await shared.get_costly("one", make) == b'{"number":3}'


async def test_a_quick_answer_is_made_anew_each_time() -> None:
    shared, made = SharedAnswers(FakeClock()), 0

    async def make() -> Number:
        nonlocal made
        made += 1
        return Number(made)

    assert [await shared.get_costly("one", make) for _ in range(3)] == [b'{"number":%d}' % n for n in (1, 2, 3)]


async def histogram(server: Server, q: str, **parameters: int) -> httpx2.Response:
    return await server.http.get("/api/v1/runs/histogram", params={"q": q, **parameters})


async def test_runs_that_need_a_look_are_counted_by_creation(server: Server) -> None:
    for number in range(4):
        await server.post({"job": "open", "tags": ["in-time"], "priority": number % 2})
    found = (await histogram(server, "tag:in-time priority:1", steps=10)).json()

    assert (found["by"], found["count"], found["is_complete"]) == ("created", 2, True)
    assert len(found["steps"]) <= 10
    assert [step["states"] for step in found["steps"] if step["states"]] == [{"waiting": 2}]
    assert found["reached"] == found["since"]


async def test_runs_of_jobs_and_queues_are_counted_by_roll_ups(server: Server) -> None:
    found = (await histogram(server, "job:open state:failed since:24h")).json()

    assert (found["by"], found["is_complete"], found["step_seconds"]) == ("finished", True, 3600)


async def test_mistakes_in_a_histogram_are_named(server: Server) -> None:
    unknown = await histogram(server, "jobb:open")
    many = await histogram(server, "", steps=1000)
    nothing = await histogram(server, "job:nothing")

    assert (unknown.status_code, unknown.json()["code"]) == (422, "bad_query")
    assert (many.status_code, many.json()["field"]) == (422, "steps")
    assert (nothing.status_code, nothing.json()["code"]) == (404, "unknown_job")


async def test_a_view_is_of_one_caller_or_shared(server: Server) -> None:
    text = (await server.http.post("/api/v1/tokens", json={"name": "viewer", "role": "viewer"})).json()["text"]
    viewer = {"authorization": f"Bearer {text}"}
    mine = await server.http.put("/api/v1/views/late mail", json={"q": "queue:mail state:queued"})
    await server.http.put("/api/v1/shared-views/failed", json={"q": "state:failed"})
    theirs = await server.http.put("/api/v1/views/late mail", json={"q": "job:open"}, headers=viewer)
    refused = await server.http.put("/api/v1/shared-views/failed", json={"q": "job:open"}, headers=viewer)
    seen = (await server.http.get("/api/v1/views", headers=viewer)).json()["views"]

    assert (mine.status_code, theirs.status_code) == (200, 200)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert [(view["name"], view["q"], view["shared"]) for view in seen] == [
        ("late mail", "job:open", False),
        ("failed", "state:failed", True),
    ]
    gone = [(await server.http.delete("/api/v1/views/late mail", headers=viewer)).status_code for _ in range(2)]
    assert gone == [204, 404]
    assert "late mail" in [view["name"] for view in (await server.http.get("/api/v1/views")).json()["views"]]


@pytest.mark.parametrize(
    ("name", "q", "field"),
    [
        (" blank", "job:open", "name"),
        ("line%0Abreak", "job:open", "name"),
        ("ok", "jobb:open", "q"),
        ("ok", "   ", "q"),
    ],
)
async def test_a_view_that_could_not_be_read_is_refused(server: Server, name: str, q: str, field: str) -> None:
    answer = await server.http.put(f"/api/v1/views/{name}", json={"q": q})

    assert (answer.status_code, answer.json()["field"]) == (422, field)


async def test_choices_for_the_console_are_of_one_caller(server: Server) -> None:
    text = (await server.http.post("/api/v1/tokens", json={"name": "chooser", "role": "viewer"})).json()["text"]
    viewer = {"authorization": f"Bearer {text}"}
    none = (await server.http.get("/api/v1/me/preferences", headers=viewer)).json()
    chosen = {"theme": "dark", "language": "zh", "zone": "America/New_York", "keys": False, "range": "7d"}
    kept = await server.http.put("/api/v1/me/preferences", json=chosen, headers=viewer)
    mine = (await server.http.get("/api/v1/me/preferences", headers=viewer)).json()
    less = (await server.http.put("/api/v1/me/preferences", json={"zone": ""}, headers=viewer)).json()

    assert set(none.values()) == {None}
    assert kept.json() == mine == {**none, **chosen}
    assert less == {**none, "zone": ""}
    assert (await server.http.get("/api/v1/me/preferences")).json() == none


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"theme": "pink"}, "theme"),
        ({"range": "2d"}, "range"),
        ({"zone": "../../etc/passwd"}, "zone"),
        ({"own_zone": "a" * 65}, "own_zone"),
        ({"keys": "off"}, "keys"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_choices_that_nobody_has_are_refused(server: Server, chosen: dict[str, object], field: str) -> None:
    answer = await server.http.put("/api/v1/me/preferences", json=chosen)

    assert (answer.status_code, answer.json()["field"]) == (422, field)


async def test_a_herd_is_shown_counted_and_spread_and_keeps_its_rules(server: Server) -> None:
    rule = {"job": "open", "when": {"kind": "cron", "expressions": ["0 12 * * *"]}}
    names = [f"noon-{number}" for number in range(20)]
    await server.http.post("/api/v1/triggers/bulk", json=[{"name": name, **rule} for name in names])
    cell = "/api/v1/forecast/cell?at=2031-01-01T12:00:00Z&step=60"
    herd = (await server.http.get(f"{cell}&limit=5")).json()
    asked = {"names": names, "over": 3600, "at": "2031-01-01T12:00:00Z"}
    planned = (await server.http.post("/api/v1/triggers/spread", json={**asked, "dry_run": True})).json()
    before = (await server.http.get("/api/v1/triggers/noon-3")).json()
    done = (await server.http.post("/api/v1/triggers/spread", json={**asked, "note": "all at noon"})).json()
    after = (await server.http.get("/api/v1/triggers/noon-3")).json()

    assert (herd["runs"], len(herd["triggers"]), herd["more"], herd["complete"]) == (20, 5, 15, True)
    assert (planned["applied"], planned["peak_before"], sum(planned["after"])) == (False, 20, 20)
    assert planned["peak_after"] < 10
    assert (before["revision"], after["revision"], after["spec"]["spread"]) == (1, 2, 3600)
    assert done["applied"]
    assert done["triggers"][0] == {"name": "noon-0", "spread": 0.0, "group": ""}
    assert (await server.http.get(f"{cell}&limit=1")).json()["runs"] < 20


async def test_triggers_that_cannot_be_spread_are_named(server: Server) -> None:
    await server.http.put("/api/v1/triggers/called", json={"job": "open", "when": {"kind": "webhook"}})
    called = await server.http.post("/api/v1/triggers/spread", json={"names": ["called"], "over": 60})
    unknown = await server.http.post("/api/v1/triggers/spread", json={"names": ["nobody"], "over": 60})

    assert (called.status_code, called.json()["code"]) == (422, "bad_spread")
    assert "called" in called.json()["detail"]
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_trigger")


async def test_one_search_finds_runs_and_names(server: Server) -> None:
    made = (await server.post({"job": "open", "key": "order-17", "tags": ["vip"], "labels": {"land": "DE"}})).json()

    async def found(q: str) -> list[tuple[str, str]]:
        answer = await server.http.get("/api/v1/search", params={"q": q})
        return [(one["kind"], one["name"]) for one in answer.json()["found"]]

    for wanted in (made["id"][:13], "order-17", "#vip", "land=DE"):
        assert ("run", made["id"]) in await found(wanted)
    assert ("job", "open") in await found("ope")
    assert await found("nothing-like-it") == []


async def test_figures_have_the_last_runs_and_instants(server: Server) -> None:
    made = (await server.post({"job": "open"})).json()
    runs = (await server.http.get("/api/v1/figures/jobs?name=open&name=nobody")).json()["jobs"]
    await server.http.put("/api/v1/triggers/fresh", json={"job": "open", "when": {"kind": "interval", "every": 3600}})
    instants = (await server.http.get("/api/v1/figures/triggers?name=fresh&name=nobody")).json()["triggers"]

    assert [(one["job"], len(one["runs"]) > 0) for one in runs] == [("open", True), ("nobody", False)]
    assert runs[0]["runs"][0]["id"] == made["id"]
    assert instants == [{"name": "fresh", "instants": []}]


async def test_marks_are_the_changes_that_explain_a_chart(server: Server) -> None:
    await server.http.post("/api/v1/queues/default/pause", json={"reason": "stock-taking"})
    await server.http.post("/api/v1/queues/default/resume")
    found = (await server.http.get("/api/v1/marks")).json()

    assert [one["kind"] for one in found["marks"] if one["subject"] == "queue default"] == ["pause", "resume"]
    assert "token.create" not in {one["act"] for one in found["marks"]}


async def test_settings_have_origins_and_hide_secrets(server: Server) -> None:
    found = {one["name"]: one for one in (await server.http.get("/api/v1/settings")).json()["settings"]}

    assert found["scheduler.lease"]["variable"] == "MAINSPRING_SCHEDULER_LEASE"
    assert found["metrics"]["origin"] == "default"
    assert all(one["value"] in ("", "***") for name, one in found.items() if "token" in name)
