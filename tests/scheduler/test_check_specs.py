"""Definitions that cannot be used are refused with the field and the reason."""

import msgspec
import pytest

from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.runs.run import INPUT_MAX
from mainspring.errors import InvalidInputError
from mainspring.scheduler.operations.check_jobs import check_executor_name, check_spec

GOOD = JobSpec(name="report", handler="report")


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"name": ""}, "name", "bad_job"),
        ({"name": "a\x07b"}, "name", "bad_job"),
        ({"name": "p\u0430ypal"}, "name", "bad_job"),
        ({"name": "."}, "name", "bad_job"),
        ({"name": ".."}, "name", "bad_job"),
        ({"name": "a" * 201}, "name", "bad_job"),
        ({"handler": ""}, "handler", "bad_handler"),
        ({"handler": "a\n"}, "handler", "bad_handler"),
        ({"queue": ""}, "queue", "bad_queue"),
        ({"priority": 10}, "priority", "bad_priority"),
        ({"schema": b"["}, "schema", "bad_schema"),
        ({"schema": b'"text"'}, "schema", "bad_schema"),
        ({"schema": b'{"$ref": 7}'}, "schema", "bad_schema"),
        ({"schema": b'{"type": "object", "properties": ["a"]}'}, "schema", "bad_schema"),
        ({"schema": b"\xff"}, "schema", "bad_schema"),
        ({"input": b"[]"}, "input", "bad_input"),
        ({"input": b"{"}, "input", "bad_input"),
        ({"input": b'{"a":' + b"[" * 70 + b"]" * 70 + b"}"}, "input", "input_too_deep"),
        ({"input": b'{"a":"' + b"a" * INPUT_MAX + b'"}'}, "input", "input_too_large"),
        ({"description": "a\x00"}, "description", "bad_description"),
        ({"description": "a" * 2001}, "description", "bad_description"),
        ({"retry": RetryPolicy(attempts=0)}, "retry.attempts", "bad_attempts"),
        ({"retry": RetryPolicy(attempts=10_001)}, "retry.attempts", "bad_attempts"),
        ({"retry": RetryPolicy(backoff=-1.0)}, "retry.backoff", "bad_backoff"),
        ({"retry": RetryPolicy(backoff=1e9)}, "retry.backoff", "bad_backoff"),
        ({"retry": RetryPolicy(backoff_max=float("nan"))}, "retry.backoff_max", "bad_backoff_max"),
    ],
)
def test_what_cannot_be_used_is_refused(changes: dict[str, object], field: str, code: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        check_spec(msgspec.structs.replace(GOOD, **changes))

    assert (refused.value.field, refused.value.code) == (field, code)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"name": "shop/mail: täglich?", "handler": "shop.mail"},
        {"schema": b'{"type": ["object", 7], "properties": {"a": {"type": "unheard-of"}}}'},
        {"input": b'{"a": 1}', "description": "What it does,\nin two lines"},
        {"retry": RetryPolicy(attempts=10_000, backoff=0.0, backoff_max=604_800.0)},
    ],
)
def test_what_can_be_used_is_left_as_it_is(changes: dict[str, object]) -> None:
    spec = msgspec.structs.replace(GOOD, **changes)

    assert check_spec(spec) is spec


@pytest.mark.parametrize("name", ["", "a\x1b", "..", "a" * 201, " a"])
def test_an_executor_s_name_can_be_read_and_be_part_of_an_address(name: str) -> None:
    with pytest.raises(InvalidInputError):
        check_executor_name(name)
