"""Claims of lines that lead through gates: the slots that limits leave, and when to ask again."""

from collections.abc import Mapping
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.ids import Token
from mainspring.domain.runs.attempt import Claim
from mainspring.scheduler.dispatch.claim_groups import ClaimRequest, LineGroup
from mainspring.store.interface import Store

HELD = 0.005
"""Seconds after which lanes are asked again that another claim held."""
# Another server's hint may be lost.
FULL = 0.5
"""Seconds after which a full gate is asked again if no attempt was heard to end."""


async def claim_for(
    store: Store,
    clock: Clock,
    group: LineGroup,
    plan: ClaimRequest,
    *,
    token: Token,
    now: datetime,
    since: Mapping[int, datetime],
    bundled: bool,
) -> list[Claim]:
    """Make the planned claim; through gates and from lanes, as much of it as they leave."""
    order = None if group.lanes is not None else group.claim_order(len(plan.slots), now)
    if not group.limited and order is None:
        return await store.runs.claim(plan.lines, plan.slots, token=token, now=now, since=since, bundled=bundled)
    if group.lanes is not None:
        found = await store.runs.claim_lanes(
            group.gates, group.lanes, plan.lines, plan.slots, token=token, now=now, bundled=bundled
        )
    else:
        found = await store.runs.claim_gated(
            group.gates, plan.lines, plan.slots, token=token, now=now, since=since, order=order, bundled=bundled
        )
    asked, plan.slots = len(plan.slots), plan.slots[: found.room]
    taken = sum(map(len, found.claims))
    if found.again:
        group.bar(plan, clock.monotonic() + HELD)
    elif taken < asked and ((found.room < asked and taken >= found.room) or found.opens_at is not None):
        wait = FULL if found.opens_at is None else (found.opens_at - now).total_seconds()
        group.bar(plan, clock.monotonic() + wait)
    return found.claims
