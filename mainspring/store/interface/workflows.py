"""Workflow runs: how they begin, move and end; and the runs of steps that wait."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.bulk.operation import SweepStep
from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.run import NewRun
from mainspring.domain.waits.approval import Vote
from mainspring.domain.waits.explain import Awaited
from mainspring.domain.waits.wait import About
from mainspring.domain.workflows.changes.versions import TargetVersion
from mainspring.domain.workflows.flow import Flow
from mainspring.domain.workflows.move import Advanced, ChangeFlow, Move, MoveFlow


class FlowView(msgspec.Struct, frozen=True, kw_only=True):
    """How far a workflow run has come, live or over."""

    run: RunId
    job: int
    version: int
    flow: Flow
    began_at: datetime
    finished_at: datetime | None = None
    definition: bytes | None = None
    """Its own, if it is not that of its job's version."""


class StepRun(msgspec.Struct, frozen=True):
    """The run of a step, or of an item of a map."""

    step: int
    item: int | None
    run: RunId


class RunsAtOnce(msgspec.Struct, frozen=True):
    """How many runs of a workflow may be under way."""

    job: int
    most: int


class WorkflowStore(Protocol):
    """Each change is one transaction that begins with the locks of its workflow runs, in the order of their ids.

    Whatever moves the run of a step into history leaves a note in that transaction; notes are taken up under the lock. So no
    end of a step is lost, and none is counted twice; and a step has one run for ever, by a key of the database.
    """

    async def begin(
        self,
        lines: Sequence[int],
        move: MoveFlow,
        *,
        now: datetime,
        limit: int,
        within: RunsAtOnce | None = None,
    ) -> Advanced:
        """Begin due workflow runs of these lines, most urgent first: they wait for their steps from now on.

        A run that another transaction holds is left to it. With `within`, the lines are those of that job, and no more of its
        runs are under way than it says, whichever servers begin them.
        """

    async def noted(self, *, limit: int) -> list[RunId]:
        """Workflow runs of which something has been noted, in the order of their ids."""

    async def advance(self, flows: Sequence[RunId], move: MoveFlow, *, now: datetime, look: bool = False) -> Advanced:
        """Take up what is noted of these workflow runs, and write what follows from it.

        With `look`, every step that waits is looked at, also if nothing is noted.
        """

    async def succeed(
        self, places: Sequence[tuple[RunId, str]], successes: Successes, move: MoveFlow, *, now: datetime
    ) -> Advanced:
        """Move runs of steps to history as succeeded, and advance their workflow runs, in one transaction.

        `places` are the workflow run and the step of each.

        `known` of the answer says how many pairs of run and token matched; the others changed nothing.
        """

    async def hop(
        self,
        places: Sequence[tuple[RunId, int]],
        successes: Successes,
        moves: Sequence[Move],
        *,
        now: datetime,
        bundled: bool = False,
    ) -> bool:
        """Write moves that were decided from memory, and move the runs that they follow from to history as succeeded.

        `places` are the workflow run and the step of each success, of steps that are no maps; the moves refuse and cancel
        nothing, and end workflow runs only as succeeded. With `bundled`, attempts that begin may be kept in bundles, as
        those of a claim from a backlog are.

        False, and nothing is written, if a workflow run is not as it was remembered (`live.flow` of its move), an attempt
        is not the run's own any more, or a session that was to run some of what begins is gone.
        """

    async def request(self, run: RunId, request: int, by: Operator, *, act: str) -> bool:
        """Note an operator's request to a workflow run, which `advance` takes up; False if it is not under way."""

    async def change(
        self,
        run: RunId,
        change: ChangeFlow,
        move: MoveFlow,
        by: Operator,
        *,
        act: str,
        now: datetime,
        target: TargetVersion | None = None,
        beside: SweepStep | None = None,
    ) -> Advanced | None:
        """Apply an operator's change to a workflow run, live or over, and write what follows; None if there is none.

        One that was over is under way again. With a `target` it goes on by that version first: ConflictError if what is done
        does not fit. Raises what `change` raises, and then nothing has changed. A sweep `beside` it moves in
        the same transaction: ConflictError if another server has moved it.
        """

    async def any(self) -> bool:
        """Whether any workflow run is under way."""

    async def stale(self, *, before: datetime, after: RunId | None, limit: int) -> list[RunId]:
        """Live workflow runs that nothing has moved since, in the order of their ids."""

    async def mend(self, flows: Sequence[RunId], *, now: datetime) -> int:
        """Note the ends in history that these workflow runs do not know of; return how many there were. In health, none."""

    async def get(self, namespace: str, run: RunId) -> FlowView | None:
        """How far a workflow run has come; None if it has not begun, or is none."""

    async def views(self, runs: Sequence[RunId]) -> Sequence[FlowView]:
        """How far those of these runs have come that have begun, in any order."""

    async def place_of(self, run: RunId) -> tuple[RunId, int] | None:
        """The workflow run and the step whose run this is; None if it is no step's."""

    async def live_steps(self, workflow: RunId, steps: Sequence[int], *, limit: int) -> list[StepRun]:
        """Runs of some of its steps that are not over, by step and item."""

    async def kept(self, workflow: RunId, steps: Sequence[int]) -> set[int]:
        """Those of its steps whose first run is in history still."""

    async def steps(self, workflow: RunId, *, after: tuple[int, int] | None, limit: int) -> list[StepRun]:
        """The runs of its steps, by step and item."""


