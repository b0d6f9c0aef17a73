"""How workflow runs end: their results, the reasons of their failures, and what their endings are told."""

import msgspec

from mainspring.domain.batches.batch import end_of
from mainspring.domain.ids import id_text
from mainspring.domain.workflows.flow import CANCELLED, FAILED, STATES, SUCCEEDED, Flow
from mainspring.domain.workflows.graph import MAIN, Graph
from mainspring.domain.workflows.move import LiveFlow, Move
from mainspring.domain.workflows.stages import main_outcome
from mainspring.domain.workflows.values import Children, Read, UnusableError

BAD = (FAILED, CANCELLED)


def finish(move: Move, read: Read) -> None:
    """The result of a workflow run that succeeded, or why it failed."""
    graph, flow = move.live.graph, move.flow
    if move.end == SUCCEEDED:
        try:
            move.result = b"null" if graph.result is None else graph.result.value(read) or b"null"
        except UnusableError as error:
            move.end, move.code, move.message = FAILED, error.code, str(error)
    elif move.end == FAILED:
        failed = failed_steps(graph, flow)
        move.code = "step_failed" if failed else "deadline"
        move.message = ", ".join(failed[:20]) + " failed" if failed else "its deadline came"
        if failed and isinstance(graph.steps[0].each, Children) and 0 in flow.maps:
            counts = flow.maps[0]
            move.message = f"{counts.failed} of {counts.size} {failed[0]} failed"


def failed_steps(graph: Graph, flow: Flow) -> list[str]:
    """The steps whose failure fails the workflow run."""
    return [step.name for n, step in enumerate(graph.steps) if flow.state(n) in BAD and not step.may_fail]


def about(live: LiveFlow, flow: Flow) -> bytes:
    """The workflow run as its endings see it."""
    state = STATES[main_outcome(live.graph, flow)]
    if live.graph.batch:
        return msgspec.json.encode(end_of(live.graph, flow, id_text(live.run), state))
    main = [name for name in failed_steps(live.graph, flow) if live.graph.steps[live.graph.numbers[name]].stage == MAIN]
    return msgspec.json.encode({"run": id_text(live.run), "state": state, "failed": main})
