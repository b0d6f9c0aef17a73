"""A grid of workflow runs against steps: one letter for each cell."""

from collections.abc import Sequence

from mainspring.domain.workflows.flow import BEGUN, CANCELLED, FAILED, SKIPPED, SUCCEEDED, WAITING, Flow
from mainspring.domain.workflows.graph import Graph

LETTERS = {WAITING: "w", BEGUN: "b", SUCCEEDED: "s", FAILED: "f", CANCELLED: "c", SKIPPED: "k"}
NONE = "-"


def steps_of(graphs: Sequence[Graph]) -> list[str]:
    """Return the steps of the first graph in their order, then those that only later ones have."""
    return list(dict.fromkeys(step.name for graph in graphs for step in graph.steps))


def cells(names: Sequence[str], graph: Graph, flow: Flow) -> str:
    """Return the states of the named steps in one workflow run; a step that its version has not is `-`."""
    found = {step.name: LETTERS[flow.state(number)] for number, step in enumerate(graph.steps)}
    return "".join(found.get(name, NONE) for name in names)
