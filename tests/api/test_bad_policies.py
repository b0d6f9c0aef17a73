"""Limits, breakers and workflows that cannot work are refused by field, and nothing is saved."""

from typing import Any

import pytest

from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

STEP: dict[str, Any] = {"job": "open"}
BAD: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "no limit": ("limits/erp", {}, "bad_at_once", "at_once"),
    "none at once": ("limits/erp", {"at_once": 0}, "bad_at_once", "at_once"),
    "no rate": ("limits/erp", {"rate": "often"}, "bad_rate", "rate.of"),
    "a burst without a rate": ("limits/erp", {"at_once": 1, "burst": 5}, "incompatible", "burst"),
    "the key of a queue": ("queues/erp/limit", {"at_once": 1, "key": ["a"]}, "incompatible", "key"),
    "waits that shrink": ("breakers/erp", {"wait": 20, "wait_max": 10}, "bad_breaker", "wait_max"),
    "half of slowness": ("breakers/erp", {"slow": 0.5}, "bad_breaker", "slow_after"),
    "a window too small": ("breakers/erp", {"window_calls": 5, "min_calls": 6}, "bad_breaker", "min_calls"),
    "a window too short": ("breakers/erp", {"window": 0.5}, "bad_window", "window"),
    "a window too long": ("breakers/erp", {"window": 3601}, "bad_window", "window"),
    "a burst of none for all": ("limits/erp", {"rate": "5/s", "burst": 0}, "bad_burst", "burst"),
    "no starts for all": ("limits/erp", {"rate": "0/s"}, "bad_rate", "rate.of"),
    "a unit of no length": ("limits/erp", {"rate": "5/fortnight"}, "bad_rate", "rate.of"),
    "no steps": ("workflows/erp", {"steps": {}}, "bad_steps", "steps"),
    "no steps at once": (
        "workflows/erp",
        {"steps": {"a": STEP}, "steps_at_once": 0},
        "bad_steps_at_once",
        "steps_at_once",
    ),
    "no deadline": ("workflows/erp", {"steps": {"a": STEP}, "deadline": 0}, "bad_deadline", "deadline"),
    "no queue": ("workflows/erp", {"steps": {"a": STEP}, "queue": ""}, "bad_queue", "queue"),
    "itself": ("workflows/erp", {"steps": {"a": {"job": "erp"}}}, "workflow_loop", "steps.a.job"),
    "no such job": ("workflows/erp", {"steps": {"a": {"job": "opne"}}}, "unknown_job", "steps.a.job"),
}


@pytest.mark.parametrize("name", BAD)
async def test_it_is_refused_by_field(server: Server, name: str) -> None:
    place, body, code, field = BAD[name]
    answer = await server.http.put(f"/api/v1/{place}", json=body)
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem.get("field")) == (422, code, field), answer.text
    assert (await server.http.get(f"/api/v1/{place.removesuffix('/limit')}")).status_code == 404


POLICIES: dict[str, tuple[dict[str, Any], str, str]] = {
    "an unknown strategy": ({"route": {"strategy": "rond_robin"}}, "bad_strategy", "policy.route.strategy"),
    "an unknown comparator": ({"requires": ["cuda ~ 12"]}, "bad_requirement", "policy.requires[0]"),
    "a resource without a number": ({"uses": {"memory": "4 gigs"}}, "bad_uses", "policy.uses.memory"),
    "none at once": ({"at_once": 0}, "bad_at_once", "policy.at_once"),
    "no starts at all": ({"rate": {"of": "0/s"}}, "bad_rate", "policy.rate.of"),
    "a breaker that is not there": ({"breaker": "gatewy"}, "unknown_breaker", "policy.breaker"),
    "a limit that is not there": ({"limits": [{"name": "erpp"}]}, "unknown_limit", "policy.limits[0].name"),
    "a weight of nothing": ({"weight": 0}, "bad_weight", "policy.weight"),
    "a weight too large": ({"weight": 1001}, "bad_weight", "policy.weight"),
    "a broadcast in slices": ({"slices": 2, "route": {"strategy": "broadcast"}}, "incompatible", "policy.slices"),
    "none at once of a limit of its own": ({"limits": [{"at_once": 0}]}, "bad_at_once", "policy.limits[0].at_once"),
    "none at once on an executor": ({"executor_limit": 0}, "bad_at_once", "policy.executor_limit"),
    "stopping for no breaker": ({"stop_when_open": True}, "incompatible", "policy.stop_when_open"),
    "blocking without a limit": ({"blocking": "discard"}, "incompatible", "policy.blocking"),
    "replacing one of two": ({"at_once": 2, "blocking": "replace"}, "incompatible", "policy.blocking"),
    "children that are dropped": (
        {"at_once": 1, "blocking": "discard", "route": {"strategy": "broadcast"}},
        "incompatible",
        "policy.blocking",
    ),
    "slices on one executor": (
        {"slices": 2, "route": {"strategy": "fixed", "executors": ["a"]}},
        "incompatible",
        "policy.slices",
    ),
    "a burst of none": ({"rate": {"of": "5/s", "burst": 0}}, "bad_rate", "policy.rate.burst"),
    "two keyed limits": (
        {"limits": [{"at_once": 1, "key": ["a"]}, {"at_once": 2, "key": ["b"]}]},
        "incompatible",
        "policy.limits",
    ),
    "shares by another key": (
        {"at_once": 1, "limit_key": ["a"], "fair": {"key": ["b"]}},
        "incompatible",
        "policy.fair",
    ),
    "replacing what waits for quiet": (
        {"at_once": 1, "blocking": "replace", "debounce": {"period": 5}},
        "incompatible",
        "policy.blocking",
    ),
    "a key without a limit": ({"limit_key": ["a"]}, "incompatible", "policy.limit_key"),
    "a wait of nothing": ({"debounce": {"period": 0}}, "bad_debounce", "policy.debounce.period"),
    "a throttle that says nothing": ({"throttle": {"of": "now and then"}}, "bad_throttle", "policy.throttle.of"),
    "executors that block without a route": (
        {"executor_limit": 1, "blocking": "discard"},
        "incompatible",
        "policy.blocking",
    ),
    "requirements apart": ({"requires": ["zone = eu", "zone = us"]}, "incompatible", "policy.requires"),
}


@pytest.mark.parametrize("name", POLICIES)
async def test_a_job_s_policy_that_cannot_work_is_refused_by_field(server: Server, name: str) -> None:
    policy, code, field = POLICIES[name]
    answer = await server.http.put("/api/v1/jobs/unsaved", json={"handler": "open", "policy": policy})
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem.get("field")) == (422, code, field), answer.text
    assert (await server.http.get("/api/v1/jobs/unsaved")).status_code == 404


MEANT: dict[str, tuple[dict[str, Any], str]] = {
    "a strategy": ({"route": {"strategy": "rond_robin"}}, "round_robin"),
    "a breaker": ({"breaker": "gatewy"}, "gateway"),
    "a limit": ({"limits": [{"name": "erp-share"}]}, "erp-shared"),
}


@pytest.mark.parametrize("name", MEANT)
async def test_a_word_that_is_not_known_is_refused_with_the_one_that_was_meant(server: Server, name: str) -> None:
    policy, meant = MEANT[name]
    assert (await server.http.put("/api/v1/breakers/gateway", json={})).is_success
    assert (await server.http.put("/api/v1/limits/erp-shared", json={"at_once": 1})).is_success
    problem = (await server.http.put("/api/v1/jobs/unsaved", json={"handler": "open", "policy": policy})).json()

    assert f"did you mean {meant}" in problem["detail"]
