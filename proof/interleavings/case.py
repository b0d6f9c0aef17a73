"""A case: acts that meet, what is there before, and what must come out of every order."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.run import Attempt, Run, RunState
from proof.interleavings import invariants
from proof.interleavings.explorer import Trace, alternatives
from proof.interleavings.stage import NAMESPACE, Act, Facts, Play, Prepare, Stage

ORDERS_MAX = 60
"""More than any pair has; only cases of three are cut short."""


class Ending(msgspec.Struct):
    """How a play came out."""

    facts: Facts
    trace: Trace
    a: Any
    b: Any
    c: Any
    runs: list[Run]
    attempts: list[list[Attempt]]
    audited: list[str]
    """What was done to the first run, by people."""
    remembered: list[str] = []
    """The names of what the first run remembers."""
    seen: Any = None
    """What the case's own look found."""

    @property
    def run(self) -> Run:
        return self.runs[0]

    @property
    def state(self) -> RunState:
        return self.run.state

    @property
    def outcomes(self) -> list[str]:
        return [attempt.outcome for attempt in self.attempts[0]]


Expect = Callable[[Ending], None]
Look = Callable[[Stage, Play], Awaitable[Any]]


class Case(msgspec.Struct, frozen=True):
    """What each actor does, in the order of their names."""

    name: str
    prepare: Prepare
    acts: tuple[Act, ...]
    expect: Expect
    look: Look | None = None
    """Looks at what the invariants of runs do not, and may lead the play to its end."""


async def explore(stage: Stage, case: Case) -> int:
    """Play every order of the case; return how many there were. Raises AssertionError, with the order that broke it."""
    beginnings: list[list[str]] = [[]]
    played = 0
    while beginnings and played < ORDERS_MAX:
        # Breadth first: if not all can be played, those that differ early tell the most.
        beginning = beginnings.pop(0)
        play = await stage.play(case.prepare, case.acts, beginning)
        played += 1
        try:
            await invariants.check(stage, play)
            end = await ending(stage, play)
            end.seen = await case.look(stage, play) if case.look is not None else None
            case.expect(end)
        except AssertionError as error:
            error.add_note(f"{case.name}, answers {play.answers}, in this order:\n{play.trace.told()}")
            raise
        beginnings += alternatives(play.trace, len(beginning))
    return played


async def ending(stage: Stage, play: Play) -> Ending:
    runs = [await shown(stage, run) for run in play.facts.runs]
    attempts = [await stage.plain.runs.attempts(run) for run in play.facts.runs]
    audited = await acts_on(stage, play.facts.runs[0]) if play.facts.runs else []
    memories = await stage.plain.runs.checkpoints(play.facts.runs[0]) if play.facts.runs else []
    a, b, c = (play.answers.get(name) for name in "abc")
    return Ending(play.facts, play.trace, a, b, c, runs, attempts, audited, [one.name for one in memories])


async def shown(stage: Stage, run: RunId) -> Run:
    found = await stage.plain.runs.get(NAMESPACE, run)
    assert found is not None, "a run that exists cannot be seen"
    return found


async def acts_on(stage: Stage, run: RunId) -> list[str]:
    rows = await stage.control.fetch("SELECT act FROM mainspring.audit WHERE key = $1 ORDER BY position", id_text(run))
    return [row["act"] for row in rows]
