"""Routes: how a job says which executor takes its runs."""

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec


class Strategy(StrEnum):
    """How the executor of a run is chosen."""

    ANY = "any"
    """Any that is free and can."""
    FIXED = "fixed"
    """One of those named, and no other."""
    FIRST = "first"
    """The first by name."""
    LAST = "last"
    """The last by name."""
    ROUND_ROBIN = "round_robin"
    RANDOM = "random"
    HASH = "hash"
    """The same one for the same key, as long as it is there."""
    LEAST_LOADED = "least_loaded"
    """The one with the most free slots, processor and memory."""
    LEAST_USED = "least_used"
    """The one that has started the fewest runs of the job."""
    LEAST_RECENT = "least_recent"
    """The one that started a run of the job the longest time ago."""
    FAILOVER = "failover"
    """The first of those named that is there."""
    BROADCAST = "broadcast"
    """Every executor that fits, one child run each."""


class OnAbsent(StrEnum):
    """The treatment of a run whose executor is gone or stays full."""

    REROUTE = "reroute"
    WAIT = "wait"
    FAIL = "fail"


ABSENT = {Strategy.FIXED: OnAbsent.WAIT, Strategy.BROADCAST: OnAbsent.FAIL}
"""Unless the route says otherwise."""


class Route(msgspec.Struct, frozen=True, omit_defaults=True):
    strategy: Strategy = Strategy.ANY
    executors: tuple[str, ...] = ()
    """Of `fixed` and `failover`: by name, in order."""
    key: tuple[str, ...] = ()
    """Of `hash`: places in the input."""
    on_absent: OnAbsent | None = None
    """None: `wait` for `fixed`, `fail` for `broadcast`, `reroute` for the others."""
    patience: float = 5.0
    """Seconds that an executor may be away, or full, before that."""

    if TYPE_CHECKING:

        def __init__(
            self,
            strategy: Strategy | str = Strategy.ANY,
            executors: Iterable[str] = (),
            key: Iterable[str] = (),
            on_absent: OnAbsent | str | None = None,
            patience: float = 5.0,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Code may name strategies by their words; any other value is returned as it is, for the rules to refuse."""
        for field, words in (("strategy", Strategy), ("on_absent", OnAbsent)):
            if getattr(self, field) in set(words):
                msgspec.structs.force_setattr(self, field, words(getattr(self, field)))

    @property
    def addressed(self) -> bool:
        """Whether a run is for one executor before it is claimed."""
        return self.strategy not in (Strategy.ANY, Strategy.LEAST_LOADED, Strategy.BROADCAST)

    @property
    def leaves_full(self) -> bool:
        """Whether a run leaves an executor that stays full, as it leaves one that is gone."""
        return self.addressed and self.absent is not OnAbsent.WAIT

    @property
    def absent(self) -> OnAbsent:
        if self.on_absent is not None:
            return self.on_absent
        return ABSENT.get(self.strategy, OnAbsent.REROUTE)


def Fixed(*executors: str, on_absent: OnAbsent | str | None = None) -> Route:  # noqa: N802 reads as a kind of route
    """These executors, and no other."""
    return Route(Strategy.FIXED, executors, (), on_absent)


def Failover(*executors: str) -> Route:  # noqa: N802
    """The first of these executors that is there."""
    return Route(Strategy.FAILOVER, executors)


def Hash(*key: str) -> Route:  # noqa: N802
    """The same executor for the same key."""
    return Route(Strategy.HASH, (), key)
