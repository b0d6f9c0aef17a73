"""Triggers as code: what making an owner's triggers a given set would do, and doing it, all or nothing.

Both are decided by one rule, with the rows locked, on the same ground: looking only throws the decision away.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.triggers.checks import check_ahead
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.plan import Act, Drift, Plan, Planned, check_owner, plan_triggers, refuse_twice
from mainspring.domain.triggers.revise import edited, made, removed
from mainspring.domain.triggers.spec import Delay, TriggerSpec
from mainspring.domain.triggers.trigger import Changes, Move, Trigger
from mainspring.errors import InvalidInputError
from mainspring.scheduler.operations.jobs import check_note
from mainspring.scheduler.operations.trigger_queries import DELETE
from mainspring.scheduler.operations.triggers import SteerTriggers, entry_of, word
from mainspring.scheduler.triggers.check_triggers import CheckTriggers, at_place
from mainspring.store.interface import AuditFilter, Store
from mainspring.store.interface.triggers import TriggerFilter

PAGE = 500
COMING = 3
"""Instants that are named of each trigger,"""
COMING_MAX = 500
"""of so many triggers at most."""
DRIFTS_MAX = 50
"""Of so many it is found out who edited them."""
NAMED_MAX = 20


class Shown(msgspec.Struct, frozen=True):
    """One trigger of a plan that is not kept as it is, and what comes next before and after."""

    item: Planned
    next_before: Sequence[datetime] = ()
    next_after: Sequence[datetime] = ()


class Outlook(msgspec.Struct, frozen=True):
    plan: Plan
    shown: Sequence[Shown]


class OnlyLookingError(Exception):
    """Ends a change before it changes anything."""


class ApplyTriggers:
    """Plans and applies."""

    def __init__(self, store: Store, triggers: SteerTriggers, checks: CheckTriggers) -> None:
        self._store = store
        self._triggers = triggers
        self._checks = checks

    async def plan(self, namespace: str, owner: str, specs: Sequence[TriggerSpec], *, adopt: bool = False) -> Outlook:
        """What applying would do. Raises what applying would raise, but for conflicts, which are part of the plan."""
        found: list[Outlook] = []

        def look(there: Mapping[str, Trigger], inputs: Inputs) -> Changes:
            plan = plan_triggers(there, specs, owner=owner, adopt=adopt)
            moves_of(namespace, plan, specs, inputs)
            found.append(outlook(namespace, plan, inputs))
            raise OnlyLookingError

        names = await self._names(namespace, owner, specs)
        if not names:
            return Outlook(plan_triggers({}, specs, owner=owner), ())
        with suppress(OnlyLookingError):
            await self._triggers.change(namespace, names, look)
        return await self._blamed(namespace, found[-1])

    async def apply(
        self,
        namespace: str,
        owner: str,
        specs: Sequence[TriggerSpec],
        *,
        actor: Actor,
        note: str = "",
        adopt: bool = False,
        based_on: str | None = None,
    ) -> Outlook:
        """Make the owner's triggers exactly these; raises ConflictError, and StaleError if the plan has become another."""
        check_note(note)
        done: list[Outlook] = []

        def revise(there: Mapping[str, Trigger], inputs: Inputs) -> Changes:
            plan = plan_triggers(there, specs, owner=owner, adopt=adopt)
            plan.check(based_on)
            done.append(outlook(namespace, plan, inputs))
            if plan.is_empty and not any(item.drift for item in plan.items):
                raise OnlyLookingError
            gone = [removed(item.before, inputs) for item in plan.of(Act.REMOVE) if item.before is not None]
            entries = [] if plan.is_empty else [applied(namespace, plan, actor, note, inputs.now)]
            entries += [
                word(move.trigger, DELETE, actor, inputs.now, note=note, ledger=move.trigger.id) for move in gone
            ]
            return Changes(moves=moves_of(namespace, plan, specs, inputs), deletes=gone, entries=entries)

        names = await self._names(namespace, owner, specs)
        if not names:
            plan = plan_triggers({}, specs, owner=owner)
            plan.check(based_on)
            return Outlook(plan, ())
        with suppress(OnlyLookingError):
            await self._triggers.change(namespace, names, revise)
        return done[-1]

    async def _names(self, namespace: str, owner: str, specs: Sequence[TriggerSpec]) -> list[str]:
        """All that the plan is about: what is wanted, and what the owner has."""
        check_owner(owner)
        refuse_twice(specs)
        await self._checks.check(namespace, specs)
        names = {spec.name for spec in specs}
        after = ""
        while True:
            page = await self._store.triggers.list(
                TriggerFilter(namespace=namespace, owner=owner, after=after, limit=PAGE)
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
        entries = await self._store.audit.list(AuditFilter(namespace=namespace, kind="trigger", key=name))
        return next((each.actor.name for _, each in entries if each.act == "trigger.define"), "")


def moves_of(namespace: str, plan: Plan, specs: Sequence[TriggerSpec], inputs: Inputs) -> list[Move]:
    """Of those that are kept too: what was prepared for them is prepared again."""
    places = {spec.name: position for position, spec in enumerate(specs)}
    moves: list[Move] = []
    for item in plan.of(Act.ADD, Act.CHANGE, Act.KEEP):
        try:
            moves.append(move_of(namespace, item, plan.owner, inputs))
        except InvalidInputError as error:
            raise at_place(error, places[item.name], specs) from None
    return moves


def move_of(namespace: str, item: Planned, owner: str, inputs: Inputs) -> Move:
    before, after = item.before, item.after
    assert after is not None
    if before is not None and not item.changes:
        return edited(before, before.spec, inputs, owner=owner)
    check_ahead(after, now=inputs.now, calendar=inputs.calendar_for(namespace, after))
    return made(namespace, after, inputs, owner=owner) if before is None else edited(before, after, inputs, owner=owner)


def outlook(namespace: str, plan: Plan, inputs: Inputs) -> Outlook:
    items = [item for item in plan.items if item.act is not Act.KEEP]
    return Outlook(
        plan,
        [
            Shown(item, *coming(namespace, item, inputs)) if number < COMING_MAX else Shown(item)
            for number, item in enumerate(items)
        ],
    )


def coming(namespace: str, item: Planned, inputs: Inputs) -> tuple[tuple[datetime, ...], tuple[datetime, ...]]:
    """The next instants before and after; one that is paused has none."""
    before, after = item.before, item.after
    if before is None:
        return (), instants(namespace, after, inputs.now, inputs)
    if before.paused is not None:
        return (), ()
    was = instants(namespace, before.spec, before.created_at, inputs)
    return was, instants(namespace, after, before.created_at, inputs)


def instants(namespace: str, spec: TriggerSpec | None, created_at: datetime, inputs: Inputs) -> tuple[datetime, ...]:
    """Those of a fixed delay depend on runs, and are not known."""
    if spec is None or isinstance(spec.when, Delay):
        return ()
    timer = timer_of(spec, created_at=created_at, calendar=inputs.calendar_for(namespace, spec))
    at = inputs.now
    found: list[datetime] = []
    while len(found) < COMING and (following := timer.next(at)) is not None:
        found.append(following)
        at = following
    return tuple(found)


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
