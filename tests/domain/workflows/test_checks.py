"""Bad definitions are refused with the field, the path and the nearest name."""

from typing import Any

import msgspec
import pytest

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.workflows.checks import check_jobs, check_workflow, refuse_itself, with_item_names
from mainspring.domain.workflows.spec import StepSpec, WorkflowSpec, read_workflow, write_workflow
from mainspring.errors import InvalidInputError


def refused(steps: dict[str, Any], **rest: Any) -> tuple[str, str, str]:
    raw = msgspec.json.encode({"steps": steps, **rest})
    with pytest.raises(InvalidInputError) as raised:
        check_workflow(read_workflow(raw))
    return raised.value.field, raised.value.code, raised.value.reason


@pytest.mark.parametrize("raw", [b"0x", b'[{"steps": 1}]', b'{"steps": 1}\xff', b'{"steps": {"a": 1}} x', b"[" * 5_000])
def test_what_is_no_definition_and_perhaps_no_json_is_refused(raw: bytes) -> None:
    with pytest.raises(InvalidInputError) as raised:
        read_workflow(raw)

    assert raised.value.code == "bad_workflow"


def test_a_cycle_is_named_by_its_shortest_path() -> None:
    steps = {
        "charge": {"job": "c", "after": ["ship"]},
        "ship": {"job": "s", "after": ["charge", "pack"]},
        "pack": {"job": "p", "after": ["ship"]},
    }
    field, code, reason = refused(steps)

    assert (field, code) == ("steps", "cycle")
    assert "charge -> ship -> charge" in reason


def test_a_step_that_waits_for_itself_is_a_cycle() -> None:
    assert "a -> a" in refused({"a": {"job": "a", "after": ["a"]}})[2]


@pytest.mark.parametrize(
    ("steps", "field", "code", "says"),
    [
        ({"charge": {"job": "c"}, "b": {"job": "b", "after": ["chrge"]}}, "steps.b.after[0]", "unknown_step", "charge?"),
        ({"a": {"job": "a", "mapping": {"x": "$.b.c"}}}, "steps.a.mapping.x", "unknown_step", "no step b"),
        ({"a": {"job": "a", "mapping": {"x": "b"}}}, "steps.a.mapping.x", "bad_place", "not a place"),
        ({"a": {"job": "a", "mapping": {"x": "$"}}}, "steps.a.mapping.x", "bad_place", "names no step"),
        ({"a": {"job": "a", "rule": "all_succeded"}}, "steps.a.rule", "bad_rule", "all_succeeded?"),
        ({"a": {"job": "a"}, "b": {"job": "b", "rule": {"a": "lost"}}}, "steps.b.rule.a", "bad_rule", "'lost' is not"),
        ({"a": {"job": "a"}, "b": {"job": "b", "when": {"$.a.x": {"gr": 1}}}}, "steps.b.when.$.a.x", "bad_filter", "gr"),
        ({"input": {"job": "a"}}, "steps.input", "bad_step_name", "input"),
        ({"a b": {"job": "a"}}, "steps.a b", "bad_step_name", "letters"),
        ({"a": {}}, "steps.a", "bad_step", "needs one of job"),
        ({"a": {"job": "a", "at_once": 3}}, "steps.a", "bad_step", "need each"),
        ({"a": {"job": "a", "input": {"x": 1}, "mapping": {"x": "$.input"}}}, "steps.a.mapping.x", "bad_step", "constant"),
        ({}, "steps", "bad_steps", "0 steps"),
    ],
)  # fmt: skip
def test_a_bad_step_is_refused(steps: dict[str, Any], field: str, code: str, says: str) -> None:
    found = refused(steps)

    assert found[:2] == (field, code)
    assert says in found[2]


def test_an_early_rule_hands_on_no_result() -> None:
    steps = {"a": {"job": "a"}, "b": {"job": "b", "rule": "any_failed", "mapping": {"x": "$.a"}}}

    assert refused(steps)[1] == "bad_rule"


def test_a_step_that_can_never_run_is_refused() -> None:
    steps = {
        "a": {"job": "a"},
        "b": {"job": "b", "after": ["a"], "rule": {"all": [{"a": "failed"}, {"a": "succeeded"}]}},
    }

    assert refused(steps)[:2] == ("steps.b", "unreachable_step")


