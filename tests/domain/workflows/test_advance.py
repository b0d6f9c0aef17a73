"""What begins, is skipped and is stopped when steps end."""

from collections.abc import Mapping
from typing import Any

import msgspec

from mainspring.domain.workflows.advance import advance, start
from mainspring.domain.workflows.compile import compile_graph
from mainspring.domain.workflows.flow import CANCELLED, FAILED, SUCCEEDED, Flow, FlowRequest, Skip, skip_reason
from mainspring.domain.workflows.moves.moved import Begin, End, Moved
from mainspring.domain.workflows.spec import StepCall, StepSpec, WorkflowSpec


class Play:
    """A workflow run whose runs end as a test says."""

    def __init__(self, steps: Mapping[str, StepSpec], arguments: Any = None, **rest: Any) -> None:
        self.graph = compile_graph(WorkflowSpec(steps=dict(steps), **rest))
        self.results: dict[int, bytes] = {-1: msgspec.json.encode(arguments or {})}
        self.flow, self.moved = start(self.graph, self.read)

    def read(self, step: int) -> bytes | None:
        return self.results.get(step)

    @property
    def begun(self) -> list[str]:
        return [self.graph.steps[begin.step].name for begin in self.moved.begins]

    @property
    def inputs(self) -> list[Any]:
        return [msgspec.json.decode(begin.input) for begin in self.moved.begins]

    def end(self, name: str, state: int = SUCCEEDED, result: Any = None, runs: int = 1) -> Moved:
        number = self.graph.numbers[name]
        if state == SUCCEEDED:
            self.results[number] = msgspec.json.encode(result)
        self.moved = advance(self.graph, self.flow, [End(number, state, runs)], self.read)
        return self.moved

    def ask(self, request: int) -> Moved:
        self.flow.requests |= request
        self.moved = advance(self.graph, self.flow, [], self.read, look=True)
        return self.moved

    def state(self, name: str) -> int:
        return self.flow.state(self.graph.numbers[name])

    def why_skipped(self, name: str) -> Skip | None:
        return skip_reason(self.flow.states[self.graph.numbers[name]])


DIAMOND = {
    "charge": StepSpec(job="charge", mapping={"order": "$.input.order"}),
    "pack": StepSpec(job="pack", mapping={"order": "$.input.order"}),
    "ship": StepSpec(job="ship", mapping={"payment": "$.charge.id", "parcel": "$.pack"}, input={"fast": True}),
}


def test_a_step_begins_once_all_its_parents_have_succeeded_with_their_results() -> None:
    play = Play(DIAMOND, {"order": 7}, result="$.ship")

    assert play.begun == ["charge", "pack"]
    assert play.inputs == [{"order": 7}, {"order": 7}]
    play.end("charge", result={"id": "p-1"})
    assert play.begun == []
    play.end("pack", result={"label": "x"})
    assert play.begun == ["ship"]
    assert play.inputs == [{"fast": True, "payment": "p-1", "parcel": {"label": "x"}}]
    assert play.end("ship").end == SUCCEEDED


def test_a_failed_step_skips_its_children_and_fails_the_workflow_run() -> None:
    play = Play(DIAMOND, {"order": 7})
    play.end("charge", FAILED)

    assert play.why_skipped("ship") is Skip.PARENTS
    assert play.end("pack").end == FAILED


def test_numbers_travel_in_the_words_in_which_they_were_written() -> None:
    play = Play({"a": StepSpec(job="a"), "b": StepSpec(job="b", mapping={"x": "$.a.big"})})
    play.results[0] = b'{"big": 12345678901234567890.10}'
    play.moved = advance(play.graph, play.flow, [End(0, SUCCEEDED)], play.read)

    assert play.moved.begins == [Begin(1, None, b'{"x":12345678901234567890.10}')]


def test_a_missing_place_fails_the_step_and_says_so() -> None:
    play = Play({"a": StepSpec(job="a"), "b": StepSpec(job="b", mapping={"x": "$.a.nothing"})})
    moved = play.end("a", result={})

    assert [(one.code, one.message) for one in moved.refusals] == [("missing_place", "nothing stands at $.a.nothing")]
    assert moved.end == FAILED


BRANCH = {
    "charge": StepSpec(job="charge"),
    "manual": StepSpec(job="ship", mapping={"p": "$.charge"}, when={"$.charge.total": {"gt": 1000}}),
    "automatic": StepSpec(job="ship", mapping={"p": "$.charge"}, when={"not": {"$.charge.total": {"gt": 1000}}}),
    "label": StepSpec(either=("$.manual", "$.automatic")),
    "mail": StepSpec(job="mail", mapping={"label": "$.label"}, may_fail=True),
}


def test_a_branch_is_taken_and_joined() -> None:
    play = Play(BRANCH, result="$.label")
    play.end("charge", result={"total": 5000})
    assert play.begun == ["manual"]
    assert play.why_skipped("automatic") is Skip.WHEN
    play.end("manual", result="L-1")
    assert play.inputs == [{"label": "L-1"}]
    assert play.end("mail", FAILED).end == SUCCEEDED


def test_the_other_branch() -> None:
    play = Play(BRANCH)
    play.end("charge", result={"total": 5})

    assert play.begun == ["automatic"]


