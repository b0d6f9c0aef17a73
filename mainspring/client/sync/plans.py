"""Generated from mainspring/client/nouns/plans.py by `make client-sync`: do not edit."""

from collections.abc import Iterable

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.plans import apply_triggers
from mainspring.client.nouns.triggers import Written
from mainspring.contract.triggers import PlanInfo


class Plans:
    """`client.plans` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def show(
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
        return self._call(request)

    def apply(
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
        return self._call(request)
