"""Canaries: a share of a job's runs that one version of the code gets, and no other run.

The line of such a run is addressed to a version instead of an executor: `@2.5`, or `@!2.5` for all others.
"""

import msgspec

VERSION = "@"
OTHERS = "@!"


class Canary(msgspec.Struct, frozen=True):
    """The version that is tried, and its share of the runs."""

    version: str
    share: float
    """More than 0, less than 1."""


class CanaryTurns:
    """Gives each run of a job to the canary or to the others, so that the share is kept from the first run on."""

    def __init__(self) -> None:
        self._owed = 0.0

    def next(self, canary: Canary, *, alone: bool, absent: bool) -> str:
        """The address of the next run; `alone`: no executor has another version, `absent`: none has this one."""
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
