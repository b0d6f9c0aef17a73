"""Dead letters and sweeps over HTTP."""

from typing import Any

import pytest

from mainspring.domain.cluster.invariants import INVARIANTS
from mainspring.domain.ids import Ids
from mainspring.domain.runs.attempt import Decision, Ended, Outcome
from mainspring.domain.runs.run import Failure, RunState
from tests.api.conftest import Server
from tests.factories import session

pytestmark = pytest.mark.asyncio(loop_scope="module")

UNKNOWN = "01900000-0000-7000-8000-000000000000"
FAILED = Decision(RunState.FAILED, reason="attempts_spent", failures=1)
ids = Ids()


async def dead(server: Server, message: str, *, job: str = "open", **fields: Any) -> str:
    """A run that has failed for good, in a queue of its own."""
    queue = f"q{ids.token().hex()[:8]}"
    run: str = (await server.post({"job": job, "queue": queue, **fields})).json()["id"]
    now, live = server.scheduler._clock.now(), session("alone")
    await server.store.cluster.open_session(live, now=now)
    [line] = [number for number, line in (await server.store.jobs.all_lines()).items() if line.queue == queue]
    [claim] = await server.store.runs.claim([line], [live.id], token=ids.token(), now=now)
    failure = Failure(error="OSError", message=message)
    ended = Ended(run=claim.runs[0], token=claim.token, outcome=Outcome.FAILED, failure=failure)
    await server.store.runs.settle([ended], lambda _held, _ended: FAILED, now=now)
    return run


async def group_of(server: Server, message: str) -> dict[str, Any]:
    groups = (await server.http.get("/api/v1/dead-letters", params={"limit": 500})).json()["groups"]
    [found] = [group for group in groups if group["message"] == message]
    return dict(found)


async def over(server: Server, sweep: str) -> dict[str, Any]:
    while True:
        found = (await server.http.get(f"/api/v1/sweeps/{sweep}")).json()
        if found["state"] not in ("running", "canaries"):
            return dict(found)


async def test_what_died_of_the_same_is_one_group_with_its_runs(server: Server) -> None:
    first = await dead(server, "no answer from 10.0.0.7 within 31 s")
    last = await dead(server, "no answer from 10.0.0.12 within 30 s")
    group = await group_of(server, "no answer from <n> within <n> s")

    assert (group["job"], group["class"], group["runs"], group["more"]) == ("open", "OSError", 2, False)
    assert group["example"] == last
    path = f"/api/v1/dead-letters/{group['fingerprint']}"
    page = (await server.http.get(path, params={"limit": 1})).json()
    rest = (await server.http.get(path, params={"cursor": page["next"]})).json()
    assert [letter["run"] for letter in (*page["letters"], *rest["letters"])] == [first, last]
    assert rest["next"] is None


async def test_groups_come_page_by_page(server: Server) -> None:
    for word in ("ebb", "flow"):
        await dead(server, f"the tide: {word}")
    page = (await server.http.get("/api/v1/dead-letters", params={"limit": 1})).json()
    rest = (await server.http.get("/api/v1/dead-letters", params={"limit": 1, "cursor": page["next"]})).json()

    assert [page["groups"][0]["message"], rest["groups"][0]["message"]] == ["the tide: flow", "the tide: ebb"]


async def test_a_dead_run_is_discarded_with_a_reason_and_stays_failed(server: Server) -> None:
    run = await dead(server, "a known bug")
    answer = await server.http.post(f"/api/v1/runs/{run}/discard", json={"reason": "fixed by hand"})

    assert answer.status_code == 200
    assert (answer.json()["discarded"]["by"], answer.json()["discarded"]["reason"]) == (
        "MAINSPRING_API_TOKEN",
        "fixed by hand",
    )
    shown = (await server.http.get(f"/api/v1/runs/{run}")).json()
    assert (shown["state"], shown["discarded"]) == ("failed", answer.json()["discarded"])
    groups = (await server.http.get("/api/v1/dead-letters", params={"limit": 500})).json()["groups"]
    assert "a known bug" not in {group["message"] for group in groups}


