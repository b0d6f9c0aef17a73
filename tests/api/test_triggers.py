"""Triggers over HTTP: make, look, change on the ground of what was seen, steer, load many, and what is refused."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import httpx2
import msgspec
import pytest

from mainspring.api.openapi.trigger_limits import TRIGGER_LIMITS
from mainspring.clock import SystemClock
from mainspring.contract.operations.triggers import BULK_MAX, PREVIEW_MAX
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.store.interface import AuditFilter
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

TYPE = {"content-type": "application/json"}
NIGHTLY: dict[str, Any] = {"kind": "cron", "expressions": ["30 9 * * 1-5"], "zone": "Europe/Berlin"}
HOURLY: dict[str, Any] = {"kind": "interval", "every": 3600}
ON_TIME = {"spread": 0.0, "jitter": 0.0}


async def call(server: Server, method: str, path: str, content: object = None, **headers: str) -> httpx2.Response:
    """A request below /api/v1/triggers; header names are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if content is None else msgspec.json.encode(content)
    return await server.http.request(
        method, f"/api/v1/triggers{path}", content=body, headers=named | (TYPE if body is not None else {})
    )


async def make(server: Server, name: str, **fields: Any) -> dict[str, Any]:
    answer = await call(server, "PUT", f"/{quote(name)}", {"job": "open", "when": HOURLY, **fields}, if_none_match="*")
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def now() -> datetime:
    return SystemClock().now()


async def test_a_trigger_is_made_and_shown_with_all_that_is_known(server: Server) -> None:
    body = {"job": "open", "when": NIGHTLY, "input": {"a": [1, 2.50]}, "overlap": "skip", "note": "by hand"}
    answer = await call(server, "PUT", "/nightly%20report", body)
    shown = (await call(server, "GET", "/nightly%20report")).json()

    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    assert answer.headers["location"] == "/api/v1/triggers/nightly%20report"
    assert answer.json() == shown
    assert shown["spec"] == {
        "name": "nightly report",
        "job": "open",
        "when": NIGHTLY,
        "input": {"a": [1, 2.5]},
        "overlap": "skip",
    }
    assert shown["words"] == "at 09:30 on weekdays, Berlin time"
    assert (shown["state"], shown["revision"], shown["fired"], shown["paused"]) == ("active", 1, 0, None)
    assert datetime.fromisoformat(shown["next_due"]) > now()


async def test_a_change_needs_the_revision_that_was_seen(server: Server) -> None:
    await make(server, "changed")
    other = {"job": "open", "when": NIGHTLY}
    blind = await call(server, "PUT", "/changed", other)
    stale = await call(server, "PUT", "/changed", other, if_match='"7"')
    again = await call(server, "PUT", "/changed", other, if_none_match="*")
    done = await call(server, "PUT", "/changed", other, if_match='"1"')
    known = await call(server, "GET", "/changed", if_none_match='"2"')
    absent = await call(server, "PUT", "/absent", other, if_match='"1"')

    assert (blind.status_code, blind.json()["code"]) == (428, "precondition_required")
    assert (stale.status_code, stale.json()["code"]) == (412, "trigger_stale")
    assert (again.status_code, again.json()["code"]) == (412, "trigger_stale")
    assert (done.status_code, done.headers["etag"], done.json()["words"]) == (
        200,
        '"2"',
        "at 09:30 on weekdays, Berlin time",
    )
    assert (known.status_code, known.content) == (304, b"")
    assert (absent.status_code, absent.json()["code"]) == (404, "unknown_trigger")


async def test_a_pause_has_a_reason_and_an_end(server: Server) -> None:
    await make(server, "paused")
    paused = (await call(server, "POST", "/paused/pause", {"reason": "stock-taking"})).json()
    listed = await call(server, "GET", "?state=paused&prefix=paused")
    resumed = (await call(server, "POST", "/paused/resume")).json()

    assert (paused["state"], paused["paused"]["reason"], paused["paused"]["by"]) == (
        "paused",
        "stock-taking",
        "MAINSPRING_API_TOKEN",
    )
    assert [one["name"] for one in listed.json()["triggers"]] == ["paused"]
    assert (resumed["state"], resumed["paused"]) == ("active", None)


