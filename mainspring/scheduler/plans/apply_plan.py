"""Definitions as code: what making an owner's triggers and calendars a given set would do, and doing it.

Both are decided by one rule, with the rows locked, on the same ground: looking only throws the decision away.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.calendars.plan import CalendarPlanItem
from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.calendars.spec import CalendarSpec
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.owned import PlanItem, refuse_conflicts
from mainspring.domain.triggers.checks import check_ahead
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.plan import Act, Drift, Plan, Planned, check_owner, plan_triggers, refuse_twice
from mainspring.domain.triggers.revise import edited, made, removed
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger, TriggerChanges, TriggerMove
from mainspring.domain.workflows.definitions.plan import WorkflowPlanItem
from mainspring.errors import InvalidInputError
from mainspring.scheduler.operations.jobs import Words, check_note
from mainspring.scheduler.operations.trigger_queries import DELETE
from mainspring.scheduler.operations.triggers import TriggerOperations, entry_of, word
from mainspring.scheduler.plans.apply_calendars import ApplyCalendars, with_proposed
from mainspring.scheduler.plans.apply_workflows import ApplyWorkflows, WantedWorkflows, proposed
from mainspring.scheduler.plans.plan_outlook import Outlook, outlook
from mainspring.scheduler.triggers.check_triggers import CheckTriggers, at_place
from mainspring.store.interface import AuditFilter, Store
from mainspring.store.interface.triggers import TriggerFilter

PAGE = 500
DRIFTS_MAX = 50
"""Of so many it is found out who edited them."""
NAMED_MAX = 20


class Definitions(msgspec.Struct, frozen=True, kw_only=True):
    """The whole set of an owner."""

    owner: str
    triggers: Sequence[TriggerSpec]
    calendars: Sequence[CalendarSpec] = ()
    workflows: Sequence[JobSpec] = ()
    adopt: bool = False
    """Take over definitions of these names from other owners."""
    code: bool = False
    """The set is that of an app's code."""


class Ground(msgspec.Struct, frozen=True):
    """The inputs of a plan besides the triggers: their names, the calendars and the workflows."""

    names: Sequence[str]
    calendars: Sequence[CalendarPlanItem]
    workflows: Sequence[WorkflowPlanItem]
    proposed: Mapping[str, Calendar]
    unknown: frozenset[str]

    def plan(self, there: Mapping[str, Trigger], wanted: Definitions) -> Plan:
        return plan_triggers(
            there,
            wanted.triggers,
            owner=wanted.owner,
            adopt=wanted.adopt,
            unknown=self.unknown,
            beside=[item.ground for item in self.others],
        )

    @property
    def others(self) -> list[PlanItem[Any, Any]]:
        """Calendars and workflows."""
        return [*self.calendars, *self.workflows]

    @property
    def is_changed(self) -> bool:
        """Whether a calendar or a workflow is written or removed."""
        return any(item.is_written or item.act is Act.REMOVE for item in self.others)


class OnlyLookingError(Exception):
    """Ends a change before it changes anything."""