async def test_what_has_not_failed_cannot_be_discarded(server: Server) -> None:
    live = (await server.post({"job": "open"})).json()["id"]
    refused = await server.http.post(f"/api/v1/runs/{live}/discard")
    unknown = await server.http.post(f"/api/v1/runs/{UNKNOWN}/discard")

    assert (refused.status_code, refused.json()["code"]) == (409, "run_not_dead")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_run")


async def test_a_run_is_retried_with_an_edited_input_that_its_job_takes(server: Server) -> None:
    run = await dead(server, "no such address", job="mail", input={"email": "a@b"})
    path = f"/api/v1/runs/{run}/retry"
    refused = await server.http.post(path, json={"input": {"email": 7}})
    assert (refused.status_code, refused.json()["field"]) == (422, "input.email")
    assert (await server.http.get(f"/api/v1/runs/{run}")).json()["state"] == "failed"

    answer = await server.http.post(path, json={"input": {"email": "c@d"}, "reason": "a typo"})
    assert answer.status_code == 200
    assert (answer.json()["state"], answer.json()["input"]) == ("waiting", {"email": "c@d"})


async def test_a_group_is_retried_in_the_background(server: Server) -> None:
    runs = [await dead(server, f"cannot lock row {number}") for number in range(3)]
    group = await group_of(server, "cannot lock row <n>")
    asked = {"act": "retry", "filter": {"fingerprint": group["fingerprint"]}, "reason": "fixed"}
    answer = await server.http.post("/api/v1/sweeps", json=asked)
    assert answer.status_code == 202
    assert (answer.json()["expected"], answer.json()["by"]) == (3, "MAINSPRING_API_TOKEN")

    done = await over(server, answer.json()["id"])
    assert (done["state"], done["changed"], done["passed"]) == ("done", 3, 0)
    states = [(await server.http.get(f"/api/v1/runs/{run}")).json()["state"] for run in runs]
    assert states == ["waiting"] * 3
    listed = (await server.http.get("/api/v1/sweeps", params={"limit": 1})).json()
    assert [sweep["id"] for sweep in listed["sweeps"]] == [done["id"]]
    late = await server.http.post(f"/api/v1/sweeps/{done['id']}/cancel")
    assert (late.status_code, late.json()["code"]) == (409, "sweep_over")


async def test_a_run_is_cancelled_with_what_its_handler_asked_for(server: Server) -> None:
    parent = (await server.post({"job": "open"})).json()["id"]
    child = (await server.post({"job": "open", "parent": parent, "tags": ["nightly"]})).json()["id"]
    below = (await server.post({"job": "open", "parent": child})).json()["id"]
    listed = (await server.http.get("/api/v1/runs", params={"parent": parent})).json()["runs"]
    assert [(run["id"], run["parent"]) for run in listed] == [(child, parent)]

    answer = await server.http.post(f"/api/v1/runs/{parent}/cancel", json={"children": True, "reason": "all of it"})
    assert answer.status_code == 200
    states = [(await server.http.get(f"/api/v1/runs/{run}")).json()["state"] for run in (parent, child, below)]
    assert states == ["cancelled"] * 3
    again = await server.http.post(f"/api/v1/runs/{parent}/cancel", json={"children": True})
    assert again.status_code == 200


async def test_the_result_of_a_cancelled_run_says_so(server: Server) -> None:
    run = (await server.post({"job": "open"})).json()["id"]
    await server.http.post(f"/api/v1/runs/{run}/cancel")
    answer = await server.http.get(f"/api/v1/runs/{run}/result")

    assert (answer.status_code, answer.json()["code"]) == (409, "run_cancelled")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"act": "retry"}, "empty_filter"),
        ({"act": "explode", "all": True}, "bad_act"),
        ({"act": "cancel", "filter": {"states": ["failed"]}}, "bad_states"),
        ({"act": "retry", "filter": {"fingerprint": "x"}}, "bad_fingerprint"),
        ({"act": "retry", "all": True, "canaries": 1000}, "bad_canaries"),
        ({"act": "retry", "filter": {"jobs": "open"}}, "unknown_field"),
    ],
)
async def test_a_sweep_that_makes_no_sense_is_refused(server: Server, body: object, code: str) -> None:
    answer = await server.http.post("/api/v1/sweeps", json=body)

    assert (answer.status_code, answer.json()["code"]) == (422, code)


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/dead-letters/xyz",
        "/api/v1/dead-letters?cursor=17",
        "/api/v1/sweeps?cursor=17",
        "/api/v1/runs?parent=17",
    ],
)
async def test_bad_names_and_cursors_are_refused(server: Server, path: str) -> None:
    answer = await server.http.get(path)

    assert answer.status_code == 422
    assert answer.json()["field"] in {"fingerprint", "cursor", "parent"}


