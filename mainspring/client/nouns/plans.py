"""Triggers and calendars as code: what applying a set of definitions would do, and doing it."""

from collections.abc import Iterable

import msgspec

from mainspring.client.calls import AsyncCall
from mainspring.client.nouns.triggers import PATH, Written, encode
from mainspring.client.transport.requests import Request
from mainspring.contract.triggers import PlanInfo


def apply_triggers(
    owner: str,
    triggers: Iterable[Written],
    calendars: Iterable[Written],
    *,
    dry_run: bool,
    adopt: bool,
    based_on: str | None,
    note: str,
) -> Request[PlanInfo]:
    said = {
        "owner": owner,
        "triggers": list(triggers),
        "calendars": list(calendars),
        "dry_run": dry_run,
        "adopt": adopt,
        "note": note,
    }
    body = encode(said if based_on is None else {**said, "based_on": based_on})
    return Request("POST", f"{PATH}/apply", _plan, body=body, wait=60.0)


class AsyncPlans:
    """`client.plans` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def show(
        self,
        owner: str,
        triggers: Iterable[Written],
        *,
        calendars: Iterable[Written] = (),
        adopt: bool = False,
    ) -> PlanInfo:
        """What making the owner's triggers and calendars exactly these would do; nothing is changed."""
        request = apply_triggers(owner, triggers, calendars, dry_run=True, adopt=adopt, based_on=None, note="")
        return await self._call(request)

    async def apply(
        self,
        owner: str,
        triggers: Iterable[Written],
        *,
        calendars: Iterable[Written] = (),
        adopt: bool = False,
        based_on: str | None = None,
        note: str = "",
    ) -> PlanInfo:
        """Make the owner's triggers and calendars exactly these; raises StaleError if the plan was based on others."""
        request = apply_triggers(owner, triggers, calendars, dry_run=False, adopt=adopt, based_on=based_on, note=note)
        return await self._call(request)


_plan = msgspec.json.Decoder(PlanInfo).decode
