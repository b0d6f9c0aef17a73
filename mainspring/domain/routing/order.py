"""In which order executors are filled: by preference, then by weight or by how free they are."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeVar

import msgspec

from mainspring.domain.cluster.session import Session
from mainspring.domain.lengths import read_length

WEIGHT, WARM_UP = "weight", "warm_up"
"""Labels of an executor: its share among others, and how long after its start that share grows."""
WEIGHT_MIN, WEIGHT_MAX = 0.001, 1000.0
BUSY = 0.1
"""An executor with less than this share of processor or memory left is passed over while another one has more."""

K = TypeVar("K")


class Order(msgspec.Struct, frozen=True):
    """How the runs of a line are given to the executors that may take them."""

    prefers: tuple[str, ...] = ()
    by_load: bool = False


ANY_ORDER = Order()


class Seat(msgspec.Struct):
    """One executor in a claim: how many runs it may take, and what speaks for it."""

    room: int
    tier: float = 0.0
    """How much a job prefers it."""
    weight: float = 1.0
    idle: float = 1.0
    """Share of its processor and memory that is free, the smaller of both."""
    most: int = 1
    """Attempts that it has slots for."""


def weight_of(session: Session, since: datetime | None, now: datetime | None) -> float:
    """The executor's weight, which grows from its start on if it says so."""
    labels = session.abilities.labels
    if WEIGHT not in labels and WARM_UP not in labels:
        return 1.0
    weight = as_weight(labels.get(WEIGHT, "1"))
    warm_up = read_length(labels.get(WARM_UP, "")) or 0.0
    if not warm_up or since is None or now is None:
        return weight
    return max(WEIGHT_MIN, weight * min(1.0, (now - since).total_seconds() / warm_up))


def as_weight(text: str) -> float:
    """1 for a text that is no number."""
    try:
        return min(WEIGHT_MAX, max(WEIGHT_MIN, float(text)))
    except ValueError:
        return 1.0


def idle_share(cpu: float, memory: int, resources: Mapping[str, float]) -> float:
    """Of an executor that reports this load; what its resources do not say counts as one core, and as memory enough."""
    shares = [1.0 - cpu / max(resources.get("cpu", 1.0), 0.001)]
    if resources.get("memory"):
        shares.append(1.0 - memory / resources["memory"])
    return max(0.0, min(shares))


def arranged(seats: Mapping[K, Seat], *, by_load: bool) -> list[K]:
    """The seats in the order in which they are filled, each as often as it has room: the preferred ones first."""
    found: list[K] = []
    for tier in sorted({seat.tier for seat in seats.values()}, reverse=True):
        same = {key: seat for key, seat in seats.items() if seat.tier == tier and seat.room > 0}
        found += by_freedom(same) if by_load else by_weight(same)
    return found


def by_weight(seats: Mapping[K, Seat]) -> list[K]:
    """Smooth: of weights 2 and 1, never three of the first in a row while both have room."""
    left = {key: seat.room for key, seat in seats.items()}
    credit = dict.fromkeys(seats, 0.0)
    found: list[K] = []
    while left:
        total = sum(seats[key].weight for key in left)
        for key in left:
            credit[key] += seats[key].weight
        chosen = max(left, key=lambda key: credit[key])
        credit[chosen] -= total
        take(chosen, left, found)
    return found


def by_freedom(seats: Mapping[K, Seat]) -> list[K]:
    """Each run to the executor that is the freest; those that were just given one count at once."""
    left = {key: seat.room for key, seat in seats.items()}
    idle = {key: seat for key, seat in seats.items() if seat.idle > BUSY}
    if idle:
        left = {key: room for key, room in left.items() if key in idle}
    found: list[K] = []
    while left:
        take(max(left, key=lambda key: min(left[key] / max(seats[key].most, 1), seats[key].idle)), left, found)
    return found


def take(chosen: K, left: dict[K, int], found: list[K]) -> None:
    found.append(chosen)
    left[chosen] -= 1
    if not left[chosen]:
        del left[chosen]


def weighted_turn(names: Sequence[str], credit: dict[str, float], weights: Mapping[str, float]) -> str:
    """The next of a smooth weighted round; `credit` is kept from call to call."""
    for name in names:
        credit[name] = credit.get(name, 0.0) + weights.get(name, 1.0)
    chosen = max(names, key=lambda name: credit[name])
    credit[chosen] -= sum(weights.get(name, 1.0) for name in names)
    return chosen
