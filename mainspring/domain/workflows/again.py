"""Operators' changes to a workflow run: resume, retry from a step, skip. Each changes the flow, or raises."""

import msgspec

from mainspring.domain.suggest import did_you_mean
from mainspring.domain.workflows.flow import (
    BEGUN,
    CANCELLED,
    FAILED,
    SKIPPED,
    STATES,
    SUCCEEDED,
    WAITING,
    Flow,
    FlowRequest,
    Skip,
    skip_reason,
)
from mainspring.domain.workflows.graph import UNDO, Graph
from mainspring.errors import ConflictError, InvalidInputError

BAD = (FAILED, CANCELLED)


class Again(msgspec.Struct):
    """What a change makes run again."""

    steps: list[str] = []
    """Steps that run again, or for the first time."""
    items: list[int] = []
    """Maps whose failed items run again."""
    marks: dict[int, bytes] = {}
    """Results, JSON, of steps that an operator says have succeeded."""


def resume(graph: Graph, flow: Flow, run: str, *, redo: bool = False) -> Again:
    """Failed and cancelled steps run again, with all that was skipped because of them; succeeded ones keep their results."""
    undone = [step.undoes for n, step in enumerate(graph.steps) if step.ending == UNDO and flow.state(n) == SUCCEEDED]
    if undone and not redo:
        names = ", ".join(graph.steps[step].name for step in undone if step is not None)
        raise ConflictError("workflow_run", run, f"was undone ({names}): resume it with redo to run these again, too")
    for step in undone:
        if step is not None:
            restart(flow, step)
    again = Again()
    failed = [n for n in range(graph.main) if flow.state(n) in BAD]
    if not failed and not undone and not any_waiting(graph, flow):
        raise ConflictError("workflow_run", run, "has no step that failed or was cancelled")
    for step in failed:
        reopen(flow, step, again)
    reconsider(graph, flow)
    again.steps = waiting_steps(graph, flow)
    return again


def retry_from(graph: Graph, flow: Flow, run: str, name: str) -> Again:
    """A step and all that comes after it run again, whether they succeeded or not."""
    number = step_number(graph, name)
    touched = {number, *graph.descendants(number)}
    if live := [graph.steps[n].name for n in sorted(touched) if flow.state(n) == BEGUN]:
        raise ConflictError("workflow_run", run, f"{', '.join(live)} is under way: cancel it first")
    for step in touched:
        if step in flow.maps:
            raise ConflictError(
                "workflow_run", run, f"{graph.steps[step].name} is a map: resume runs its failed items again"
            )
    for step in touched:
        restart(flow, step)
    reconsider(graph, flow)
    return Again(waiting_steps(graph, flow))


def retry_step(graph: Graph, flow: Flow, run: str, step: int) -> Again:
    """One step that failed or was cancelled runs again, of a map its failed items; other failed steps stay as they are.

    Of a step that succeeded, all that comes after it runs again, too.
    """
    name = graph.steps[step].name
    if flow.state(step) not in BAD or step >= graph.main:
        return retry_from(graph, flow, run, name)
    again = Again()
    reopen(flow, step, again)
    reconsider(graph, flow)
    again.steps = waiting_steps(graph, flow)
    return again


def skip(graph: Graph, flow: Flow, run: str, name: str) -> Again:
    """A step is skipped."""
    number = step_number(graph, name)
    if flow.state(number) in (BEGUN, SUCCEEDED):
        state = STATES[flow.state(number)]
        raise ConflictError("workflow_run", run, f"{name} is {state}: only a step that is not under way can be skipped")
    flow.skip(number, Skip.ASKED)
    reconsider(graph, flow)
    return Again(waiting_steps(graph, flow))


def mark(graph: Graph, flow: Flow, run: str, name: str, result: bytes) -> Again:
    """A step counts as succeeded with this result; what was skipped because of it is undecided again."""
    number = step_number(graph, name)
    if flow.state(number) == BEGUN:
        raise ConflictError("workflow_run", run, f"{name} is under way: cancel it first")
    if graph.steps[number].each is not None:
        raise ConflictError(
            "workflow_run", run, f"{name} is a map, whose result is that of its items: skip or resume it"
        )
    flow.put(number, SUCCEEDED)
    reconsider(graph, flow)
    return Again(waiting_steps(graph, flow), marks={number: result})


def step_number(graph: Graph, name: str) -> int:
    number = graph.numbers.get(name)
    if number is None or number >= graph.main:
        known = [step.name for step in graph.steps[: graph.main]]
        raise InvalidInputError("step", f"there is no step {name}{did_you_mean(name, known)}", code="unknown_step")
    return number


def restart(flow: Flow, step: int) -> None:
    """Have a step decided anew; its run, if it has one, is run again."""
    flow.put(step, WAITING)


def reopen(flow: Flow, step: int, again: Again) -> None:
    counts = flow.maps.get(step)
    if counts is None:
        restart(flow, step)
    else:
        # Its counts change with the items that do run again: history may not have all of them any more.
        flow.put(step, BEGUN)
        again.items.append(step)


def reconsider(graph: Graph, flow: Flow) -> None:
    """Go back to the main stage: what was skipped because of others is undecided again, and endings run anew."""
    flow.stage = 0
    flow.requests &= ~int(FlowRequest.CANCEL | FlowRequest.NOW | FlowRequest.DEADLINE)
    for number, step in enumerate(graph.steps):
        if step.ending or (flow.state(number) == SKIPPED and not stays(graph, flow, number)):
            flow.put(number, WAITING)


def stays(graph: Graph, flow: Flow, number: int) -> bool:
    """Whether a step was skipped for its own sake: asked for, or by a condition over results that stay."""
    why = skip_reason(flow.states[number])
    when = graph.steps[number].when
    return why is Skip.ASKED or (
        why is Skip.WHEN and when is not None and all(flow.state(s) == SUCCEEDED for s in when.steps)
    )


def any_waiting(graph: Graph, flow: Flow) -> bool:
    return any(flow.state(n) == WAITING for n in range(graph.main))


def waiting_steps(graph: Graph, flow: Flow) -> list[str]:
    return [step.name for n, step in enumerate(graph.steps[: graph.main]) if flow.state(n) in (WAITING, BEGUN)]
