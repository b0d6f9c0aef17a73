"""Triggers as code, through the API."""

from typing import Any

import httpx2
import pytest

from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAILY = {"job": "open", "when": {"kind": "cron", "expressions": ["0 6 * * *"]}}


async def apply(server: Server, owner: str, triggers: list[dict[str, Any]], **more: Any) -> httpx2.Response:
    return await server.http.post("/api/v1/triggers/apply", json={"owner": owner, "triggers": triggers, **more})


async def test_a_dry_run_says_what_applying_then_does(server: Server) -> None:
    wanted = [{"name": "a-plan", **DAILY}]

    plan = (await apply(server, "api-plan", wanted, dry_run=True)).json()
    absent = await server.http.get("/api/v1/triggers/a-plan")
    done = (await apply(server, "api-plan", wanted, based_on=plan["based_on"])).json()
    again = (await apply(server, "api-plan", wanted)).json()

    assert absent.status_code == 404
    assert (plan["applied"], done["applied"]) == (False, True)
    [item] = plan["triggers"]
    assert (item["name"], item["act"], item["words"], len(item["next_after"])) == (
        "a-plan",
        "add",
        "at 06:00 every day, UTC",
        3,
    )
    assert (again["triggers"], again["kept"]) == ([], 1)
    assert (await server.http.get("/api/v1/triggers/a-plan")).json()["owner"] == "api-plan"


async def test_instants_of_a_plan_have_the_offsets_of_their_zones(server: Server) -> None:
    rule = {"kind": "cron", "expressions": ["0 6 * * *"], "zone": "Asia/Tokyo"}
    wanted = [{"name": "tokyo-plan", **DAILY, "when": rule}]
    plan = (await apply(server, "api-zones", wanted, dry_run=True)).json()

    assert all(at.endswith("T06:00:00+09:00") for at in plan["triggers"][0]["next_after"])


async def test_a_change_says_what_was_there_and_what_comes(server: Server) -> None:
    await apply(server, "api-change", [{"name": "a-change", **DAILY}])

    plan = (await apply(server, "api-change", [{"name": "a-change", **DAILY, "priority": 7}], dry_run=True)).json()

    assert plan["triggers"][0]["changes"] == [{"path": "priority", "after": 7}]


async def test_a_plan_that_has_become_another_is_refused_as_stale(server: Server) -> None:
    await apply(server, "api-stale", [{"name": "a-stale", **DAILY}])
    plan = (await apply(server, "api-stale", [], dry_run=True)).json()
    await apply(server, "api-stale", [{"name": "a-stale", **DAILY, "priority": 7}])

    refused = await apply(server, "api-stale", [], based_on=plan["based_on"])

    assert (refused.status_code, refused.json()["code"]) == (412, "plan_stale")


async def test_a_name_of_somebody_else_is_a_conflict(server: Server) -> None:
    await apply(server, "api-first", [{"name": "a-conflict", **DAILY}])

    plan = (await apply(server, "api-second", [{"name": "a-conflict", **DAILY}], dry_run=True)).json()
    refused = await apply(server, "api-second", [{"name": "a-conflict", **DAILY}])

    assert (plan["triggers"][0]["act"], "api-first" in plan["triggers"][0]["reason"]) == ("conflict", True)
    assert (refused.status_code, refused.json()["code"]) == (409, "trigger_owned")


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"owner": "", "triggers": []}, "owner", "bad_owner"),
        ({"owner": "x"}, "triggers", "missing_field"),
        ({"owner": "x", "triggers": [], "colour": 1}, "colour", "unknown_field"),
        ({"owner": "x", "triggers": [{"name": "a", **DAILY}] * 2}, "triggers[1].name", "bad_trigger"),
        ({"owner": "x", "triggers": [], "based_on": "soon"}, "based_on", "bad_based_on"),
    ],
)
async def test_what_cannot_be_a_plan_names_its_field(server: Server, body: object, field: str, code: str) -> None:
    refused = await server.http.post("/api/v1/triggers/apply", json=body)

    assert (refused.status_code, refused.json()["field"], refused.json()["code"]) == (422, field, code)
