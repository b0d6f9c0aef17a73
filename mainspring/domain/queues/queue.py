"""A queue as operators see it: its depth, and their settings for it."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.policy import NO_POLICY, QueuePolicy
from mainspring.domain.queues.rollup import RollupWindow
from mainspring.errors import InvalidInputError

NAMESPACE_WHOLE = ""
"""Stands for the queue in the rule of a whole namespace."""

BUDGET_MAX = 2**53

Place = tuple[str, str]
"""Namespace and queue."""

CLUSTER_WHOLE: Place = ("", NAMESPACE_WHOLE)
"""Stands for all namespaces: its pause is maintenance."""


class QueueRule(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a queue, or of a namespace as a whole."""

    namespace: str
    queue: str
    pause: Pause | None = None
    max_queued: int | None = None
    """Its budget: how many accepted runs may stand in it without having been started."""
    policy: QueuePolicy = NO_POLICY

    @property
    def place(self) -> Place:
        return self.namespace, self.queue

    @property
    def says_something(self) -> bool:
        return self.pause is not None or self.max_queued is not None or self.policy != NO_POLICY


class Depth(msgspec.Struct, frozen=True, kw_only=True):
    """How many live runs stand in a line, or in several together."""

    queued: int = 0
    """Due, and not started."""
    later: int = 0
    """Queued for an instant to come."""
    waiting: int = 0
    """Not claimable, each with its reason."""
    running: int = 0
    oldest_at: datetime | None = None
    """When the run that has been due for longest fell due."""
    running_oldest_at: datetime | None = None
    """When the attempt that has been under way for longest was given to its executor."""

    @property
    def backlog(self) -> int:
        """The runs that a budget counts: accepted and not started."""
        return self.queued + self.later + self.waiting


class Survey(msgspec.Struct, frozen=True, kw_only=True):
    """The depths of all lines at one instant; a line that is not named is empty."""

    taken_at: datetime | None
    """None: nobody has counted yet."""
    depths: dict[int, Depth]


class QueueState(msgspec.Struct, frozen=True, kw_only=True):
    """A queue as an operator sees it."""

    namespace: str
    name: str
    depth: Depth
    taken_at: datetime | None
    """When the depth was counted; None: not yet."""
    executors: int
    """How many living sessions listen to it, and how many slots they have for what they listen to."""
    slots: int
    rule: QueueRule
    grown: float = 0.0
    """Runs a second by which those that are due became more, over the last minutes; below 0: fewer."""
    recent: RollupWindow | None
    """What passed through it, minute by minute; None: nothing is rolled up yet."""


def together(depths: Iterable[Depth]) -> Depth:
    """The depth of several lines as one."""
    lines = list(depths)
    return Depth(
        queued=sum(depth.queued for depth in lines),
        later=sum(depth.later for depth in lines),
        waiting=sum(depth.waiting for depth in lines),
        running=sum(depth.running for depth in lines),
        oldest_at=earliest(depth.oldest_at for depth in lines),
        running_oldest_at=earliest(depth.running_oldest_at for depth in lines),
    )


def earliest(instants: Iterable[datetime | None]) -> datetime | None:
    return min((each for each in instants if each is not None), default=None)


def check_budget(max_queued: int | None) -> int | None:
    if max_queued is not None and not 0 <= max_queued <= BUDGET_MAX:
        raise InvalidInputError("max_queued", "is 0 or more, or null for no budget", code="bad_max_queued")
    return max_queued
