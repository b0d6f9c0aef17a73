"""Workflows that are written as YAML: checked as a body of the API is, each fault at its place."""

from typing import Any

import pytest

from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

GOOD = """\
# The end of a month.
steps:
  first: {job: open}
  second:
    job: open
    after: [first]
deadline: 2h
"""


async def checked(server: Server, text: str) -> dict[str, Any]:
    answer = await server.http.post("/api/v1/workflow-texts", json={"text": text})
    assert answer.status_code == 200
    return dict(answer.json())


async def test_a_good_text_is_a_definition_that_can_be_saved(server: Server) -> None:
    found = await checked(server, GOOD)
    saved = await server.http.put("/api/v1/workflows/of-a-text", json=found["definition"])

    assert found["faults"] == []
    assert [step["name"] for step in found["graph"]] == ["first", "second"]
    assert found["definition"]["steps"]["second"] == {"job": "open", "after": ["first"]}
    assert (saved.status_code, saved.json()["deadline"]) == (201, 7200)


async def test_whole_numbers_stay_what_they_are(server: Server) -> None:
    number = 2**63 + 1
    text = f"steps:\n  first:\n    job: open\n    input: {{n: {number}}}\n"
    found = await checked(server, text)
    saved = await server.http.put("/api/v1/workflows/of-numbers", json=found["definition"])

    assert str(number) in found["text"]
    assert saved.json()["definition"]["steps"]["first"]["input"] == {"n": number}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "stepz: 1\nsteps:\n  a: {job: open, afterr: []}\n  b: {job: open, after: [c]}\n  d: {job: nobody}\n",
            ["stepz", "steps.a.afterr", "steps.b.after[0]"],
        ),
        ("steps:\n  a: {job: nobody}\n  b: {job: opne}\n  c: {job: open}\n", ["steps.a.job", "steps.b.job"]),
        ("steps:\n  a: {job: open, at_once: 0}\n  b: {}\n", ["steps.a.at_once", "steps.b"]),
        (
            "steps:\n  a: {job: open, at_once: x, after: 3}\n  b: {job: open, rulee: x}\n",
            ["steps.a", "steps.a", "steps.b.rulee"],
        ),
        ("steps: 5\npriority: 17\n", ["steps", "priority"]),
        ("steps:\n  a: {job: open, after: [b]}\n  b: {job: open, after: [a]}\n", ["steps"]),
    ],
)
async def test_all_faults_that_can_be_told_are_told_at_once(server: Server, text: str, told: list[str]) -> None:
    faults = (await checked(server, text))["faults"]

    assert [fault["field"][: len(name)] for fault, name in zip(faults, told, strict=True)] == told, faults


async def test_what_is_wrong_stays_in_the_definition(server: Server) -> None:
    found = await checked(server, "steps:\n  a: {job: open, afterr: []}\n")

    assert found["definition"] == {"steps": {"a": {"job": "open", "afterr": []}}}


async def test_what_is_written_as_yaml_reads_as_the_same(server: Server) -> None:
    found = await checked(server, '{"steps": {"a": {"job": "open", "input": {"at": "17:00", "on": "yes", "n": 1.5}}}}')

    assert (await checked(server, found["text"]))["definition"] == found["definition"]
    assert "17:00" in found["text"]


@pytest.mark.parametrize(
    ("text", "place", "code", "reason"),
    [
        ("steps:\n\ta: 1\n", (2, 1), "bad_yaml", ""),
        ("steps:\n  a: {job: open}\n  a: {job: open}\n", (3, 3), "bad_yaml", "a is defined twice"),
        ("- a\n", (1, 1), "bad_yaml", "is not a mapping"),
        ("", (1, 1), "bad_yaml", "is not a mapping"),
        ("steps: &a {x: {job: open}}\nresult: *a\n", (2, 9), "bad_yaml", "references"),
        ("stepz:\n  a: {job: open}\n", (1, 1), "unknown_field", "stepz"),
        ("steps:\n  a: {job: open}\nresults: $.a\n", (3, 1), "unknown_field", "result"),
        ("steps:\n  a: {job: open}\n  b: {job: open, afterr: [a]}\n", (3, 18), "unknown_field", "after"),
        ("steps:\n  a: {job: open}\npriority: 17\n", (3, 1), "bad_priority", ""),
        ("steps:\n  a: {job: open}\ndeadline: soon\n", (3, 1), "bad_deadline", "length of time"),
    ],
)
async def test_a_fault_is_told_at_its_place(
    server: Server, text: str, place: tuple[int, int], code: str, reason: str
) -> None:
    [fault] = (await checked(server, text))["faults"]

    assert (fault["line"], fault["column"]) == place, fault
    assert fault["code"] == code
    assert reason in f"{fault['field']} {fault['reason']}"
