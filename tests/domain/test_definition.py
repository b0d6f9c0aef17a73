"""How definitions change: whose word counts, what differs, and what a run's arguments are completed with."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.jobs.definition import (
    SILENCE,
    Adoption,
    FieldChange,
    adopt_code,
    differences,
    digest,
    silent_since,
)
from mainspring.domain.jobs.input import with_defaults
from mainspring.domain.jobs.job import Job, JobSpec, RetryPolicy
from mainspring.testing.clock import START

OLD = JobSpec(name="report", handler="report")
NEW = msgspec.structs.replace(OLD, queue="reports")
NEXT = msgspec.structs.replace(OLD, queue="more-reports")
EDITED = msgspec.structs.replace(OLD, priority=9)


def job(spec: JobSpec = OLD, code: JobSpec | None = OLD, *, deleted: bool = False) -> Job:
    return Job(id=1, namespace="default", spec=spec, version=1, code=code, updated_at=START, deleted=deleted)


@pytest.mark.parametrize(
    ("word", "present", "said", "expected"),
    [
        (OLD, job(), [OLD], Adoption.IGNORE),
        (OLD, job(EDITED, OLD), [OLD], Adoption.IGNORE),
        (NEW, job(EDITED, OLD), [OLD], Adoption.ADOPT),
        (NEW, job(NEW, OLD), [OLD], Adoption.ADOPT),
        (NEW, job(), [OLD], Adoption.ADOPT),
        (OLD, job(NEW, NEW), [OLD, NEW], Adoption.ADOPT_IF_ALONE),
        (NEW, job(OLD, OLD), [OLD, NEW, OLD], Adoption.ADOPT),
        (OLD, job(NEXT, NEXT), [OLD, NEW, NEXT], Adoption.ADOPT_IF_ALONE),
        (OLD, job(EDITED, None), [], Adoption.ADOPT),
        (OLD, job(EDITED, None), [OLD], Adoption.ADOPT),
        (OLD, job(deleted=True), [OLD], Adoption.ADOPT),
    ],
    ids=[
        "what it says is known",
        "what it says is known, and people changed it",
        "a new word wins over people's change",
        "a new word is followed though people had the same idea",
        "a new word is followed",
        "an older word waits until the newer has no speaker",
        "a newer word comes back after the older one",
        "the oldest word waits for the newest",
        "code takes over a job that people made",
        "code takes over again",
        "code brings a deleted job back",
    ],
)
def test_whose_word_counts(word: JobSpec, present: Job, said: Sequence[JobSpec], expected: Adoption) -> None:
    assert adopt_code(word, present, said) is expected


def test_one_who_came_after_the_others_ended_has_replaced_them_and_others_wait_for_a_restart() -> None:
    assert silent_since(START, START) == START
    assert silent_since(START - timedelta(days=1), START) == START - SILENCE
    assert silent_since(None, START) == START - SILENCE


def test_equal_definitions_have_one_digest_and_others_another() -> None:
    specs = [
        OLD,
        NEW,
        EDITED,
        msgspec.structs.replace(OLD, priority=0),
        msgspec.structs.replace(OLD, retry=RetryPolicy(attempts=2)),
    ]

    assert digest(OLD) == digest(JobSpec(name="report", handler="report", queue="default", retry=RetryPolicy()))
    assert len({digest(spec) for spec in specs}) == len(specs)


def test_a_digest_does_not_depend_on_fields_that_have_their_default() -> None:
    assert digest(OLD) == "4bd2fbb454733fb1", "a change here makes every executor that is out there look different"


def test_differences_are_named_by_path_and_those_of_one_side_alone_lack_the_other() -> None:
    before = JobSpec(name="a", handler="h", schema=b'{"properties":{"x":{"type":"string"},"y":{}}}')
    after = JobSpec(
        name="a", handler="h", schema=b'{"properties":{"x":{"type":"integer"},"z":{}}}', retry=RetryPolicy(attempts=3)
    )

    assert differences(before, before) == []
    assert differences(before, after) == [
        FieldChange("retry.attempts", 1, 3),
        FieldChange("schema.properties.x.type", "string", "integer"),
        FieldChange("schema.properties.y", {}, msgspec.UNSET),
        FieldChange("schema.properties.z", msgspec.UNSET, {}),
    ]


def test_a_truth_is_not_a_number() -> None:
    before, after = (JobSpec(name="a", handler="h", input=raw) for raw in (b'{"x":true}', b'{"x":1}'))

    assert differences(before, after) == [FieldChange("input.x", True, 1)]


@pytest.mark.parametrize(
    ("defaults", "own", "merged"),
    [
        (b'{"a":1,"b":2}', b"{}", b'{"a":1,"b":2}'),
        (b'{"a":1,"b":2}', b'{"b":3,"c":4}', b'{"a":1,"b":3,"c":4}'),
        (b'{"a":{"x":1}}', b'{"a":{"y":2}}', b'{"a":{"y":2}}'),
        (b'{"a":1}', b'{"a":null}', b'{"a":null}'),
        (
            b'{"n":12345678901234567890123.50}',
            b'{ "t" : "\\u00e4" }',
            b'{"n":12345678901234567890123.50,"t":"\\u00e4"}',
        ),
    ],
)
def test_a_run_s_own_arguments_win_key_by_key_and_none_is_touched(defaults: bytes, own: bytes, merged: bytes) -> None:
    assert with_defaults(defaults, own) == merged
