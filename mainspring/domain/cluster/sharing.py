"""How many executors a server hands over, so that each server has its share."""

import math
from collections.abc import Mapping, Sequence

from mainspring.domain.cluster.server import Server, ServerState
from mainspring.domain.ids import ServerId

EXECUTORS_MIN = 4
"""Fewer executors in all are left where they are."""
PART = 3
"""One of so many too many goes at a time, so that a list of counts that is seconds old does little harm."""
SLACK = 0.05


def to_hand_over(mine: ServerId, zones: Mapping[str, int], servers: Sequence[Server]) -> dict[str, int]:
    """How many of the executors attached here, by their zones, go elsewhere now.

    Executors of a zone that has servers of its own go home. Of the others a server keeps an equal share among the servers of
    its zone: how many executors another zone has is for that zone to bear.
    """
    live = [one for one in servers if one.state is ServerState.LIVE and one.url]
    me = next((one for one in live if one.id == mine), None)
    attached = sum(zones.values())
    if me is None or len(live) < 2 or attached + sum(one.attached for one in live if one.id != mine) < EXECUTORS_MIN:
        return {}
    homes = {one.zone for one in live if one.zone}
    strays = {zone: count for zone, count in zones.items() if zone in homes and zone != me.zone}
    going = {zone: math.ceil(count / PART) for zone, count in strays.items()}
    excess = _excess(me, attached - sum(strays.values()), live)
    if excess:
        going |= _spread(excess, {zone: count for zone, count in zones.items() if zone not in strays})
    return going


def _excess(me: Server, attached: int, live: Sequence[Server]) -> int:
    near = [one for one in live if one.zone == me.zone]
    share = (attached + sum(one.attached for one in near if one.id != me.id)) / len(near)
    over = attached - math.ceil(share)
    return math.ceil(over / PART) if attached > share + max(1.0, SLACK * share) else 0


def _spread(count: int, zones: Mapping[str, int]) -> dict[str, int]:
    """So many of all zones together, of those first that have the most."""
    going: dict[str, int] = {}
    for zone, there in sorted(zones.items(), key=lambda item: -item[1]):
        going[zone] = min(there, count)
        count -= going[zone]
    return {zone: some for zone, some in going.items() if some}
