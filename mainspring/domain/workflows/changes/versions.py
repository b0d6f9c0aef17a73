"""A workflow run on another version of its definition: all that has begun must fit."""

import msgspec

from mainspring.domain.workflows.flow import BEGUN, SKIPPED, WAITING, Flow
from mainspring.domain.workflows.graph import Graph, Step
from mainspring.errors import ConflictError


class TargetVersion(msgspec.Struct, frozen=True):
    """The version that a workflow run is moved to."""

    number: int
    graph: Graph


def moved_to(before: Graph, flow: Flow, after: Graph, run: str) -> tuple[Flow, dict[int, int]]:
    """The flow by the steps of the other version, and where each old step is now; raises ConflictError with all misfits."""
    if misfits := misfits_of(before, flow, after):
        raise ConflictError("workflow_run", run, "does not fit: " + "; ".join(misfits[:20]), code="version_misfit")
    moved = Flow(bytearray(len(after.steps)), requests=flow.requests, stage=flow.stage)
    places: dict[int, int] = {}
    for number, step in enumerate(before.steps):
        place = after.numbers.get(step.name)
        if place is not None:
            places[number] = place
            moved.states[place] = flow.states[number]
            if number in flow.maps:
                moved.maps = {**moved.maps, place: flow.maps[number]}
    return moved, places


def misfits_of(before: Graph, flow: Flow, after: Graph) -> list[str]:
    """Why steps that have begun or ended cannot be steps of the other version."""
    found: list[str] = []
    for number, step in enumerate(before.steps):
        if flow.state(number) in (WAITING, SKIPPED):
            continue
        place = after.numbers.get(step.name)
        if place is None:
            found.append(f"{step.name} has begun, and that version has no such step")
        elif kind_of(after.steps[place]) != kind_of(step):
            found.append(f"{step.name} runs {kind_of(step)} here, and {kind_of(after.steps[place])} there")
        else:
            found += early_parents(before, flow, after, place)
    return found


def early_parents(before: Graph, flow: Flow, after: Graph, place: int) -> list[str]:
    """The parents that a step has in the other version and that are not over: it has begun before them."""
    step = after.steps[place]
    names = [after.steps[parent].name for parent in step.parents]
    late = [name for name in names if not is_over(before, flow, name)]
    return [f"{step.name} has begun, and comes after {name} there, which is not over" for name in late]


def is_over(graph: Graph, flow: Flow, name: str) -> bool:
    number = graph.numbers.get(name)
    return number is not None and flow.state(number) not in (WAITING, BEGUN)


def kind_of(step: Step) -> str:
    """The job or wait of a step, and whether it is a map."""
    own = step.job or (step.wait.kind if step.wait is not None else "a value")
    return f"{own} for each" if step.each is not None else own