async def test_the_next_instant_is_skipped_and_told_among_the_others(server: Server) -> None:
    made = await make(server, "skipped")
    first = datetime.fromisoformat(made["next_due"])
    skipped = (await call(server, "POST", "/skipped/skip-next")).json()
    until = quote((now() + timedelta(hours=3)).isoformat())
    page = (
        await call(server, "GET", f"/skipped/instants?since={quote(now().isoformat())}&until={until}&limit=2")
    ).json()
    rest = (await call(server, "GET", f"/skipped/instants?until={until}&cursor={page['next']}")).json()

    assert datetime.fromisoformat(skipped["skipped"]) == first
    assert datetime.fromisoformat(skipped["trigger"]["next_due"]) == first + timedelta(hours=1)
    assert [(one["outcome"], one["reason"], one["run"], one["last"]) for one in page["instants"]] == [
        ("skipped", "asked", None, None),
        ("expected", None, None, None),
    ]
    assert [one["outcome"] for one in rest["instants"]] == ["expected"]
    assert rest["next"] is None


async def test_before_the_ledger_there_are_no_instants(server: Server) -> None:
    await make(server, "young")
    for range_ in ("until=1900-01-01T00:00:00Z", "since=1900-01-01T00:00:00Z&until=1970-01-01T00:00:00Z"):
        answer = await call(server, "GET", f"/young/instants?{range_}")
        assert (answer.status_code, answer.json()) == (200, {"instants": [], "next": None})


async def test_a_trigger_is_fired_by_hand(server: Server) -> None:
    await make(server, "fired", input={"by": "hand"}, labels={"kind": "sample"})
    answer = await call(server, "POST", "/fired/fire")
    run = (await server.http.get(f"/api/v1/runs/{answer.json()['id']}")).json()

    assert answer.status_code == 201
    assert (run["job"], run["trigger"], run["fire_at"], run["input"]) == ("open", "fired", None, {"by": "hand"})
    assert run["labels"] == {"kind": "sample"}


async def test_a_preview_says_how_much_later_runs_are_due(server: Server) -> None:
    await make(server, "later", group="all", spread=600.0, jitter=30.0)
    shown = (await call(server, "GET", "/later/preview?count=3")).json()["instants"]
    [place] = {each["spread"] for each in shown}

    assert 0 < place < 600
    assert all(0 <= each["jitter"] < 30 for each in shown)
    assert len({each["jitter"] for each in shown}) == 3


async def test_a_preview_marks_where_clocks_are_set(server: Server) -> None:
    rule = {"kind": "cron", "expressions": ["30 2 * * *"], "zone": "Europe/Berlin"}
    body = {"when": rule, "after": "2027-03-27T12:00:00Z", "count": 2}
    unsaved = (await call(server, "POST", "/preview", body)).json()
    await make(server, "previewed", when=rule)
    saved = (await call(server, "GET", "/previewed/preview?after=2027-03-27T12:00:00Z&count=2")).json()

    assert unsaved == saved
    assert unsaved["words"] == "at 02:30 every day, Berlin time"
    assert unsaved["instants"] == [
        {"at": "2027-03-28T01:00:00Z", "local": "2027-03-28T03:00:00+02:00", "note": "clock set forward", **ON_TIME},
        {"at": "2027-03-29T00:30:00Z", "local": "2027-03-29T02:30:00+02:00", "note": "", **ON_TIME},
    ]


async def test_a_forecast_counts_runs_step_by_step(server: Server) -> None:
    headers = {"mainspring-namespace": "other"}
    await server.http.put("/api/v1/jobs/open", json={"handler": "open"}, headers=headers)
    for name in ("one", "two"):
        rule = {"kind": "cron", "expressions": ["0 12 * * *"]}
        await server.http.put(f"/api/v1/triggers/{name}", json={"job": "open", "when": rule}, headers=headers)
    path = "/api/v1/forecast?since=2030-01-01T11:00:00Z&hours=3&wait=30"
    found = (await server.http.get(path, headers=headers)).json()
    finest = await server.http.get("/api/v1/forecast?hours=25&step=1")

    assert (found["counts"], found["total"], found["peak"]) == ([0, 2, 0], 2, 2)
    assert (found["step"], found["triggers"], found["complete"]) == (3600, 2, True)
    assert (found["counting"], found["share"]) == (False, 1.0)
    assert (finest.status_code, finest.json()["code"]) == (422, "bad_step")


