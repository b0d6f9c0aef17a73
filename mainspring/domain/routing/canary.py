"""Canaries: a share of a job's runs that one version of the code gets, and no other run.

The line of such a run is addressed to a version instead of an executor: `@2.5`, or `@!2.5` for all others.
"""

import msgspec

VERSION = "@"
OTHERS = "@!"


MIN_RUNS = 20


class Canary(msgspec.Struct, frozen=True, omit_defaults=True):
    """The version that is tried, and its share of the runs."""

    version: str
    share: float
    """Less than 1; 0: it was stopped, and gets none."""
    stop_above: float | None = None
    """The share of its runs that may fail: above it, it is stopped. None: only people end it."""
    min_runs: int = MIN_RUNS
    """How many of its runs it takes to judge by."""

    @property
    def stopped(self) -> bool:
        return self.share == 0


class CanarySide(msgspec.Struct, frozen=True, kw_only=True):
    """The runs that one side of a trial has had of late: the canary, or the other versions."""

    succeeded: int = 0
    failed: int = 0
    retrying: int = 0
    """Runs that are not over, and have failed so far."""

    @property
    def runs(self) -> int:
        return self.succeeded + self.failed + self.retrying

    @property
    def failure_rate(self) -> float:
        return (self.failed + self.retrying) / self.runs if self.runs else 0.0


def reason_to_stop(canary: Canary, side: CanarySide) -> str | None:
    """Why a canary with these runs is stopped, as people read it; None: it goes on."""
    if canary.stopped or canary.stop_above is None or side.runs < canary.min_runs:
        return None
    if side.failure_rate <= canary.stop_above:
        return None
    return f"canary {canary.version} stopped: {side.failure_rate:.0%} of its {side.runs} runs failed"


def refuses(address: str, canary: Canary | None) -> bool:
    """Whether runs with this address are for a canary that was stopped."""
    return canary is not None and canary.stopped and address == VERSION + canary.version


def waits_for_others(address: str, canary: Canary | None) -> bool:
    """Whether runs with this address stay with the other versions, whether there is one or not."""
    return canary is not None and canary.stopped and address == OTHERS + canary.version


class CanaryTurns:
    """Gives each run of a job to the canary or to the others, so that the share is kept from the first run on."""

    def __init__(self) -> None:
        self._owed = 0.0

    def next(self, canary: Canary, *, alone: bool, absent: bool) -> str:
        """The address of the next run; `alone`: no executor has another version, `absent`: none has this one."""
        if canary.stopped:
            return OTHERS + canary.version
        if alone or absent:
            return VERSION + canary.version if alone else OTHERS + canary.version
        self._owed += canary.share
        if self._owed < 1:
            return OTHERS + canary.version
        self._owed -= 1
        return VERSION + canary.version


def show_address(address: str) -> str:
    """For people; of an executor, its name."""
    if address.startswith(OTHERS):
        return f"code of another version than {address.removeprefix(OTHERS)}, of which there is none"
    if address.startswith(VERSION):
        return f"code version {address.removeprefix(VERSION)}, of which there is none"
    return f"executor {address}, which is away"
