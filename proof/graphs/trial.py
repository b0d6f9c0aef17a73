"""One random workflow, run twice in random orders and batches, against the oracle."""

import random
from functools import partial
from typing import Any

import msgspec

from mainspring.domain.workflows.advance import Advance, advance, start
from mainspring.domain.workflows.compile import compile_graph
from mainspring.domain.workflows.flow import BEGUN, STATES, Flow, FlowRequest, pack_maps, unpack
from mainspring.domain.workflows.moves.moved import Begin, End
from mainspring.domain.workflows.spec import WorkflowSpec, read_workflow, write_workflow
from mainspring.domain.workflows.values import list_of
from proof.graphs.draw import draw
from proof.graphs.oracle import Oracle

ENDS = {"succeeded": 3, "failed": 4, "cancelled": 5}
WIDEST = 7


class Trial:
    """A workflow with the ends and results of all runs that it might begin."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.spec = draw(self.rng)
        assert read_workflow(write_workflow(self.spec)) == self.spec
        self.graph = compile_graph(self.spec)
        self.draw_values()

    def draw_values(self) -> None:
        """How the steps of another run end, and with which results."""
        names = [step.name for step in self.graph.steps]
        self.results: dict[str, dict[str, Any]] = {
            name: {"list": list(range(self.rng.choice([0, 1, 3, WIDEST]))), "big": self.rng.random() < 0.5}
            for name in names
        }
        self.fate = {(name, item): self.end() for name in names for item in (None, *range(WIDEST))}

    def end(self) -> str:
        return self.rng.choices(list(ENDS), (8, 2, 1))[0]

    def read(self, flow: Flow, step: int) -> bytes | None:
        if flow.state(step) != ENDS["succeeded"]:
            return None
        if step in flow.maps:
            return list_of([b"1"] * flow.maps[step].size)
        return msgspec.json.encode(self.results[self.graph.steps[step].name])

    def run(self) -> tuple[dict[str, str], int]:
        """The final states, and how many runs began."""
        rng, graph = self.rng, self.graph
        flow, moved = start(graph, lambda _: None)
        live: list[Begin] = []
        begun: set[tuple[int, int | None]] = set()
        while True:
            for begin in moved.begins:
                assert (begin.step, begin.item) not in begun, "began twice"
                begun.add((begin.step, begin.item))
            live += moved.begins
            self.check_limits(flow)
            if not live and not moved.more:
                break
            # As it is stored and read back between two advances.
            flow = unpack(bytes(flow.states), pack_maps(flow), flow.requests, flow.stage)
            rng.shuffle(live)
            paused = rng.random() < 0.1
            flow.requests |= FlowRequest.PAUSE if paused else 0
            batch = [live.pop() for _ in range(rng.randint(1, len(live)))] if live else []
            ends = self.ends(batch)
            anew = flow.copy()
            worked_out = Advance(graph, anew, partial(self.read, anew), look=False).run(ends)
            moved = advance(graph, flow, ends, partial(self.read, flow))
            assert (moved, flow) == (worked_out, anew), "a learnt move is another one"
            if paused:
                assert moved.begins == [], "began while paused"
                flow.requests &= ~FlowRequest.PAUSE
                more = advance(graph, flow, (), partial(self.read, flow), look=True)
                moved.begins, moved.end, moved.more = more.begins, more.end, more.more
        assert moved.end is not None, "stuck"
        return {step.name: STATES[flow.state(n)] for n, step in enumerate(graph.steps)}, len(begun)

    def ends(self, batch: list[Begin]) -> list[End]:
        """As notes have it: counted by step and state."""
        counts: dict[tuple[int, int], int] = {}
        for begin in batch:
            state = ENDS[self.fate[self.graph.steps[begin.step].name, begin.item]]
            counts[begin.step, state] = counts.get((begin.step, state), 0) + 1
        return [End(step, state, runs) for (step, state), runs in counts.items()]

    def check_limits(self, flow: Flow) -> None:
        for step, counts in flow.maps.items():
            most = self.graph.steps[step].at_once
            assert most is None or counts.begun - counts.ended <= most, "too many items at once"
        if self.graph.steps_at_once is not None:
            assert flow.plain().count(BEGUN) <= self.graph.steps_at_once, "too many steps at once"

    def expected(self) -> dict[str, str]:
        return Oracle(self.spec, self.fate, self.results).final()


def try_one(seed: int) -> int:
    """How many runs began; raises AssertionError."""
    trial = Trial(seed)
    count = 0
    for order in range(4):
        if order == 2:
            # Another run of the same graph: moves that were learnt from the first must not depend on its values.
            trial.draw_values()
        expected = trial.expected()
        states, begun = trial.run()
        wrong = {name: (states[name], expected[name]) for name in states if states[name] != expected[name]}
        assert not wrong, f"seed {seed}: {wrong}\n{describe(trial.spec)}"
        count += begun
    return count


def describe(spec: WorkflowSpec) -> str:
    return msgspec.json.format(write_workflow(spec)).decode()
