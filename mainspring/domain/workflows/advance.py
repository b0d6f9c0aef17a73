"""What follows from the ends of steps: what begins, what is skipped, what is to be stopped, and when all is over.

One pure function decides, whether its decision is written with the outcome in one statement or later, from a note. Rules
look at final states only and have three values, so a verdict once given is never taken back. Whatever the order in which runs
end, and however their ends are batched, the same steps run and the same states come out. Time decides only which steps do
*not* begin any more: by a cancel, a deadline, `fail_fast` or `failures_max`.

Ends are counts. A step's single run ends it; items of a map only grow its counts. A call repeated with the same arguments
gives the same; ids are the caller's.
"""

from collections.abc import Iterable

from mainspring.domain.workflows.flow import (
    BEGUN,
    CANCELLED,
    FAILED,
    HAS_RUN,
    SUCCEEDED,
    WAITING,
    Flow,
    FlowRequest,
    Map,
    Skip,
)
from mainspring.domain.workflows.graph import LAST, MAIN, Graph, Step
from mainspring.domain.workflows.maps import Mapping, items_of, members_of, settled_state
from mainspring.domain.workflows.moves.learning import learn, repeat
from mainspring.domain.workflows.moves.moved import Begin, End, Moved, Refusal
from mainspring.domain.workflows.stages import next_stage, outcome, under_way
from mainspring.domain.workflows.values import Children, Read, UnusableError

BEGIN_MAX = 1_000
"""Items of maps that begin in one transaction."""


def start(graph: Graph, read: Read, *, requests: int = 0) -> tuple[Flow, Moved]:
    """The flow of a workflow run that begins now, and the steps that begin with it."""
    flow = Flow(bytearray(len(graph.steps)), requests=requests)
    return flow, advance(graph, flow, (), read, look=True)


def advance(graph: Graph, flow: Flow, ends: Iterable[End], read: Read, *, look: bool = False) -> Moved:
    """Change the flow by these ends.

    With `look`, every step that waits is looked at, not only the children of those that ended: after a request, a pause or a
    resume.
    """
    given = tuple(ends)
    if flow.maps:
        return Advance(graph, flow, read, look=look).run(given)
    situation = (bytes(flow.states), flow.stage, flow.requests, given, look)
    moved = repeat(graph, flow, situation, read)
    if moved is None:
        moved = Advance(graph, flow, read, look=look).run(given)
        learn(graph, flow, situation, moved)
    return moved


