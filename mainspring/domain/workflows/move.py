"""A live workflow run as the store hands it out, and what is to be written about it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.runs.cancel import CancelRequest
from mainspring.domain.runs.run import NewRun
from mainspring.domain.waits.wait import WaitRule
from mainspring.domain.workflows.again import Again
from mainspring.domain.workflows.flow import Flow
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.moves.moved import End
from mainspring.domain.workflows.values import Read

REQUEST_STEP = -1
"""Stands for the workflow run itself in a note: its state is a request."""
ITEM_NONE = -1
"""Stands for the item of a step that is no map."""
UNPAUSE = 0x20
"""The state of a note that ends a pause."""


class UnreadError(Exception):
    """The result of a step is wanted that has not been read."""

    def __init__(self, step: int) -> None:
        super().__init__(f"step {step}")
        self.step = step


class LiveFlow(msgspec.Struct):
    """A workflow run that is under way, locked."""

    run: RunId
    namespace: str
    job: int
    version: int
    graph: Graph
    flow: Flow
    priority: int
    due_at: datetime
    input: bytes
    began_at: datetime
    deadline_at: datetime | None = None
    created_by: str = ""
    """The name of the token that started it."""
    forked: bool = False
    """Some of its results are those of the workflow run that it was forked from."""
    definition: bytes | None = None
    """Its own, if it is not that of its job's version."""


class WaitBegin(msgspec.Struct, frozen=True):
    """A step that begins to wait; its run is known to the store."""

    rule: WaitRule
    arguments: bytes
    about: bytes


class Begun(msgspec.Struct, frozen=True):
    """A run that a step begins with."""

    step: int
    item: int
    run: NewRun


class RefusedStep(msgspec.Struct, frozen=True):
    """A step that failed without a run having started."""

    step: int
    run: NewRun
    code: str
    message: str


class Move(msgspec.Struct):
    """How one workflow run moves; `flow` is the changed one."""

    live: LiveFlow
    flow: Flow
    begun: list[Begun] = []
    again: list[tuple[int, bytes]] = []
    """Steps whose run is run again, with their input."""
    refused: list[RefusedStep] = []
    cancels: list[int] = []
    """Steps whose live runs are to be cancelled."""
    waits: dict[int, WaitBegin] = {}
    """Steps that begin to wait."""
    end: int | None = None
    result: bytes | None = None
    code: str = ""
    message: str = ""
    """Why it failed."""
    more: bool = False
    """Further items of a map wait to be begun."""
    goes_on: bool = False
    """Its handler has waited for all of it, and goes on."""


class Advanced(msgspec.Struct):
    """What was written."""

    moves: list[Move] = []
    cancels: list[CancelRequest] = []
    """Attempts that executors are to stop."""
    lines: list[int] = []
    """Lines in which runs stand again."""
    known: int = 0
    """How many of the successes matched, where some came along."""


ChangeFlow = Callable[[Graph, Flow], Again]
"""An operator's change to a workflow run; it may raise, and nothing is changed."""


class MoveFlow(Protocol):
    """The rule that the store applies to locked workflow runs, in one transaction."""

    def __call__(self, live: LiveFlow, ends: Sequence[End], read: Read, look: bool, /) -> Move:  # noqa: FBT001
        """How a workflow run moves; with `look`, every step that waits is looked at.

        May raise UnreadError, and is called again once that result has been read.
        """

    def stand_in(self, live: LiveFlow, step: int, /) -> NewRun:
        """A run for history, of a step that ends without one."""

    def place(self, runs: Sequence[NewRun]) -> None:
        """Give runs that are about to be created to idle executors."""
