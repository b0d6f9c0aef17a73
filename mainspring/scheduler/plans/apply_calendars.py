"""Calendars as code: the calendars' part of applying an owner's set of definitions.

Calendars come before the triggers that use them, and go after them. Each is one change of its own: a set that was applied in
part is made whole by applying it again.
"""

from collections.abc import Mapping, Sequence

import msgspec

from mainspring.domain.calendars.impact import Impact
from mainspring.domain.calendars.plan import CalendarPlanItem, plan_calendars
from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.calendars.spec import USERS_NAMED, CalendarSpec, CalendarVersion, refuse_used
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.plan import Act, Plan
from mainspring.errors import ConflictError, InvalidInputError
from mainspring.scheduler.operations.calendars import CalendarOperations
from mainspring.scheduler.operations.jobs import Expected, Words
from mainspring.store.interface import CalendarFilter, Store, TriggerFilter

PAGE = 500
COMING = 3
"""Instants that are named of each trigger which a calendar's change concerns,"""
TRIGGERS_MAX = 20
"""and of how many triggers."""


class CalendarOutlook(msgspec.Struct, frozen=True):
    """One calendar of a plan, and the triggers that fire at other instants by it."""

    item: CalendarPlanItem
    impacts: Sequence[Impact] = ()


class ApplyCalendars:
    """Plans and applies the calendars of an owner."""

    def __init__(self, store: Store, calendars: CalendarOperations) -> None:
        self._store = store
        self._calendars = calendars

    async def plan(
        self, namespace: str, owner: str, specs: Sequence[CalendarSpec], *, adopt: bool
    ) -> list[CalendarPlanItem]:
        """The plan of applying; raises InvalidInputError for a definition that could not be kept."""
        present = await self._present(namespace)
        edited = [each for each in present.values() if each.owner == owner and each.applied != each.version]
        applied = {each.name: await self._applied(each) for each in edited}
        known = {name: spec for name, spec in applied.items() if spec is not None}
        return plan_calendars(present, specs, known, owner=owner, adopt=adopt)

    def proposed(self, namespace: str, specs: Sequence[CalendarSpec]) -> dict[str, Calendar]:
        """The calendars that these definitions would be, by name."""
        found: dict[str, Calendar] = {}
        for position, spec in enumerate(specs):
            try:
                found[spec.name] = self._calendars.proposed(namespace, spec)
            except InvalidInputError as error:
                raise type(error)(f"calendars[{position}].{error.field}", error.reason, code=error.code) from None
        return found

    async def outlook(self, namespace: str, items: Sequence[CalendarPlanItem], plan: Plan) -> list[CalendarOutlook]:
        """Those that are not kept as they are, with the triggers concerned; a removal is blocked while triggers stay."""
        items = [await self._held(namespace, item, plan) for item in items if item.act is not Act.KEEP]
        return [CalendarOutlook(item, await self._impacts(namespace, item)) for item in items]

    async def define(self, namespace: str, owner: str, items: Sequence[CalendarPlanItem], words: Words) -> None:
        """Write the definitions; raises StaleError if a calendar is at another version than the plan was made from."""
        for item in items:
            if item.is_written and item.after is not None:
                before = item.before
                expected = Expected(absent=True) if before is None else Expected(versions=frozenset({before.version}))
                await self._calendars.put(namespace, item.after, expected, words, owner=owner)

    async def remove(self, namespace: str, items: Sequence[CalendarPlanItem], words: Words) -> list[CalendarPlanItem]:
        """Delete calendars that left the set, and return the items as they went: one that triggers use stays, blocked."""
        return [await self._removed(namespace, item, words) for item in items]

    async def _removed(self, namespace: str, item: CalendarPlanItem, words: Words) -> CalendarPlanItem:
        if item.act not in (Act.REMOVE, Act.BLOCKED) or item.before is None:
            return item
        try:
            expected = Expected(versions=frozenset({item.before.version}))
            await self._calendars.delete(namespace, item.name, expected, words)
        except ConflictError as error:
            return msgspec.structs.replace(item, act=Act.BLOCKED, reason=error.reason)
        return msgspec.structs.replace(item, act=Act.REMOVE, reason="")

    async def _held(self, namespace: str, item: CalendarPlanItem, plan: Plan) -> CalendarPlanItem:
        """The same, blocked if it is to go and triggers use it that this plan does not take away or give another one."""
        if item.act is not Act.REMOVE:
            return item
        leaving = {
            each.name
            for each in plan.of(Act.REMOVE, Act.CHANGE)
            if each.after is None or each.after.calendar != item.name
        }
        limit = len(leaving) + USERS_NAMED + 1
        users = await self._store.triggers.list(TriggerFilter(namespace=namespace, calendar=item.name, limit=limit))
        coming = [each.name for each in plan.of(Act.ADD) if each.after is not None and each.after.calendar == item.name]
        try:
            refuse_used(item.name, [*(each.name for each in users if each.name not in leaving), *coming])
        except ConflictError as error:
            return msgspec.structs.replace(item, act=Act.BLOCKED, reason=error.reason)
        return item

    async def _impacts(self, namespace: str, item: CalendarPlanItem) -> list[Impact]:
        if item.act is not Act.CHANGE or item.after is None:
            return []
        found = await self._calendars.impact(namespace, item.after, count=COMING, after="", limit=TRIGGERS_MAX)
        return [each for each in found if each.differs]

    async def _present(self, namespace: str) -> Mapping[str, CalendarVersion]:
        found: dict[str, CalendarVersion] = {}
        after = ""
        while True:
            page = await self._store.calendars.list(CalendarFilter(namespace=namespace, after=after, limit=PAGE))
            found |= {each.name: each for each in page}
            if len(page) < PAGE:
                return found
            after = page[-1].name

    async def _applied(self, calendar: CalendarVersion) -> CalendarSpec | None:
        found = await self._store.calendars.get(calendar.namespace, calendar.name, version=calendar.applied)
        return None if found is None else found.spec


def with_proposed(inputs: Inputs, namespace: str, proposed: Mapping[str, Calendar]) -> Inputs:
    """Inputs in which these calendars are there already."""
    if not proposed:
        return inputs
    calendars = {**inputs.calendars, **{(namespace, name): each for name, each in proposed.items()}}
    return msgspec.structs.replace(inputs, calendars=calendars)