class ApplyTriggers:
    """Plans and applies."""

    def __init__(
        self,
        store: Store,
        triggers: TriggerOperations,
        checks: CheckTriggers,
        calendars: ApplyCalendars,
        workflows: ApplyWorkflows,
    ) -> None:
        self._store = store
        self._triggers = triggers
        self._checks = checks
        self._calendars = calendars
        self._workflows = workflows

    async def plan(self, namespace: str, wanted: Definitions) -> Outlook:
        """The plan of applying. Raises as applying would, but for conflicts, which are part of the plan."""
        ground = await self._ground(namespace, wanted)
        return await self._blamed(namespace, await self._looked(namespace, wanted, ground))

    async def apply(
        self, namespace: str, wanted: Definitions, *, actor: Actor, note: str = "", based_on: str | None = None
    ) -> Outlook:
        """Make the owner's set exactly this; raises ConflictError, and StaleError if the plan has become another.

        Calendars and workflows come first, then the triggers, all or none of them, then removals of the others. Before that
        everything is looked at, so that a conflict stops it before anything is changed.
        """
        check_note(note)
        words = Words(actor=actor, note=note)
        ground = await self._ground(namespace, wanted)
        refuse_conflicts(ground.calendars, "calendar")
        refuse_conflicts(ground.workflows, "workflow")
        if not ground.is_changed:
            return await self._applied(namespace, wanted, ground, words, based_on)
        found = await self._looked(namespace, wanted, ground)
        found.plan.check(based_on)
        await self._calendars.define(namespace, wanted.owner, ground.calendars, words)
        await self._workflows.define(namespace, wanted.owner, ground.workflows, words)
        if any(item.is_written for item in ground.workflows):
            await self._checks.check_all_but_calendars(namespace, wanted.triggers)
        done = await self._applied(namespace, wanted, ground, words, based_on)
        items = await self._calendars.remove(namespace, [each.item for each in found.calendars], words)
        shown = [msgspec.structs.replace(each, item=item) for each, item in zip(found.calendars, items, strict=True)]
        workflows = await self._workflows.remove(namespace, found.workflows, words)
        return msgspec.structs.replace(done, calendars=shown, workflows=workflows, others_kept=found.others_kept)

    async def _looked(self, namespace: str, wanted: Definitions, ground: Ground) -> Outlook:
        found: list[Outlook] = []

        def look(there: Mapping[str, Trigger], inputs: Inputs) -> TriggerChanges:
            inputs = with_proposed(inputs, namespace, ground.proposed)
            plan = ground.plan(there, wanted)
            moves_of(namespace, plan, wanted.triggers, inputs)
            found.append(outlook(namespace, plan, inputs))
            raise OnlyLookingError

        if not ground.names:
            found.append(Outlook(ground.plan({}, wanted), ()))
        else:
            with suppress(OnlyLookingError):
                await self._triggers.change(namespace, ground.names, look)
        calendars = await self._calendars.outlook(namespace, ground.calendars, found[-1].plan)
        workflows = [item for item in ground.workflows if item.act is not Act.KEEP]
        kept = len(ground.calendars) - len(calendars) + len(ground.workflows) - len(workflows)
        return msgspec.structs.replace(found[-1], calendars=calendars, workflows=workflows, others_kept=kept)

    async def _applied(
        self, namespace: str, wanted: Definitions, ground: Ground, words: Words, based_on: str | None
    ) -> Outlook:
        """The triggers' part."""
        done: list[Outlook] = []

        def revise(there: Mapping[str, Trigger], inputs: Inputs) -> TriggerChanges:
            plan = ground.plan(there, wanted)
            plan.check(based_on)
            found = outlook(namespace, plan, inputs)
            done.append(msgspec.structs.replace(found, others_kept=len(ground.others)))
            if not plan.is_written and not any(item.drift for item in plan.items):
                raise OnlyLookingError
            gone = [removed(item.before, inputs) for item in plan.of(Act.REMOVE) if item.before is not None]
            entries = [applied(namespace, plan, words.actor, words.note, inputs.now)] if plan.is_written else []
            entries += [
                word(move.trigger, DELETE, words.actor, inputs.now, note=words.note, ledger=move.trigger.id)
                for move in gone
            ]
            moves = moves_of(namespace, plan, wanted.triggers, inputs)
            return TriggerChanges(moves=moves, deletes=gone, entries=entries)

        if not ground.names:
            plan = ground.plan({}, wanted)
            plan.check(based_on)
            return Outlook(plan, (), others_kept=len(ground.others))
        with suppress(OnlyLookingError):
            await self._triggers.change(namespace, ground.names, revise)
        return done[-1]

    async def _ground(self, namespace: str, wanted: Definitions) -> Ground:
        check_owner(wanted.owner)
        refuse_twice(wanted.triggers)
        calendars = await self._calendars.plan(namespace, wanted.owner, wanted.calendars, adopt=wanted.adopt)
        days = self._calendars.proposed(namespace, wanted.calendars)
        asked = WantedWorkflows(owner=wanted.owner, specs=wanted.workflows, adopt=wanted.adopt, code=wanted.code)
        workflows = await self._workflows.plan(namespace, asked)
        await self._checks.check_all_but_calendars(namespace, wanted.triggers, beside=proposed(workflows))
        unknown = frozenset(await self._checks.unknown_calendars(namespace, wanted.triggers)) - days.keys()
        names = await self._names(namespace, wanted)
        return Ground(names, calendars, workflows, days, unknown)

    async def _names(self, namespace: str, wanted: Definitions) -> list[str]:
        """All triggers of the plan: the wanted ones, and the owner's."""
        names = {spec.name for spec in wanted.triggers}
        after = ""
        while True:
            page = await self._store.triggers.list(
                TriggerFilter(namespace=namespace, owner=wanted.owner, after=after, limit=PAGE)
            )
            names |= {trigger.name for trigger in page}
            if len(page) < PAGE:
                return sorted(names)
            after = page[-1].name

    async def _blamed(self, namespace: str, found: Outlook) -> Outlook:
        """The same with the names of those who edited triggers elsewhere, as far as the audit log knows."""
        drifted = [each.item for each in found.shown if each.item.drift is not None][:DRIFTS_MAX]
        if not drifted:
            return found
        who = {item.name: await self._editor(namespace, item.name) for item in drifted}
        shown = [msgspec.structs.replace(each, item=blamed(each.item, who)) for each in found.shown]
        return msgspec.structs.replace(found, shown=shown)

    async def _editor(self, namespace: str, name: str) -> str:
        entries = await self._store.access.audit(AuditFilter(namespace=namespace, kind="trigger", key=name))
        return next((each.actor.name for _, each in entries if each.act == "trigger.define"), "")


def moves_of(namespace: str, plan: Plan, specs: Sequence[TriggerSpec], inputs: Inputs) -> list[TriggerMove]:
    """Of unchanged triggers too: their prepared fires are prepared again."""
    places = {spec.name: position for position, spec in enumerate(specs)}
    moves: list[TriggerMove] = []
    for item in plan.of(Act.ADD, Act.CHANGE, Act.KEEP):
        try:
            moves.append(move_of(namespace, item, plan.owner, inputs))
        except InvalidInputError as error:
            raise at_place(error, places[item.name], specs) from None
    return moves


def move_of(namespace: str, item: Planned, owner: str, inputs: Inputs) -> TriggerMove:
    before, after = item.before, item.after
    assert after is not None
    if before is not None and not item.changes:
        return edited(before, before.spec, inputs, owner=owner)
    check_ahead(after, now=inputs.now, calendar=inputs.calendar_for(namespace, after))
    return made(namespace, after, inputs, owner=owner) if before is None else edited(before, after, inputs, owner=owner)


def blamed(item: Planned, who: Mapping[str, str]) -> Planned:
    if item.drift is None:
        return item
    return msgspec.structs.replace(item, drift=Drift(item.drift.changes, item.drift.at, who.get(item.name, "")))


def applied(namespace: str, plan: Plan, actor: Actor, note: str, now: datetime) -> AuditEntry:
    """One entry for all of it, under the owner's name."""
    details: dict[str, object] = {"note": note} if note else {}
    for act in (Act.ADD, Act.CHANGE, Act.REMOVE):
        if items := plan.of(act):
            details[act.value] = {"count": len(items), "names": [item.name for item in items[:NAMED_MAX]]}
    return entry_of(namespace, plan.owner, "trigger.apply", actor, now, msgspec.json.encode(details))
