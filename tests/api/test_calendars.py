"""Calendars over HTTP: make, look, change on the ground of what was seen, import, see the impact, and what is refused."""

from typing import Any

import httpx2
import msgspec
import pytest

from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

TYPE = {"content-type": "application/json"}
WEEKEND = {"weekdays": ["sat", "sun"]}
ICS = """BEGIN:VCALENDAR
BEGIN:VEVENT
DTSTART;VALUE=DATE:20301224
SUMMARY:Christmas Eve
END:VEVENT
BEGIN:VEVENT
DTSTART:20301231T200000Z
DURATION:PT4H
SUMMARY:Year's end
END:VEVENT
END:VCALENDAR
"""


async def call(server: Server, method: str, path: str, content: object = None, **headers: str) -> httpx2.Response:
    """A request below /api/v1/calendars; header names are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if content is None else msgspec.json.encode(content)
    return await server.http.request(
        method, f"/api/v1/calendars{path}", content=body, headers=named | (TYPE if body is not None else {})
    )


async def make(server: Server, name: str, **fields: Any) -> dict[str, Any]:
    answer = await call(server, "PUT", f"/{name}", {**WEEKEND, **fields}, if_none_match="*")
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def test_a_calendar_is_made_and_shown(server: Server) -> None:
    made = await make(server, "office", dates={"12-24": "Christmas Eve"}, note="new")
    shown = await call(server, "GET", "/office")

    assert shown.json() == made
    assert shown.headers["etag"] == '"1"'
    assert (made["version"], made["author"], made["note"]) == (1, "MAINSPRING_API_TOKEN", "new")
    assert made["spec"] == {"name": "office", "weekdays": ["sat", "sun"], "dates": {"12-24": "Christmas Eve"}}
    assert (await call(server, "GET", "/office", if_none_match='"1"')).status_code == 304
    assert "office" in [each["name"] for each in (await call(server, "GET", "")).json()["calendars"]]


async def test_a_change_is_made_for_the_version_that_was_seen(server: Server) -> None:
    await make(server, "changing")

    assert (await call(server, "PUT", "/changing", {})).json()["code"] == "precondition_required"
    assert (await call(server, "PUT", "/changing", {}, if_match='"7"')).json()["code"] == "calendar_stale"
    changed = await call(server, "PUT", "/changing", {"weekdays": ["sun"]}, if_match='"1"')
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    versions = (await call(server, "GET", "/changing/versions")).json()["versions"]
    assert [each["version"] for each in versions] == [2, 1]
    old = await call(server, "GET", "/changing/versions/1")
    assert old.json()["spec"]["weekdays"] == ["sat", "sun"]
    assert (await call(server, "GET", "/changing/versions/9")).json()["code"] == "unknown_version"


async def test_a_file_adds_days_and_blackouts_or_takes_their_place(server: Server) -> None:
    await make(server, "imported", dates={"01-01": "New Year"})

    added = (await call(server, "POST", "/imported/import", {"ics": ICS}, if_match='"1"')).json()
    assert added["spec"]["dates"] == {"01-01": "New Year", "2030-12-24": "Christmas Eve"}
    assert added["spec"]["blackouts"] == [
        {"since": "2030-12-31T20:00:00Z", "until": "2031-01-01T00:00:00Z", "name": "Year's end"}
    ]
    replaced = await call(server, "POST", "/imported/import", {"ics": ICS, "replace": True}, if_match='"2"')
    assert replaced.json()["spec"]["dates"] == {"2030-12-24": "Christmas Eve"}
    refused = await call(server, "POST", "/imported/import", {"ics": "BEGIN:VCARD"}, if_match="*")
    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (422, "bad_ics", "ics")


async def test_the_days_of_a_year_are_named(server: Server) -> None:
    await make(server, "days", weekdays=[], dates={"12-24": "Christmas Eve", "2031-05-02": ""})

    shown = await call(server, "GET", "/days/days?year=2031")
    assert shown.json() == {"year": 2031, "days": {"2031-05-02": "own date", "2031-12-24": "Christmas Eve"}}


async def test_the_impact_of_a_change_is_shown_on_the_triggers_that_use_it(server: Server) -> None:
    await make(server, "watched")
    rule = {"kind": "cron", "expressions": ["0 9 24,26 12 *"]}
    for name, more in (("rolling", {"roll": "next"}), ("skipping", {})):
        body = {"job": "open", "when": rule, "calendar": "watched", "start_at": "2030-12-01T00:00:00Z", **more}
        made = await server.http.put(f"/api/v1/triggers/{name}", json=body)
        assert made.status_code == 201, made.text

    shown = await call(server, "POST", "/watched/preview?count=2", {"dates": {"12-24": "Christmas Eve"}})
    thursday, tuesday, wednesday = "2030-12-26T09:00:00Z", "2030-12-24T09:00:00Z", "2030-12-25T09:00:00Z"
    assert shown.json() == {
        "triggers": [
            {
                "trigger": "rolling",
                "changed": True,
                "before": [tuesday, thursday],
                "after": [wednesday, thursday],
                "differs_at": tuesday,
                "same_until": None,
            },
            {
                "trigger": "skipping",
                "changed": True,
                "before": [tuesday, thursday],
                "after": [thursday, "2031-12-26T09:00:00Z"],
                "differs_at": tuesday,
                "same_until": None,
            },
        ],
        "next": None,
    }
    assert (await call(server, "GET", "/watched")).json()["version"] == 1


async def test_a_calendar_in_use_stays(server: Server) -> None:
    await make(server, "used")
    body = {"job": "open", "when": {"kind": "interval", "every": 3600}, "calendar": "used"}
    assert (await server.http.put("/api/v1/triggers/user", json=body)).status_code == 201

    refused = await call(server, "DELETE", "/used")
    assert (refused.status_code, refused.json()["code"]) == (409, "calendar_used")
    assert (await server.http.delete("/api/v1/triggers/user")).status_code == 204
    assert (await call(server, "DELETE", "/used?note=done")).status_code == 204
    assert (await call(server, "GET", "/used")).json()["code"] == "unknown_calendar"


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"weekdays": ["sunday"]}, "bad_calendar", "weekdays[0]"),
        ({"dates": {"2026-02-30": ""}}, "bad_calendar", "dates"),
        ({"counted": ["12-24"]}, "bad_calendar", "counted[0]"),
        ({"zone": "Europe/Belin"}, "unknown_zone", "zone"),
        ({"holidays": [{"country": "ZZ"}]}, "unknown_holidays", "holidays[0].country"),
        ({"holidays": [{"country": "DE", "subdivision": "ZZ"}]}, "unknown_holidays", "holidays[0].subdivision"),
        ({"holidays": [{}]}, "bad_calendar", "holidays[0]"),
        (
            {"blackouts": [{"since": "2030-01-02T00:00:00Z", "until": "2030-01-01T00:00:00Z"}]},
            "bad_calendar",
            "blackouts[0].until",
        ),
        ({"daily_blackouts": [{"opens": "25:00", "closes": "01:00"}]}, "bad_calendar", "daily_blackouts[0].opens"),
        ({"weekdays": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]}, "bad_calendar", "weekdays"),
        ({"daily_blackouts": [{"opens": "00:00", "closes": "00:00"}]}, "bad_calendar", "daily_blackouts"),
        ({"name": "other"}, "bad_calendar", "name"),
    ],
)
async def test_what_is_wrong_is_named(server: Server, body: dict[str, Any], code: str, field: str) -> None:
    refused = await call(server, "PUT", "/wrong", body)

    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (422, code, field), refused.text
    assert (await call(server, "GET", "/wrong")).status_code == 404