def test_a_result_that_may_be_missing_is_refused() -> None:
    steps = {"a": {"job": "a"}, "b": {"job": "b", "when": {"$.a": True}}}

    assert refused(steps, result="$.b")[:2] == ("result", "missing_value")


def test_too_many_steps_are_refused() -> None:
    assert refused({f"s{n}": {"job": "a"} for n in range(2_001)})[1] == "bad_steps"


def test_an_unknown_field_is_refused() -> None:
    assert refused({"a": {"job": "a", "retries": 3}})[:2] == ("steps.a.retries", "unknown_field")


def schema(required: list[str], **properties: Any) -> bytes:
    return msgspec.json.encode({"type": "object", "properties": properties, "required": required})


INTEGER, TEXT = {"type": "integer"}, {"type": "string"}
PAYMENT = msgspec.json.encode(
    {
        "$ref": "#/$defs/Payment",
        "$defs": {"Payment": {"type": "object", "properties": {"id": TEXT}, "required": ["id"]}},
    }
)
JOBS = {
    "charge": JobSpec(name="charge", handler="charge", schema=schema(["order"], order=INTEGER), returns=PAYMENT),
    "ship": JobSpec(name="ship", handler="ship", schema=schema(["payment"], payment=TEXT, fast={"type": "boolean"})),
    "rows": JobSpec(name="rows", handler="rows", schema=schema(["n", "rest"], n=INTEGER, rest=INTEGER)),
}


def check(**steps: StepSpec) -> list[str]:
    return check_jobs(WorkflowSpec(steps=steps), JOBS.get, JOBS)


CHARGE = StepSpec(job="charge", mapping={"order": "$.input.order"})


def test_results_that_fit_their_parameters_are_accepted() -> None:
    assert check(charge=CHARGE, ship=StepSpec(job="ship", mapping={"payment": "$.charge.id"})) == [
        "steps.charge.mapping.order"
    ]


@pytest.mark.parametrize(
    ("step", "field", "says"),
    [
        (StepSpec(job="shp"), "steps.b.job", "no job shp; did you mean ship?"),
        (StepSpec(job="ship", mapping={"paymnt": "$.charge.id"}), "steps.b.mapping.paymnt", "did you mean payment?"),
        (StepSpec(job="ship"), "steps.b.mapping", "ship requires payment"),
        (StepSpec(job="ship", mapping={"payment": "$.charge.total"}), "steps.b.mapping.payment", 'without "total"'),
        (
            StepSpec(job="ship", mapping={"payment": "$.charge"}),
            "steps.b.mapping.payment",
            "returns object, and string",
        ),
        (
            StepSpec(job="ship", mapping={"payment": "$.charge.id"}, rule="all_done"),
            "steps.b.mapping.payment",
            "default",
        ),
    ],
)
def test_what_no_value_could_fit_is_refused(step: StepSpec, field: str, says: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        check(charge=CHARGE, b=step)

    assert raised.value.field == field
    assert says in raised.value.reason


def test_a_map_s_element_goes_to_the_first_free_parameter() -> None:
    spec = WorkflowSpec(steps={"m": StepSpec(job="rows", each="$.input.list", input={"rest": 1})})

    assert with_item_names(spec, JOBS.get).steps["m"].item == "n"


def test_a_workflow_that_starts_itself_is_refused_with_the_path() -> None:
    outer = WorkflowSpec(steps={"again": StepSpec(job="inner")})
    inner = write_workflow(WorkflowSpec(steps={"back": StepSpec(job="outer")}))
    jobs = {"inner": JobSpec(name="inner", handler="workflow", workflow=inner)}
    with pytest.raises(InvalidInputError, match=r"outer\.again -> inner\.back -> outer") as refused:
        refuse_itself("outer", outer, jobs.get)
    assert refused.value.code == "workflow_loop"
    with pytest.raises(InvalidInputError, match=r"outer\.a -> outer"):
        refuse_itself("outer", WorkflowSpec(steps={"a": StepSpec(job="outer")}), jobs.get)
    refuse_itself("other", WorkflowSpec(steps={"a": StepSpec(job="pack")}), jobs.get)
