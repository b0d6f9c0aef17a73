"""Triggers, calendars and workflows as code: planning and applying a set of definitions."""

from collections.abc import Iterable

from mainspring.client.calls import AsyncCall, Request, ask
from mainspring.client.nouns.triggers import Written
from mainspring.client.values import encode
from mainspring.contract.operations.triggers import APPLY_TRIGGERS
from mainspring.contract.triggers import PlanInfo


def apply_triggers(
    owner: str,
    triggers: Iterable[Written],
    calendars: Iterable[Written],
    workflows: Iterable[Written],
    *,
    code: bool,
    dry_run: bool,
    adopt: bool,
    based_on: str | None = None,
    note: str = "",
) -> Request[PlanInfo]:
    body = {
        "owner": owner,
        "triggers": list(triggers),
        "calendars": list(calendars),
        "workflows": list(workflows),
        "code": code,
        "dry_run": dry_run,
        "adopt": adopt,
        "note": note,
        "based_on": based_on,
    }
    return ask(APPLY_TRIGGERS, body=encode(body, "trigger"), wait=60.0)


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
        workflows: Iterable[Written] = (),
        code: bool = False,
        adopt: bool = False,
    ) -> PlanInfo:
        """Show the changes that applying would make; nothing is changed.

        Of a set that is an app's `code`, workflows that only executors have defined are its own.
        """
        request = apply_triggers(owner, triggers, calendars, workflows, code=code, dry_run=True, adopt=adopt)
        return await self._call(request)

    async def apply(
        self,
        owner: str,
        triggers: Iterable[Written],
        *,
        calendars: Iterable[Written] = (),
        workflows: Iterable[Written] = (),
        code: bool = False,
        adopt: bool = False,
        based_on: str | None = None,
        note: str = "",
    ) -> PlanInfo:
        """Replace the owner's triggers, calendars and workflows by these.

        Raises StaleError if the plan was based on others.
        """
        request = apply_triggers(
            owner, triggers, calendars, workflows, code=code, dry_run=False, adopt=adopt, based_on=based_on, note=note
        )
        return await self._call(request)
