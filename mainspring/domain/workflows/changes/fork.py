"""A new workflow run that begins at a step of another one, and takes the results before it along."""

import msgspec

from mainspring.domain.workflows.again import BAD, stays, step_number
from mainspring.domain.workflows.changes.versions import kind_of
from mainspring.domain.workflows.flow import SKIPPED, SUCCEEDED, Flow
from mainspring.domain.workflows.graph import Graph
from mainspring.errors import ConflictError


class Fork(msgspec.Struct, frozen=True):
    """The beginning of a fork."""

    flow: Flow
    kept: dict[int, int]
    """The steps whose results it takes along, and the number of each in its origin."""
    misfits: list[str]
    """Why steps that have succeeded cannot be taken along into another version."""


def forked(before: Graph, origin: Flow, after: Graph, name: str) -> Fork:
    """The step and all that comes after it are undecided; so is what has not succeeded. Raises InvalidInputError.

    `after` is the graph that the fork goes by: that of its origin, or another version's.
    """
    first = step_number(after, name)
    again = {first, *after.descendants(first)}
    found = Fork(Flow(bytearray(len(after.steps))), {}, [])
    for number, step in enumerate(after.steps[: after.main]):
        place = before.numbers.get(step.name)
        if number in again or place is None:
            continue
        # Bare states: the runs are the origin's, so a retry in the fork begins runs of its own.
        if origin.state(place) == SUCCEEDED:
            keep(found, before, origin, after, number, place)
        elif origin.state(place) == SKIPPED and stays(before, origin, place):
            found.flow.states[number] = origin.states[place]
    return found


def keep(fork: Fork, before: Graph, origin: Flow, after: Graph, number: int, place: int) -> None:
    """Take a step along, unless it is another one in the fork's version, or comes after one that has not run."""
    step = after.steps[number]
    if kind_of(step) != kind_of(before.steps[place]):
        fork.misfits.append(f"{step.name} ran {kind_of(before.steps[place])}, and runs {kind_of(step)} there")
        return
    done = (SUCCEEDED, SKIPPED)
    if late := [
        after.steps[one].name for one in step.parents if fork.flow.state(one) not in done and before is not after
    ]:
        fork.misfits.append(f"{step.name} has succeeded, and comes after {', '.join(late)} there: fork from that")
        return
    fork.flow.put(number, SUCCEEDED)
    fork.kept[number] = place
    if place in origin.maps:
        fork.flow.maps = {**fork.flow.maps, number: origin.copy().maps[place]}


def refuse_misfits(fork: Fork, run: str) -> None:
    """Raises ConflictError with all of them."""
    if fork.misfits:
        raise ConflictError("workflow_run", run, "does not fit: " + "; ".join(fork.misfits[:20]), code="version_misfit")


def runs_again(graph: Graph, flow: Flow) -> list[str]:
    """The steps that a fork may run."""
    done = (SUCCEEDED, SKIPPED, *BAD)
    return [step.name for number, step in enumerate(graph.steps[: graph.main]) if flow.state(number) not in done]
