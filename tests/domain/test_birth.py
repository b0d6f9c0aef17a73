"""A request becomes a run by one rule, whichever door it comes through."""

import hashlib
import json
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mainspring.api.routes.runs.bodies import decode_one
from mainspring.domain.ids import RunId
from mainspring.domain.jobs.input import completed_input
from mainspring.domain.metadata import read_metadata
from mainspring.domain.runs.birth import line_of, new_run
from mainspring.domain.runs.run import NewRun
from mainspring.domain.triggers.inputs import Inputs, UnknownError
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger
from tests.domain.birth_cases import CASES, OF_TRIGGERS, Born, Case, born
from tests.domain.trigger_scene import MINUTELY, NOON

RUN = RunId(bytes(16))


def shown(run: NewRun, queue: str) -> Born:
    extra = read_metadata(run.extra)
    assert sorted(run.marks) == sorted([*extra.tags, *(f"{key}={value}" for key, value in extra.labels.items())])
    return born(
        priority=run.priority,
        queue=queue,
        due_at=run.due_at,
        column=run.deadline_at,
        extra=extra,
        key=run.key,
        arguments=run.input,
        now=NOON,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_request_of_a_caller(case: Case) -> None:
    job = case.stored_job(NOON)
    request = decode_one(bytearray(json.dumps(case.body(NOON)).encode()), NOON, "anna", None)
    arguments = completed_input(job.spec.input, request.input)
    run = new_run(request, job, 7, NOON, identifier=RUN, arguments=arguments)

    assert shown(run, line_of(job, request.queue).queue) == case.born
    assert (run.id, run.job, run.line) == (RUN, 1, 7)
    assert read_metadata(run.extra).by == "anna"
    digest = hashlib.sha256(case.name.encode() + b"\0" + request.input).digest()
    assert run.digest == (None if run.key is None else digest)


@pytest.mark.parametrize("case", OF_TRIGGERS, ids=lambda case: case.name)
def test_a_fire_of_a_trigger(case: Case) -> None:
    run = fired(case)

    assert run is not None
    assert shown(run, str(case.call.get("queue", case.job.get("queue", "default")))) == case.born
    extra = read_metadata(run.extra)
    assert (extra.trigger, extra.fire_at, extra.by, extra.backfill) == ("nightly", NOON, "", "")


def test_the_start_deadline_of_a_trigger_counts_from_the_fire_time() -> None:
    late = Case("late", Born(), call={"due_in": -40})
    run = fired(late, start_deadline=60.0)

    assert run is not None
    assert run.deadline_at == read_metadata(run.extra).start_by == NOON + timedelta(seconds=20)


def test_the_earlier_start_deadline_counts() -> None:
    for within, expected in ((30.0, 30), (90.0, 60)):
        run = fired(Case("both", Born(), {"start_within": within}), start_deadline=60.0)
        assert run is not None
        assert run.deadline_at == NOON + timedelta(seconds=expected)


def test_a_job_that_is_missing_is_gone_only_if_the_inputs_are_complete() -> None:
    case = Case("gone", Born())
    complete = inputs(case)
    assert msgspec.structs.replace(complete, jobs={}).new_run(trigger(case), NOON, NOON) is None
    with pytest.raises(UnknownError):
        msgspec.structs.replace(complete, jobs={}, complete=False).new_run(trigger(case), NOON, NOON)


def test_a_line_that_is_missing_is_named() -> None:
    case = Case("new queue", Born())
    with pytest.raises(UnknownError) as unknown:
        msgspec.structs.replace(inputs(case), lines={}).new_run(trigger(case), NOON, NOON)
    assert unknown.value.line == line_of(case.stored_job(NOON), None)


def fired(case: Case, **fields: Any) -> NewRun | None:
    due_at = NOON + timedelta(seconds=case.call.get("due_in", 0))
    return inputs(case).new_run(trigger(case, **fields), NOON, due_at)


def trigger(case: Case, **fields: Any) -> Trigger:
    told: dict[str, Any] = {name: case.call[name] for name in ("queue", "priority", "labels") if name in case.call}
    # A trigger's tags are unique when it is saved.
    tags = tuple(dict.fromkeys(case.call.get("tags", ())))
    arguments = msgspec.Raw(json.dumps(case.call.get("input", {})).encode())
    spec = TriggerSpec(name="nightly", job=case.name, when=MINUTELY, tags=tags, input=arguments, **told, **fields)
    return Trigger(id=1, namespace="default", spec=spec, created_at=NOON, updated_at=NOON)


def inputs(case: Case) -> Inputs:
    job = case.stored_job(NOON)
    lines = {line_of(job, case.call.get("queue")): 7}
    return Inputs(
        now=NOON,
        look_ahead=timedelta(0),
        ids=iter([RUN]),
        jobs={("default", case.name): job},
        lines=lines,
        calendars={},
    )
