"""Workflow runs as this server last wrote them, and their steps under way: successes of theirs are decided without a read."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import STEP, read_metadata
from mainspring.domain.runs.attempt import Claim, Successes
from mainspring.domain.workflows.flow import BEGUN, SUCCEEDED
from mainspring.domain.workflows.move import LiveFlow, Move, MoveFlow, UnreadError
from mainspring.domain.workflows.moves.moved import End
from mainspring.domain.workflows.values import INPUT_STEP

Place = tuple[RunId, str]
"""A workflow run, and the name of its step."""
# What is not known here goes by notes.
KNOWN_MAX = 200_000
"""More are forgotten, the oldest first."""
REMEMBERED_MAX = 10_000


class Hops(msgspec.Struct):
    """Successes whose workflow runs are remembered, and how these move."""

    positions: list[int]
    places: list[tuple[RunId, int]]
    successes: Successes
    moves: list[Move]


class HopFlow(MoveFlow, Protocol):
    """The rule that moves are decided by."""

    def repeat(self, live: LiveFlow, step: str, result: bytes) -> Move | None:
        """A move after one success that another run of the workflow has made before; None: it is to be worked out."""


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

    def hops(self, places: Sequence[Place], successes: Successes, move: HopFlow) -> Hops:
        """The moves that need nothing but these successes; raises what `move` raises."""
        by_flow: dict[RunId, list[int]] = {}
        for at, (workflow, _) in enumerate(places):
            if workflow in self._flows:
                by_flow.setdefault(workflow, []).append(at)
        found: dict[RunId, Move] = {}
        for workflow, mine in by_flow.items():
            live, moved = self._flows[workflow], None
            if len(mine) == 1:
                moved = move.repeat(live, places[mine[0]][1], successes.results[mine[0]])
            if moved is None:
                moved = decide(live, {places[at][1]: successes.results[at] for at in mine}, move)
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
        moved.end not in (None, SUCCEEDED)
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


class KnownSteps:
    """Nothing depends on it but speed: the end of a step that is not known here leaves a note, and a duty takes it up."""

    def __init__(self) -> None:
        self.places: dict[RunId, Place] = {}

    def begun(self, places: Iterable[tuple[RunId, Place]]) -> None:
        """Know runs that are about to be started."""
        self.places.update(places)

    def started(self, claim: Claim) -> None:
        """Note which attempts of a claim are steps, as their metadata say."""
        for run, extra in zip(claim.runs, claim.extras, strict=False):
            if extra is not None and run not in self.places and extra.startswith(STEP):
                about = read_metadata(extra)
                if (workflow := about.workflow_id) is not None:
                    self.places[run] = (workflow, about.step)
        while len(self.places) > KNOWN_MAX:
            del self.places[next(iter(self.places))]

    def ended(self, runs: Iterable[RunId]) -> bool:
        """Forget attempts that are over; whether a step was among them."""
        before = len(self.places)
        for run in runs:
            self.places.pop(run, None)
        return len(self.places) < before

    def split(self, successes: Successes) -> tuple[Successes, Successes, list[Place]]:
        """Successes of plain runs, those of steps, and the places of these."""
        found = [self.places.get(run) for run in successes.runs]
        steps = [at for at, place in enumerate(found) if place is not None]
        if not steps:
            return successes, NONE, []
        plain = [at for at, place in enumerate(found) if place is None]
        places = [place for place in found if place is not None]
        return successes.picked(plain), successes.picked(steps), places


NONE = Successes([], [], [], [], [])
