"""Stages of a workflow run: its steps, then undos and `on_success` or `on_failure`, then `finally`."""

from collections.abc import Sequence

from mainspring.domain.workflows.flow import (
    BEGUN,
    CANCELLED,
    FAILED,
    SKIPPED,
    SUCCEEDED,
    WAITING,
    Flow,
    FlowRequest,
    Skip,
)
from mainspring.domain.workflows.graph import LAST, ON_FAILURE, ON_SUCCESS, UNDO, Graph, Step

LETTERS = {WAITING: "w", BEGUN: "b", SUCCEEDED: "s", FAILED: "f", CANCELLED: "c", SKIPPED: "k"}
"""The states of steps as cells of a grid; `-` stands for a step that a version has not."""


def next_stage(graph: Graph, flow: Flow) -> int | None:
    """The stage that begins now, its endings that do not apply skipped; None: the present one goes on, or was the last."""
    if flow.stage == LAST or under_way(flow, graph.ends[flow.stage]):
        return None
    stage = flow.stage + 1
    ended = main_outcome(graph, flow)
    for number in range(graph.main, len(graph.steps)):
        step = graph.steps[number]
        if step.stage == stage and flow.state(number) == WAITING:
            if flow.requests & FlowRequest.NOW:
                flow.skip(number, Skip.STOPPED)
            elif not applies(step, flow, ended):
                flow.skip(number, Skip.STAGE)
    return stage


def under_way(flow: Flow, steps: int) -> bool:
    """Whether one of the first so many steps has not ended."""
    states = flow.plain()[:steps]
    return states.count(WAITING) + states.count(BEGUN) > 0


def applies(step: Step, flow: Flow, ended: int) -> bool:
    if step.ending == UNDO:
        assert step.undoes is not None
        return ended != SUCCEEDED and flow.state(step.undoes) == SUCCEEDED
    if step.ending == ON_SUCCESS:
        return ended == SUCCEEDED
    return step.ending != ON_FAILURE or ended != SUCCEEDED


def main_outcome(graph: Graph, flow: Flow) -> int:
    """How the steps themselves ended, as far as they have."""
    return outcome_of(graph, flow, graph.main)


def outcome(graph: Graph, flow: Flow) -> int:
    """How the workflow run ends: an ending or an undo that fails, fails it."""
    return outcome_of(graph, flow, len(graph.steps))


def outcome_of(graph: Graph, flow: Flow, steps: int) -> int:
    states = flow.plain()[:steps]
    late = graph.main if flow.requests & FlowRequest.CANCEL else 0
    for number in range(late, steps):
        if states[number] in (FAILED, CANCELLED) and graph.must_succeed[number]:
            return FAILED
    if flow.requests & FlowRequest.CANCEL:
        return CANCELLED
    return FAILED if flow.requests & FlowRequest.DEADLINE else SUCCEEDED


def steps_of(graphs: Sequence[Graph]) -> list[str]:
    """Return the steps of the first graph in their order, then those that only later ones have."""
    return list(dict.fromkeys(step.name for graph in graphs for step in graph.steps))


def cells(names: Sequence[str], graph: Graph, flow: Flow) -> str:
    """Return the states of the named steps in one workflow run, a letter for each."""
    found = {step.name: LETTERS[flow.state(number)] for number, step in enumerate(graph.steps)}
    return "".join(found.get(name, "-") for name in names)
