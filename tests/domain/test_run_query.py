"""The query grammar of runs: what is read, what is refused in which words, and which runs are let through."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.runs.query import read_query
from mainspring.domain.runs.run import Failure, Run, RunState
from mainspring.errors import InvalidInputError
from mainspring.testing.clock import START

RUN = Run(
    id=RunId(bytes(16)),
    namespace="default",
    job="charge",
    queue="pay",
    handler="charge",
    priority=5,
    state=RunState.FAILED,
    reason=None,
    attempt=3,
    failures=3,
    losses=0,
    due_at=START,
    created_at=START,
    started_at=START + timedelta(seconds=2),
    finished_at=START + timedelta(seconds=42),
    executor="pay-3",
    input=b'{"country": "DE", "lines": [{"sku": 17}], "note": null}',
    result=None,
    failure=Failure(error="Timeout", message="gateway did not answer"),
    created_by="shop",
    trigger="order.paid",
)


def test_terms_that_an_index_answers_become_a_filter() -> None:
    found = read_query('state:failed,running job:charge tag:vip label.country:DE key:"order 17" since:24h', START)

    assert (found.job, found.key, found.tags, found.labels) == ("charge", "order 17", ("vip",), {"country": "DE"})
    assert set(found.states) == {RunState.FAILED, RunState.RUNNING}
    assert found.since == START - timedelta(days=1)
    assert (found.sifts, found.needs_bodies) == ((), False)


def test_a_state_can_be_turned_round() -> None:
    assert set(read_query("-state:succeeded,failed", START).states) == set(RunState) - {
        RunState.SUCCEEDED,
        RunState.FAILED,
    }


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("duration:>30s", True),
        ("duration:>40s", False),
        ("duration:>=40s", True),
        ("duration:<1m", True),
        ("duration:10s..40s", True),
        ("-duration:>30s", False),
        ("wait:<2500ms", True),
        ("attempt:3", True),
        ("attempt:>3", False),
        ("priority:<=5", True),
        ("error:Timeout", True),
        ("error:Time", False),
        ("error:*gateway*", True),
        ("-error:Timeout", False),
        ("code:error,lost", True),
        ("executor:pay-*", True),
        ("trigger:order.paid", True),
        ("by:shop", True),
        ("backfill:*", False),
        ("input.country:DE,FR", True),
        ("input.country:FR", False),
        ("input.lines.0.sku:17", True),
        ("input.note:null", True),
        ("input.nothing.here:1", False),
        ("-input.country:FR", True),
    ],
)
def test_other_terms_are_looked_at_run_by_run(text: str, *, holds: bool) -> None:
    [sift] = read_query(text, START).sifts

    assert sift.holds(RUN, START) is holds


def test_only_terms_about_inputs_need_bodies() -> None:
    assert read_query("input.country:DE", START).needs_bodies
    assert not read_query("error:Timeout", START).needs_bodies


def test_a_run_without_what_is_asked_for_is_not_let_through() -> None:
    bare = msgspec.structs.replace(RUN, started_at=None, finished_at=None, failure=None, input=None, executor=None)
    for text in ("duration:>0s", "error:*", "input.country:DE", "executor:*"):
        [sift] = read_query(text, START).sifts
        assert not sift.holds(bare, START)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("charge", "'charge' is no term: write key:value, such as job:charge"),
        ("stat:failed", "'stat' is no key; did you mean state?"),
        ("state:faild", "'faild' is no state; did you mean failed?"),
        ("job:a job:b", "job cannot have two values"),
        ("label:DE", "'label': write label.country:DE"),
        ("job.name:x", "'job.name': write job:x"),
        ("-job:x", "of these keys only state can be turned round"),
        ("duration:>soon", "duration:soon is no number: write duration:>30s"),
        ("attempt:>1h", "attempt:1h is no number: write attempt:>3"),
        ("since:yesterday", "'yesterday' is neither an age"),
        ("state:failed -state:failed", "nothing is in all of these states"),
        ('job:"open', "is no term"),
        ("job:", "is no term"),
        ("tag:a " * 21, "at most 20 terms"),
        ("x" * 1001, "at most 1000 characters"),
    ],
)
def test_a_mistake_is_named(text: str, reason: str) -> None:
    with pytest.raises(InvalidInputError) as found:
        read_query(text, START)

    assert (found.value.field, found.value.code) == ("q", "bad_query")
    assert reason in found.value.reason
