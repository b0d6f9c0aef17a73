"""Shedding: a full queue or namespace gives up runs that wait for more urgent ones."""

from collections.abc import Mapping, Sequence

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.queues.queue import NAMESPACE_WHOLE, Place
from mainspring.domain.runs.run import KeyHolder, NewRun

SHED = "shed"
"""The reason of runs that were given up."""


class Shedding(msgspec.Struct, frozen=True):
    """How many runs of one full place are to go."""

    lines: tuple[int, ...]
    count: int


class Relief(msgspec.Struct, frozen=True):
    """Runs that came in, and those that went for them."""

    holders: dict[RunId, KeyHolder]
    """For each new run whose key was taken."""
    shed: dict[RunId, int]
    """With the line of each."""


def sheddings(lacking: Mapping[Place, int], lines: Mapping[Place, Sequence[int]]) -> list[Shedding]:
    """What is to go: runs of full queues first, which make room in their namespace too; `lacking` says how much room."""
    queues = [place for place in lacking if place[1] != NAMESPACE_WHOLE]
    found = [Shedding(tuple(lines[place]), lacking[place]) for place in queues]
    for place in lacking.keys() - queues:
        made = sum(lacking[queue] for queue in queues if queue[0] == place[0])
        if lacking[place] > made:
            found.append(Shedding(tuple(lines[place]), lacking[place] - made))
    return found


def reduced(parts: Sequence[Shedding], by: int) -> list[Shedding]:
    """The same where so many of the new runs turned out to be there already."""
    fewer = (msgspec.structs.replace(part, count=part.count - by) for part in parts)
    return [part for part in fewer if part.count > 0]


def least_urgent(runs: Sequence[NewRun]) -> int:
    """The priority below which runs go for these."""
    return min(run.priority for run in runs)
