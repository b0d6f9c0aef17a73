"""Moves that are repeated for every run in the same situation, and those that must not be."""

import pytest

from mainspring.domain.workflows.advance import Advance, advance, start
from mainspring.domain.workflows.compile import compile_graph
from mainspring.domain.workflows.flow import SUCCEEDED, Flow, FlowRequest
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.moves.moved import End, Moved
from mainspring.domain.workflows.spec import StepSpec, WorkflowSpec
from mainspring.domain.workflows.values import INPUT_STEP, Read

CHAIN = WorkflowSpec(steps={"a": StepSpec(job="a"), "b": StepSpec(job="b", mapping={"got": "$.a.n"})})


def reads(flow: Flow, result: bytes) -> Read:
    return lambda step: b"{}" if step == INPUT_STEP else result if flow.state(step) == SUCCEEDED else None


def end_first(graph: Graph, result: bytes, *, requests: int = 0) -> tuple[Flow, Moved]:
    flow, _ = start(graph, lambda _: None)
    flow.requests = requests
    return flow, advance(graph, flow, [End(0, SUCCEEDED)], reads(flow, result))


def worked_out(graph: Graph, result: bytes) -> tuple[Flow, Moved]:
    flow, _ = start(graph, lambda _: None)
    return flow, Advance(graph, flow, reads(flow, result), look=False).run([End(0, SUCCEEDED)])


def test_a_repeated_move_has_the_arguments_of_its_own_run() -> None:
    graph = compile_graph(CHAIN)
    end_first(graph, b'{"n":1}')
    assert graph.learnt
    assert end_first(graph, b'{"n":2}') == worked_out(graph, b'{"n":2}')


def test_arguments_that_do_not_fit_are_refused_also_where_others_did() -> None:
    graph = compile_graph(CHAIN)
    end_first(graph, b'{"n":1}')
    found = end_first(graph, b"{}")
    assert found == worked_out(graph, b"{}")
    assert [refusal.code for refusal in found[1].refusals] == ["missing_place"]


def test_a_condition_is_looked_at_in_every_run_also_after_a_pause_in_another() -> None:
    steps = {"a": StepSpec(job="a"), "b": StepSpec(job="b", when={"$.a.n": {"gt": 1}})}
    graph = compile_graph(WorkflowSpec(steps=steps))
    end_first(graph, b'{"n":2}', requests=FlowRequest.PAUSE)
    for result in (b'{"n":2}', b'{"n":1}', b'{"n":2}'):
        assert end_first(graph, result) == worked_out(graph, result)
    paused, _ = end_first(graph, b'{"n":1}', requests=FlowRequest.PAUSE)
    assert paused.states != end_first(graph, b'{"n":2}', requests=FlowRequest.PAUSE)[0].states


def test_the_moves_kept_of_a_graph_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mainspring.domain.workflows.moves.learning.LEARNT_MAX", 2 * len(CHAIN.steps))
    graph = compile_graph(CHAIN)
    for runs in range(1, 5):
        flow, _ = start(graph, lambda _: None)
        advance(graph, flow, [End(0, SUCCEEDED, runs)], reads(flow, b'{"n":1}'))
    assert len(graph.learnt) <= 2