async def test_many_are_loaded_whole_or_not_at_all(server: Server) -> None:
    many = [{"name": f"many-{number:03}", "job": "open", "when": HOURLY} for number in range(120)]
    loaded = await call(server, "POST", "/bulk", many)
    again = await call(server, "POST", "/bulk", many)
    page = (await call(server, "GET", "?prefix=many-&limit=100")).json()
    rest = (await call(server, "GET", f"?prefix=many-&limit=100&cursor={quote(page['next'])}")).json()
    bad = [{**many[0], "name": "half"}, {**many[1], "when": {"kind": "cron", "expressions": ["* * 31 2 *"]}}]
    refused = await call(server, "POST", "/bulk", bad)

    assert (loaded.json(), again.json()) == ({"triggers": 120}, {"triggers": 120})
    assert [one["name"] for one in page["triggers"] + rest["triggers"]] == [one["name"] for one in many]
    assert {one["revision"] for one in page["triggers"]} == {1}
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_cron")
    assert refused.json()["field"] == "triggers[1].when.expressions[0]"
    assert (await call(server, "GET", "/half")).status_code == 404


async def test_what_is_wrong_with_one_of_many_is_said_with_its_place(server: Server) -> None:
    many = [{"name": f"placed-{number}", "job": "open", "when": HOURLY} for number in range(1200)]
    answers = [
        await call(server, "POST", "/bulk", [*many, {"name": "last", "job": "open", "when": HOURLY, **wrong}])
        for wrong in ({"priority": "high"}, {"colour": "red"}, {"input": {"day": "x"}, "name": "placed-7"})
    ]

    assert [(one.status_code, one.json()["code"], one.json()["field"]) for one in answers] == [
        (422, "bad_priority", "[1200].priority"),
        (422, "unknown_field", "[1200].colour"),
        (422, "bad_trigger", "triggers[1200].name"),
    ]
    assert (await call(server, "GET", "?prefix=placed-")).json()["triggers"] == []


async def test_a_whole_number_may_be_written_as_a_fraction(server: Server) -> None:
    one = {"name": "fraction", "job": "open", "when": HOURLY, "priority": 7.0, "input": {"kept": 7.0}}
    loaded = await call(server, "POST", "/bulk", [one])
    shown = await call(server, "GET", "/fraction")

    assert loaded.status_code == 200
    assert shown.json()["spec"]["priority"] == 7
    assert b'"kept":7.0' in shown.content


async def test_a_trigger_is_deleted_on_the_ground_of_what_was_seen(server: Server) -> None:
    await make(server, "deleted")
    stale = await call(server, "DELETE", "/deleted", if_match='"9"')
    done = await call(server, "DELETE", "/deleted?note=no%20need", if_match='"1"')
    gone = await call(server, "DELETE", "/deleted")
    entries = [entry for _, entry in await server.store.access.audit(AuditFilter(limit=1000)) if entry.key == "deleted"]

    assert (stale.status_code, done.status_code, gone.status_code) == (412, 204, 404)
    assert [(entry.act, b"no need" in entry.details) for entry in entries] == [
        ("trigger.delete", True),
        ("trigger.define", False),
    ]


BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"when": {"kind": "cron", "expressions": ["60 * * * *"]}}, "bad_cron", "when.expressions[0]"),
    ({"when": {"kind": "cron", "expressions": ["* * *"]}}, "bad_cron", "when.expressions[0]"),
    ({"when": NIGHTLY | {"zone": "Europe/Berln"}}, "unknown_zone", "when.zone"),
    ({"when": {"kind": "sometimes"}}, "bad_kind", "when.kind"),
    ({"when": HOURLY | {"often": True}}, "unknown_field", "when.often"),
    ({"when": {"kind": "interval", "every": 0}}, "bad_trigger", "when.every"),
    ({"when": {"kind": "once", "at": "2001-01-01T00:00:00Z"}}, "bad_trigger", "when.at"),
    ({"when": {"kind": "once", "at": "2101-01-01T00:00:00"}}, "bad_trigger", "when.at"),
    ({"when": HOURLY, "misfire": "never"}, "bad_misfire", "misfire"),
    ({"when": HOURLY, "pause_after": 0}, "bad_trigger", "pause_after"),
    ({"when": {"kind": "once", "at": "9999-12-31T23:59:59-14:00"}}, "bad_trigger", "when.at"),
    ({"when": {"kind": "delay", "delay": 60}, "start_at": "9999-12-31T23:59:59-14:00"}, "bad_trigger", "start_at"),
    ({"when": HOURLY | {"anchor": "9999-12-31T23:59:59-14:00"}}, "bad_trigger", "when.anchor"),
    ({"when": HOURLY, "name": "another"}, "bad_trigger", "name"),
    ({}, "missing_field", "when"),
]


@pytest.mark.parametrize(("fields", "code", "field"), BAD)
async def test_what_is_wrong_is_named_and_nothing_is_made(
    server: Server, fields: dict[str, Any], code: str, field: str
) -> None:
    answer = await call(server, "PUT", "/refused", {"job": "open", **fields})

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, code, field)
    assert (await call(server, "GET", "/refused")).status_code == 404


async def test_a_job_or_an_input_that_does_not_fit_is_refused(server: Server) -> None:
    unknown = await call(server, "PUT", "/refused", {"job": "nobody's", "when": HOURLY})
    unfit = await call(server, "PUT", "/refused", {"job": "mail", "when": HOURLY, "input": {"email": 1}})

    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_job")
    assert (unfit.status_code, unfit.json()["code"]) == (422, "bad_arguments")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("?kind=often", "bad_kind"),
        ("?state=asleep", "bad_state"),
        ("?cursor=x", "bad_cursor"),
        ("?named=x", "unknown_parameter"),
        ("/many-001/instants?cursor=x", "bad_cursor"),
        ("/many-001/instants?since=yesterday", "bad_since"),
        ("/many-001/instants?since=2030-01-01T00:00:00Z&until=2029-01-01T00:00:00Z", "bad_since"),
        ("/many-001/instants?since=1899-12-31T23:59:59Z", "bad_since"),
        ("/many-001/instants?until=3000-01-01T00:00:00Z", "bad_until"),
        ("/many-001/preview?after=9999-12-31T00:00:00Z", "bad_after"),
        ("/many-001/preview?after=0001-01-02T00:00:00Z", "bad_after"),
        (f"/many-001/preview?count={PREVIEW_MAX + 1}", "bad_count"),
    ],
)
async def test_a_question_that_makes_no_sense_is_refused(server: Server, path: str, code: str) -> None:
    await call(server, "POST", "/bulk", [{"name": "many-001", "job": "open", "when": HOURLY}])
    answer = await call(server, "GET", path)

    assert (answer.status_code, answer.json()["code"]) == (422, code)


@pytest.mark.parametrize("after", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "3000-01-01T00:00:00Z"])
async def test_no_question_reaches_beyond_the_years_that_triggers_know(server: Server, after: str) -> None:
    preview = await call(server, "POST", "/preview", {"when": HOURLY, "after": after})
    forecast = await server.http.get(f"/api/v1/forecast?since={quote(after)}")

    assert [(one.status_code, one.json()["code"]) for one in (preview, forecast)] == [
        (422, "bad_after"),
        (422, "bad_since"),
    ]


async def test_a_load_of_none_or_of_too_many_is_refused(server: Server) -> None:
    none = await call(server, "POST", "/bulk", [])
    many = await call(server, "POST", "/bulk", [{"name": "x", "job": "open", "when": HOURLY}] * (BULK_MAX + 1))
    single = await call(server, "POST", "/bulk", {"name": "x", "job": "open", "when": HOURLY})

    assert {(one.status_code, one.json()["code"]) for one in (none, many, single)} == {(422, "bad_body")}


async def test_what_the_document_says_is_said_of_fields_that_exist() -> None:
    assert set(TRIGGER_LIMITS["TriggerSpec"]) <= set(TriggerSpec.__struct_fields__)