MAP = {
    "rows": StepSpec(job="rows"),
    "bill": StepSpec(job="bill", each="$.rows", item="customer", at_once=2, failures_max=1, input={"m": 1}),
    "sum": StepSpec(job="sum", mapping={"bills": "$.bill"}),
}


def test_a_map_keeps_to_its_limits() -> None:
    play = Play(MAP)
    play.end("rows", result=["a", "b", "c"])
    assert play.inputs == [{"customer": "a", "m": 1}, {"customer": "b", "m": 1}]
    play.end("bill", FAILED)
    assert play.inputs == [{"customer": "c", "m": 1}]
    play.end("bill", runs=2, result=["x", None, "z"])
    assert play.begun == ["sum"]


def test_a_map_with_too_many_failures_begins_no_more_and_fails() -> None:
    play = Play(MAP)
    play.end("rows", result=["a", "b", "c", "d"])
    play.end("bill", FAILED, runs=2)

    assert (play.state("bill"), play.begun) == (FAILED, [])
    assert play.moved.end == FAILED


def test_an_empty_map_succeeds_at_once() -> None:
    play = Play(MAP)
    play.results[1] = b"[]"
    play.end("rows", result=[])

    assert play.state("bill") == SUCCEEDED
    assert play.begun == ["sum"]


def test_what_is_no_list_fails_the_map() -> None:
    play = Play(MAP)

    assert play.end("rows", result={"not": "a list"}).refusals[0].code == "not_a_list"


def test_a_wide_map_begins_in_pieces() -> None:
    play = Play({"rows": StepSpec(job="rows"), "each": StepSpec(job="e", each="$.rows", item="x")})
    moved = play.end("rows", result=list(range(2_500)))
    sizes = [len(moved.begins)]
    while moved.more:
        moved = advance(play.graph, play.flow, [], play.read)
        sizes.append(len(moved.begins))

    assert sizes == [1_000, 1_000, 500]


SAGA = {
    "charge": StepSpec(job="charge", undo=StepCall(job="refund", mapping={"p": "$.charge"})),
    "pack": StepSpec(job="pack", after=("charge",), undo=StepCall(job="unpack")),
    "ship": StepSpec(job="ship", after=("pack",)),
}


def test_undos_run_backwards_and_only_for_what_succeeded() -> None:
    play = Play(SAGA, on_failure=StepCall(job="alert"), on_success=StepCall(job="cheer"), finally_=StepCall(job="tidy"))
    play.end("charge", result="p")
    play.end("pack")
    play.end("ship", FAILED)
    assert play.begun == ["pack.undo", "on_failure"]
    assert play.why_skipped("on_success") is Skip.STAGE
    play.end("pack.undo")
    assert (play.begun, play.inputs) == (["charge.undo"], [{"p": "p"}])
    play.end("on_failure")
    play.end("charge.undo")
    assert play.begun == ["finally"]
    assert play.end("finally").end == FAILED


def test_a_success_has_no_undo() -> None:
    play = Play(SAGA, on_failure=StepCall(job="alert"))
    for name in SAGA:
        play.end(name)

    assert play.moved.end == SUCCEEDED


def test_fail_fast_stops_what_is_under_way() -> None:
    play = Play({"a": StepSpec(job="a"), "b": StepSpec(job="b"), "c": StepSpec(job="c", after=("b",))}, fail_fast=True)
    moved = play.end("a", FAILED)

    assert moved.cancels == [play.graph.numbers["b"]]
    assert play.why_skipped("c") is Skip.STOPPED
    assert play.end("b", CANCELLED).end == FAILED


def test_a_cancel_stops_steps_and_leaves_endings() -> None:
    play = Play(SAGA, finally_=StepCall(job="tidy"))
    play.end("charge")
    moved = play.ask(FlowRequest.CANCEL)
    assert moved.cancels == [play.graph.numbers["pack"]]
    assert play.why_skipped("ship") is Skip.STOPPED
    play.end("pack", CANCELLED)
    assert play.begun == ["charge.undo"]
    play.end("charge.undo")
    assert play.begun == ["finally"]
    assert play.end("finally").end == CANCELLED


def test_a_deadline_fails_the_workflow_run_also_if_its_last_step_succeeded() -> None:
    play = Play({"a": StepSpec(job="a")})
    play.ask(FlowRequest.DEADLINE)

    assert play.end("a", SUCCEEDED).end == FAILED


def test_nothing_begins_while_paused_and_all_of_it_after() -> None:
    play = Play(DIAMOND, {"order": 1})
    play.ask(FlowRequest.PAUSE)
    play.end("charge", result={"id": 1})
    play.end("pack", result={})
    assert play.begun == []
    play.flow.requests = 0
    play.ask(0)
    assert play.begun == ["ship"]


def test_a_late_end_of_a_step_that_is_over_changes_nothing() -> None:
    play = Play(DIAMOND, {"order": 1})
    play.end("charge", result={"id": 1})
    before = bytes(play.flow.states)
    play.end("charge", FAILED)

    assert bytes(play.flow.states) == before


def test_a_copy_of_a_flow_is_its_own() -> None:
    play = Play(MAP)
    play.end("rows", result=["a"])
    copy: Flow = play.flow.copy()
    play.end("bill")

    assert copy.maps[1].succeeded == 0
    assert copy.states != play.flow.states
