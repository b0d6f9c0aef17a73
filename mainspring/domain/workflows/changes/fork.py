"""A new workflow run that begins at a step of another one, and takes the results before it along."""

from mainspring.domain.workflows.again import BAD, stays, step_number
from mainspring.domain.workflows.flow import SKIPPED, SUCCEEDED, Flow
from mainspring.domain.workflows.graph import Graph


def forked(graph: Graph, origin: Flow, name: str) -> Flow:
    """The step and all that comes after it are undecided; so is what has not succeeded. Raises InvalidInputError."""
    first = step_number(graph, name)
    again = {first, *graph.descendants(first)}
    flow = Flow(bytearray(len(graph.steps)))
    for number in range(graph.main):
        if number in again:
            continue
        # Bare states: the runs are the origin's, so a retry in the fork begins runs of its own.
        if origin.state(number) == SUCCEEDED:
            flow.put(number, SUCCEEDED)
            if number in origin.maps:
                flow.maps = {**flow.maps, number: origin.copy().maps[number]}
        elif origin.state(number) == SKIPPED and stays(graph, origin, number):
            flow.states[number] = origin.states[number]
    return flow


def kept_steps(flow: Flow) -> list[int]:
    """The steps whose results a fork takes along."""
    return [number for number in range(len(flow.states)) if flow.state(number) == SUCCEEDED]


def runs_again(graph: Graph, flow: Flow) -> list[str]:
    """The steps that a fork may run."""
    done = (SUCCEEDED, SKIPPED, *BAD)
    return [step.name for number, step in enumerate(graph.steps[: graph.main]) if flow.state(number) not in done]
