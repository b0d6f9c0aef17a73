"""Decisions that hold for every workflow run in the same situation.

A thousand runs of a chain pass through the same ten situations. Where nothing but states decides, the first of them is worked
out, and the others repeat it: only their arguments are put together anew.
"""

from mainspring.domain.workflows.flow import STATE, WAITING, Flow
from mainspring.domain.workflows.graph import Graph, LearntMove, Situation
from mainspring.domain.workflows.moves.moved import Begin, Moved
from mainspring.domain.workflows.values import Read, UnusableError

LEARNT_MAX = 200_000
"""Bytes of states that are kept of one graph."""


def repeat(graph: Graph, flow: Flow, situation: Situation, read: Read) -> Moved | None:
    """Move as another run did in this situation; None, and nothing is changed, if none did, or if its arguments do not fit."""
    known = graph.learnt.get(situation)
    if known is None:
        return None
    steps = graph.steps
    # First: results are read of those steps only that have succeeded by now.
    flow.states[:] = known.states
    try:
        begins = [Begin(n, None, steps[n].arguments.put_together(read), again) for n, again in known.begins]
    except Exception as error:
        # Arguments that do not fit are the worked-out move's to refuse; a result that has not been read is asked for.
        flow.states[:] = situation[0]
        if isinstance(error, UnusableError):
            return None
        raise
    flow.stage = known.stage
    return Moved(begins, [], [], known.end)


def learn(graph: Graph, flow: Flow, situation: Situation, moved: Moved) -> None:
    """Keep a move for the others, if it follows from states alone."""
    if flow.maps or moved.refusals or moved.cancels or moved.more or decided_by_values(graph, flow, situation[0]):
        return
    if (len(graph.learnt) + 1) * len(graph.steps) > LEARNT_MAX:
        graph.learnt.clear()
    begins = tuple((begin.step, begin.again) for begin in moved.begins)
    graph.learnt[situation] = LearntMove(bytes(flow.states), flow.stage, begins, moved.end)


def decided_by_values(graph: Graph, flow: Flow, before: bytes) -> bool:
    """Whether a step was looked at that has a condition, or a list of items."""
    # Also one that waits on, as in a pause: in another run its condition may say otherwise.
    states = flow.plain()
    return any(before[n] & STATE == WAITING and graph.steps[n].rule(states) is not None for n in graph.conditional)