async def test_the_invariants_are_told_by_name(server: Server) -> None:
    answer = await server.http.get("/api/v1/invariants")
    told = answer.json()["invariants"]

    assert answer.status_code == 200
    assert [one["name"] for one in told] == list(INVARIANTS)


async def test_a_note_and_a_mute_are_shown_with_their_group(server: Server) -> None:
    await dead(server, "the tide is out")
    path = f"/api/v1/dead-letters/{(await group_of(server, 'the tide is out'))['fingerprint']}"
    await server.http.put(f"{path}/note", json={"note": "spring tide"})
    muted = (await server.http.post(f"{path}/mute", json={"reason": "known"})).json()
    group = await group_of(server, "the tide is out")

    assert (muted["note"], muted["mute"]["until"], muted["mute"]["reason"]) == ("spring tide", None, "known")
    assert (group["note"], group["muted"], group["mute"]) == ("spring tide", True, muted["mute"])
    await server.http.post(f"{path}/unmute")
    assert (await group_of(server, "the tide is out"))["muted"] is False
    assert (await server.http.post(f"{path}/unmute")).status_code == 404


async def test_an_owner_is_shown_with_the_group_until_it_is_taken_away(server: Server) -> None:
    await dead(server, "the tide is late")
    path = f"/api/v1/dead-letters/{(await group_of(server, 'the tide is late'))['fingerprint']}"
    said = (await server.http.put(f"{path}/owner", json={"owner": "team harbour"})).json()
    await server.http.put(f"{path}/note", json={"note": "spring tide"})
    group = await group_of(server, "the tide is late")
    log = (await server.http.get("/api/v1/audit?kind=failure")).json()["entries"]
    await server.http.put(f"{path}/owner", json={"owner": ""})

    assert (said["owner"], group["owner"], group["note"]) == ("team harbour", "team harbour", "spring tide")
    assert said["owned_by"] == group["owned_by"] != ""
    assert ("failure.assign", {"owner": "team harbour"}) in [(one["act"], one["details"]) for one in log]
    assert (await group_of(server, "the tide is late"))["owner"] == ""


async def test_figures_have_the_hours_of_the_last_day(server: Server) -> None:
    for _ in range(2):
        await dead(server, "the tide is early")
    fingerprint = (await group_of(server, "the tide is early"))["fingerprint"]
    asked = f"/api/v1/figures/failures?fingerprint={fingerprint}&fingerprint={'0' * 16}"
    known, unknown = (await server.http.get(asked)).json()["failures"]

    assert (known["fingerprint"], len(known["hours"]), sum(known["hours"])) == (fingerprint, 24, 2)
    assert sum(known["hours"][-2:]) == 2
    assert (sum(unknown["hours"]), unknown["versions"], unknown["more"]) == (0, [], False)
    assert (await server.http.get("/api/v1/figures/failures")).json() == {"failures": []}


async def test_notes_and_mutes_that_cannot_be_are_refused(server: Server) -> None:
    await dead(server, "the tide is in")
    path = f"/api/v1/dead-letters/{(await group_of(server, 'the tide is in'))['fingerprint']}"
    late = await server.http.post(f"{path}/mute", json={"until": "2020-01-01T00:00:00Z"})
    none = await server.http.put(f"/api/v1/dead-letters/{'0' * 16}/note", json={"note": "of nothing"})
    unowned = await server.http.put(f"/api/v1/dead-letters/{'0' * 16}/owner", json={"owner": "nobody"})
    hidden = await server.http.put(f"{path}/owner", json={"owner": "\x1b[2J"})

    assert (unowned.status_code, unowned.json()["code"]) == (404, "unknown_failure")
    assert (hidden.status_code, hidden.json()["code"]) == (422, "bad_owner")
    assert (late.status_code, late.json()["code"]) == (422, "bad_until")
    assert (none.status_code, none.json()["code"]) == (404, "unknown_failure")