class NewBatch(msgspec.Struct, frozen=True, kw_only=True):
    """A batch that begins."""

    name: str
    run: NewRun
    """The run of the batch itself."""
    version: int
    """Of its job."""
    definition: bytes
    flow: Flow
    """With its first runs counted."""


class Joined(msgspec.Struct, frozen=True):
    """Runs that have joined a batch."""

    before: int
    """How many runs it had."""
    repeated: bool = False
    """They had joined before: the call was repeated."""


class BatchStore(Protocol):
    """Batches are workflow runs: `WorkflowStore` counts their runs, and cancels or runs them again."""

    async def create(self, batch: NewBatch, runs: Sequence[NewRun], by: Operator, *, now: datetime) -> None:
        """Begin a batch with its first runs; raises ConflictError if another one has the name."""

    async def add(
        self, batch: RunId, runs: Sequence[NewRun], by: Operator, *, at: int | None, now: datetime
    ) -> Joined | None:
        """Create runs that join an open batch; None if there is no such batch, or it is over.

        `at` says how many there have to be; a call that is repeated with it adds nothing. The runs get their numbers in the
        order given. Raises what `domain/workflows/batch.py` raises.
        """

    async def named(self, namespace: str, name: str) -> RunId | None:
        """The batch of a name."""

    async def unsuccessful(self, batch: RunId, *, after: int, limit: int) -> list[StepRun]:
        """Its runs that ended without success, by number after a place."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, namespace: str, *, before: RunId | None, limit: int) -> Sequence[FlowView]:
        """Batches, newest first."""


class Unlooked(msgspec.Struct, frozen=True, kw_only=True):
    """A wait whose event may have been published before it began."""

    run: RunId
    namespace: str
    type: str
    places: str
    match: bytes
    since: datetime


class OpenApproval(msgspec.Struct, frozen=True):
    """An approval that is asked for, and the answers so far."""

    run: RunId
    about: About
    votes: list[Vote]


DecideVote = Callable[[About, Sequence[Vote]], bytes | None]
"""Checks an answer, the last of these; the result of the step, or None while answers are missing. It may raise."""


class WaitStore(Protocol):
    """A wait begins in the transaction that begins its step, and ends at most once: with its row."""

    async def finish(self, results: Mapping[RunId, bytes], *, now: datetime) -> list[RunId]:
        """End waits as succeeded with these results; return those that had not ended before."""

    async def due(self, *, now: datetime, limit: int) -> list[RunId]:
        """Runs that have slept long enough."""

    async def next_wake(self) -> datetime | None:
        """When the next of them has."""

    async def tell(self, namespace: str, events: Sequence[tuple[str, bytes]], *, now: datetime) -> None:
        """Keep events, by type and data, for waits that look back."""

    async def waiting_for(self, namespace: str, type: str, data: bytes, *, limit: int) -> list[RunId]:  # noqa: A002
        """The runs that wait for this event."""

    async def unlooked(self, *, limit: int) -> list[Unlooked]:
        """Waits that have not been compared with earlier events yet."""

    async def look_back(self, wait: Unlooked, *, limit: int) -> bytes | None:
        """The data of the first event that the wait is for; None if there is none, and then it is not looked for again."""

    async def forget(self, *, before: datetime) -> None:
        """Delete events that no wait looks back for any more, and waits whose runs ended otherwise."""

    async def awaited(self, run: RunId) -> Awaited | None:
        """What a run that sleeps or waits for an event waits for; None if it does not, any more."""

    async def approvals(self, namespace: str, *, after: RunId | None, limit: int) -> list[OpenApproval]:
        """Approvals that are asked for, in the order in which they began."""

    async def vote(
        self, run: RunId, vote: Vote, decide: DecideVote, by: Operator, *, now: datetime
    ) -> tuple[bool, list[Vote]] | None:
        """Write an approver's answer, and end the step if it decides; whether it does, and all answers.

        None if no approval is asked for. Raises what `decide` raises, and then nothing has changed.
        """
