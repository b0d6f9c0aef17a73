"""Blocking policies: what becomes of runs that find their lane's limit taken."""

from collections.abc import Sequence

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.limits.policy import Blocking

BLOCKED, SUPERSEDED = "blocked", "superseded"
"""The reasons of skipped runs."""


class LaneLoad:
    """The runs of a lane when newcomers arrive, oldest first."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.running: list[RunId] = []
        self.waiting: list[RunId] = []

    def add(self, run: RunId, *, running: bool) -> None:
        (self.running if running else self.waiting).append(run)


class BlockingDecision(msgspec.Struct, frozen=True):
    """Which runs are skipped, each with its reason, and which running ones are cancelled."""

    skipped: dict[RunId, str] = {}
    replaced: tuple[RunId, ...] = ()


def blocked(policy: Blocking, load: LaneLoad, newcomers: Sequence[RunId]) -> BlockingDecision:
    """Decide about newcomers, oldest first; those that are not skipped wait in the lane."""
    room = max(0, load.at_once - len(load.running))
    starting, waiting = load.waiting[:room], load.waiting[room:]
    free = room - len(starting)
    if policy is Blocking.DISCARD:
        return BlockingDecision(dict.fromkeys(newcomers[free:], BLOCKED))
    if policy is Blocking.REPLACE:
        # Only the newest is left; whatever runs or was about to start makes way for it.
        *older, _ = [*load.waiting, *newcomers]
        return BlockingDecision(dict.fromkeys(older, SUPERSEDED), tuple(load.running))
    if policy is Blocking.LATEST:
        late = [*waiting, *newcomers[free:]]
        return BlockingDecision(dict.fromkeys(late[:-1], SUPERSEDED))
    return BlockingDecision()
