"""What holds up a workflow run, as lists show and filter it."""

from mainspring.domain.waits.wait import APPROVAL, EVENT, SLEEP
from mainspring.domain.workflows.flow import BEGUN, CANCELLED, FAILED, Flow
from mainspring.domain.workflows.graph import Graph

PAUSED = "paused"
WAITING_FOR = (APPROVAL, EVENT, SLEEP, PAUSED)


def unsuccessful_steps(graph: Graph, flow: Flow) -> list[str]:
    """Those that failed or were cancelled."""
    return [step.name for number, step in enumerate(graph.steps) if flow.state(number) in (FAILED, CANCELLED)]


def steps_under_way(graph: Graph, flow: Flow) -> list[str]:
    return [step.name for number, step in enumerate(graph.steps) if flow.state(number) == BEGUN]


def awaited(graph: Graph, flow: Flow) -> list[str]:
    """What its steps wait for, and whether it is paused."""
    kinds = {step.wait.kind for n, step in enumerate(graph.steps) if step.wait and flow.state(n) == BEGUN}
    return sorted(kinds) + [PAUSED] * flow.paused
