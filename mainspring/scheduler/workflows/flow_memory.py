"""Workflow runs as this server last wrote them: the next success of theirs is decided without a look at the database."""

from collections.abc import Iterable, Sequence

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.workflows.flow import BEGUN, SUCCEEDED
from mainspring.domain.workflows.move import LiveFlow, Move, MoveFlow, UnreadError
from mainspring.domain.workflows.moves.moved import End
from mainspring.domain.workflows.values import INPUT_STEP
from mainspring.scheduler.workflows.known_steps import Place

REMEMBERED_MAX = 10_000


class Hops(msgspec.Struct):
    """Successes whose workflow runs are remembered, and how these move."""

    positions: list[int]
    places: list[tuple[RunId, int]]
    successes: Successes
    moves: list[Move]


class FlowMemory:
    """May be out of date: the store writes a move that was decided from it only if the workflow run is still the same."""

    def __init__(self) -> None:
        self._flows: dict[RunId, LiveFlow] = {}

    def remember(self, moves: Iterable[Move]) -> None:
        for move in moves:
            self._flows.pop(move.live.run, None)
            if move.end is None and not move.more and not move.goes_on:
                self._flows[move.live.run] = msgspec.structs.replace(move.live, flow=move.flow)
        while len(self._flows) > REMEMBERED_MAX:
            del self._flows[next(iter(self._flows))]

    def forget(self, runs: Iterable[RunId]) -> None:
        for run in runs:
            self._flows.pop(run, None)

    def hops(self, places: Sequence[Place], successes: Successes, move: MoveFlow) -> Hops:
        """The moves that need nothing but these successes; raises what `move` raises."""
        by_flow: dict[RunId, list[int]] = {}
        for at, (workflow, _) in enumerate(places):
            if workflow in self._flows:
                by_flow.setdefault(workflow, []).append(at)
        found: dict[RunId, Move] = {}
        for workflow, mine in by_flow.items():
            moved = decide(self._flows[workflow], {places[at][1]: successes.results[at] for at in mine}, move)
            if moved is not None and len(moved.live.graph.steps):
                found[workflow] = moved
        positions = [at for at, (workflow, _) in enumerate(places) if workflow in found]
        numbered = [(run, found[run].live.graph.numbers[step]) for run, step in (places[at] for at in positions)]
        return Hops(positions, numbered, successes.picked(positions), [found[run] for run in sorted(found)])


def decide(live: LiveFlow, results: dict[str, bytes], move: MoveFlow) -> Move | None:
    """How a remembered workflow run moves; None if that takes more than these results, or more than a hop writes."""
    numbers = {live.graph.numbers.get(name): result for name, result in results.items()}
    if not all(is_single(live, number) for number in numbers):
        return None

    def read(step: int) -> bytes | None:
        if step == INPUT_STEP:
            return live.input
        if step not in numbers:
            raise UnreadError(step)
        return numbers[step]

    ends = [End(number, SUCCEEDED) for number in numbers if number is not None]
    try:
        moved = move(live, ends, read, False)  # noqa: FBT003 as the store calls it
    except UnreadError:
        return None
    writes_more = (
        moved.end is not None
        or moved.again
        or moved.refused
        or moved.cancels
        or moved.waits
        or moved.more
        or moved.goes_on
    )
    return None if writes_more else moved


def is_single(live: LiveFlow, number: int | None) -> bool:
    return number is not None and live.graph.steps[number].each is None and live.flow.state(number) == BEGUN
