"""Whole numbers in bodies, however they are written."""

import msgspec
import pytest

from mainspring.api.input.bodies import decode_allowing_integral_floats
from mainspring.contract.operations.runs import NewRunBody, NewRunsBody

ONE, MANY = msgspec.json.Decoder(NewRunBody), msgspec.json.Decoder(NewRunsBody)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    run = decode_allowing_integral_floats(ONE, b'{"job": "a", "priority": 5.0, "input": {"x": 1.0}}')

    assert run.priority == 5
    assert bytes(run.input) == b'{"x": 1.0}'


def test_so_it_may_in_a_list_of_runs() -> None:
    runs = decode_allowing_integral_floats(
        MANY, b'{"runs": [{"job": "a"}, {"job": "b", "priority": 7e0, "input": {"x": 2.0}}]}'
    ).runs

    assert [run.priority for run in runs] == [None, 7]
    assert bytes(runs[1].input) == b'{"x": 2.0}'


@pytest.mark.parametrize(
    "body", [b'{"job": "a", "priority": 5.5}', b'{"job": "a", "priority": 1e400}', b"[1.0]", b"1.0"]
)
def test_what_is_not_whole_is_refused_as_ever(body: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_allowing_integral_floats(ONE, body)


def test_an_item_that_is_no_object_is_refused_as_ever() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_allowing_integral_floats(MANY, b'{"runs": [1.0]}')
