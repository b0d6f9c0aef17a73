"""Policies that say where runs go are refused by field if they cannot be, or cannot work together."""

from typing import Any

import msgspec
import pytest

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.limits.rules import check_policy
from mainspring.domain.workflows.spec import StepSpec, WorkflowSpec, write_workflow
from mainspring.errors import InvalidInputError

BROADCAST = {"strategy": "broadcast"}
BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "no slice": ({"slices": 0}, "bad_slices", "slices"),
    "too many slices": ({"slices": 10_001}, "bad_slices", "slices"),
    "slices on one executor": (
        {"slices": 2, "route": {"strategy": "fixed", "executors": ["a"]}},
        "incompatible",
        "slices",
    ),
    "slices and a broadcast": ({"slices": 2, "route": BROADCAST}, "incompatible", "slices"),
    "an unknown rule": ({"slices": 2, "settle_by": "al"}, "bad_settle_by", "settle_by"),
    "none of the slices": ({"slices": 2, "settle_by": 0}, "bad_settle_by", "settle_by"),
    "more than there are slices": ({"slices": 2, "settle_by": 3}, "bad_settle_by", "settle_by"),
    "a rule without children": ({"settle_by": "any"}, "incompatible", "settle_by"),
    "children that are dropped": (
        {"at_once": 1, "blocking": "discard", "route": BROADCAST},
        "incompatible",
        "blocking",
    ),
    "slices that replace each other": ({"at_once": 1, "blocking": "latest", "slices": 2}, "incompatible", "blocking"),
    "blocking executors without a route": ({"executor_limit": 1, "blocking": "discard"}, "incompatible", "blocking"),
    "replacing one of two on an executor": (
        {"executor_limit": 2, "blocking": "replace", "route": {"strategy": "first"}},
        "incompatible",
        "blocking",
    ),
    "executors and keys": (
        {
            "executor_limit": 1,
            "blocking": "latest",
            "route": {"strategy": "first"},
            "rate": {"of": "1/s", "key": ["a"]},
        },
        "incompatible",
        "blocking",
    ),
    "children of each executor that are dropped": (
        {"executor_limit": 1, "blocking": "latest", "route": BROADCAST},
        "incompatible",
        "blocking",
    ),
    "a broadcast that is routed again": (
        {"route": {**BROADCAST, "on_absent": "reroute"}},
        "incompatible",
        "route.on_absent",
    ),
    "names without need": ({"route": {**BROADCAST, "executors": ["a"]}}, "bad_route", "route.executors"),
    "no names": ({"route": {"strategy": "fixed"}}, "bad_route", "route.executors"),
    "no key": ({"route": {"strategy": "hash"}}, "bad_route", "route.key"),
    "an unknown comparator": ({"requires": ["cuda ~ 12"]}, "bad_requirement", "requires[0]"),
    "a resource without a number": ({"uses": {"memory": "4 gigs"}}, "bad_uses", "uses.memory"),
    "none of a resource": ({"uses": {"gpu": 0}}, "bad_uses", "uses.gpu"),
    "half a slot": ({"uses": {"slots": 1.5}}, "bad_uses", "uses.slots"),
    "no attempt on an executor": ({"executor_limit": 0}, "bad_at_once", "executor_limit"),
    "no patience at all": ({"route": {"strategy": "first", "patience": -1}}, "bad_route", "route.patience"),
    "a preference that is none": ({"prefers": ["ssd ** 3"]}, "bad_requirement", "prefers[0][0]"),
    "a canary of all runs": ({"canary": {"version": "2.5", "share": 1}}, "bad_canary", "canary.share"),
    "a canary without a version": ({"canary": {"version": "", "share": 0.1}}, "bad_canary", "canary.version"),
    "a canary that may not run": (
        {"canary": {"version": "2.5", "share": 0.1}, "runs_on": "<2.5"},
        "incompatible",
        "canary.version",
    ),
    "a canary among named executors": (
        {"canary": {"version": "2.5", "share": 0.1}, "route": {"strategy": "round_robin"}},
        "incompatible",
        "canary",
    ),
    "requirements apart": ({"requires": ["zone = eu", "zone = us"]}, "incompatible", "requires"),
}


@pytest.mark.parametrize("name", BAD)
def test_it_is_refused_by_field(name: str) -> None:
    fields, code, field = BAD[name]
    spec = JobSpec(name="report", handler="report", policy=msgspec.convert(fields, Policy))

    with pytest.raises(InvalidInputError) as refused:
        check_policy(spec)
    assert (refused.value.code, refused.value.field) == (code, f"policy.{field}")


def test_a_job_with_steps_is_not_spread() -> None:
    steps = write_workflow(WorkflowSpec(steps={"a": StepSpec(job="a")}))
    spec = JobSpec(name="report", handler="workflow", workflow=steps, policy=Policy(slices=2))

    with pytest.raises(InvalidInputError, match="is not spread"):
        check_policy(spec)