class Advance:
    """One call of `advance`."""

    def __init__(self, graph: Graph, flow: Flow, read: Read, *, look: bool) -> None:
        self.graph = graph
        self.flow = flow
        self.read = read
        self.moved = Moved([], [], [])
        self.done: list[int] = []
        """Steps that have just become final, whose children are to be looked at."""
        self.asked = look
        self.look = look or graph.steps_at_once is not None

    def run(self, ends: Iterable[End]) -> Moved:
        self.take(ends)
        for step in [step for step in self.flow.maps if self.flow.state(step) == BEGUN]:
            self.go_on(step)
        if self.asked and self.halted:
            self.stop()
        self.settle()
        while (stage := next_stage(self.graph, self.flow)) is not None:
            self.flow.stage = stage
            self.look = True
            self.settle()
        if self.flow.stage == LAST and not under_way(self.flow, len(self.graph.steps)):
            self.moved.end = outcome(self.graph, self.flow)
        return self.moved

    def take(self, ends: Iterable[End]) -> None:
        for step, state, runs in ends:
            counts = self.flow.maps.get(step)
            if self.flow.state(step) != BEGUN:
                continue
            if counts is None:
                self.finish(step, state)
            elif state == SUCCEEDED:
                counts.succeeded += runs
            else:
                counts.failed += runs
                counts.cancelled += runs if state == CANCELLED else 0

    def settle(self) -> None:
        """Look at the children of final steps until nothing changes."""
        if self.look:
            for step in range(len(self.graph.steps)):
                self.decide(step)
        while self.done:
            for child in self.graph.children[self.done.pop()]:
                self.decide(child)

    def finish(self, step: int, state: int) -> None:
        self.flow.put(step, state)
        self.flow.states[step] |= HAS_RUN
        self.done.append(step)
        failed = state in (FAILED, CANCELLED) and not self.graph.steps[step].may_fail
        if failed and self.graph.fail_fast and self.flow.stage == MAIN:
            self.stop()

    def stop(self) -> None:
        """Begin nothing more of this stage, and cancel its runs under way."""
        for step in range(self.graph.main):
            if self.flow.state(step) == WAITING:
                self.skip(step, Skip.STOPPED)
            elif self.flow.state(step) == BEGUN:
                self.moved.cancels.append(step)
        if self.flow.requests & FlowRequest.NOW:
            for step in range(self.graph.main, len(self.graph.steps)):
                if self.flow.state(step) == BEGUN:
                    self.moved.cancels.append(step)

    def skip(self, step: int, why: Skip) -> None:
        self.flow.skip(step, why)
        self.done.append(step)

    def decide(self, number: int) -> None:
        step = self.graph.steps[number]
        if self.flow.state(number) != WAITING or step.stage > self.flow.stage:
            return
        verdict = step.rule(self.flow.plain())
        if verdict is None:
            return
        if not verdict:
            self.skip(number, Skip.PARENTS)
        elif step.stage == MAIN and self.halted:
            self.skip(number, Skip.STOPPED)
        elif step.when is not None and not step.when.holds(self.read):
            self.skip(number, Skip.WHEN)
        elif not self.flow.paused and self.has_room():
            self.begin(number, step)

    @property
    def halted(self) -> bool:
        """Whether nothing of the main stage begins any more."""
        if self.flow.stopped:
            return True
        return self.graph.fail_fast and outcome(self.graph, self.flow) != SUCCEEDED

    def has_room(self) -> bool:
        most = self.graph.steps_at_once
        return most is None or self.flow.plain().count(BEGUN) < most

    def begin(self, number: int, step: Step) -> None:
        try:
            if isinstance(step.each, Children) and step.each.value(self.read) is None:
                # Looked at again once an executor is there.
                return
            if step.each is not None:
                self.begin_map(number, step)
                return
            arguments = step.arguments.put_together(self.read)
        except UnusableError as error:
            self.moved.refusals.append(Refusal(number, error.code, str(error)))
            self.finish(number, FAILED)
            return
        again = bool(self.flow.states[number] & HAS_RUN)
        self.flow.put(number, BEGUN)
        self.flow.states[number] |= HAS_RUN
        self.moved.begins.append(Begin(number, None, arguments, again))

    def begin_map(self, number: int, step: Step) -> None:
        items = items_of(step, self.read, self.flow.maps.get(number))
        if number not in self.flow.maps:
            self.flow.maps = {**self.flow.maps, number: Map(len(items), members=members_of(step, items))}
        self.flow.put(number, BEGUN)
        self.go_on(number, items)

    def go_on(self, number: int, items: Mapping | None = None) -> None:
        """Begin as many further items as may be, or end the map."""
        step, counts = self.graph.steps[number], self.flow.maps[number]
        halted = self.halted
        room = 0 if self.flow.paused or halted else BEGIN_MAX - len(self.moved.begins)
        if step.at_once is not None:
            room = min(room, step.at_once - (counts.begun - counts.ended))
        state = settled_state(step, counts, halted=halted)
        if state is None and room > 0 and counts.begun < counts.size:
            items = items if items is not None else items_of(step, self.read, counts)
            first, counts.begun = counts.begun, min(counts.size, counts.begun + room)
            shared = step.arguments.shared(self.read)
            self.moved.begins.extend(
                Begin(number, item, items.arguments(item, shared)) for item in range(first, counts.begun)
            )
            self.moved.more |= counts.begun < counts.size and step.at_once is None
            return
        if state is not None and counts.ended == counts.begun:
            self.finish(number, state)
        elif state == SUCCEEDED:
            # Enough have succeeded: the others need not end by themselves.
            self.moved.cancels.append(number)
