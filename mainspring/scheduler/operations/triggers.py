"""Triggers that people make, change, pause and take away, each under the lock of its row and with a word in the audit log."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Protocol

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.triggers.by_hand import FireByHand, passed_over
from mainspring.domain.triggers.checks import check_ahead
from mainspring.domain.triggers.inputs import Inputs, UnknownError
from mainspring.domain.triggers.revise import edited, made, next_skipped, paused, removed, resumed, unchanged
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import RecordedPause, Trigger, TriggerChanges, TriggerMove
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError, StaleError
from mainspring.scheduler.facts import Facts, TriggersChanged
from mainspring.scheduler.operations.jobs import check_note
from mainspring.scheduler.operations.queues import check_reason
from mainspring.scheduler.operations.trigger_queries import DELETE, TriggerQueries
from mainspring.scheduler.triggers.attendance import AttendInstants
from mainspring.scheduler.triggers.check_triggers import SLICE, CheckTriggers, at_place
from mainspring.scheduler.triggers.inputs import CalendarSource, TriggerInputs
from mainspring.store.aside import ROW_UNREADABLE
from mainspring.store.interface import Store

NAMED_MAX = 20
"""Names in the audit entry of a change of many."""
ROUNDS = 100

Fire = Callable[[Trigger, Actor], Awaitable[RunId]]
"""Make a run as a trigger would."""
Edit = Callable[[Trigger, Inputs], TriggerMove]


class Revision(Protocol):
    """A change of triggers, given those that are there."""

    def __call__(self, there: Mapping[str, Trigger], inputs: Inputs) -> TriggerChanges: ...


class TriggerOperations(TriggerQueries):
    """A changed trigger is fired by this server; other servers find it by their polls."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        inputs: TriggerInputs,
        checks: CheckTriggers,
        calendars: CalendarSource,
        fire: Fire,
        attending: AttendInstants,
        facts: Facts,
        *,
        retention_days: int,
    ) -> None:
        super().__init__(store, clock, calendars, retention_days=retention_days)
        self._inputs = inputs
        self._checks = checks
        self._fire = fire
        self._attending = attending
        self._facts = facts

    async def define(
        self,
        namespace: str,
        specs: Sequence[TriggerSpec],
        *,
        actor: Actor,
        note: str = "",
        match: int | None = None,
        create: bool = False,
    ) -> list[Trigger]:
        """Make triggers, or give those that are there these definitions: all or none; also thousands.

        `match`: they must be at this revision; `create`: none of them may be there. Raises InvalidInputError (its field
        prefixed `triggers[i].` when several), NotFoundError for an unknown job or calendar, ConflictError, StaleError.
        """
        check_note(note)
        await self._checks.check(namespace, specs)
        fresh = await self._premake(namespace, specs)
        order = sorted(range(len(specs)), key=lambda position: specs[position].name)

        def moves(there: Mapping[str, Trigger], inputs: Inputs) -> Iterator[TriggerMove]:
            for position in order:
                spec = specs[position]
                present = there.get(spec.name)
                refuse_unexpected(spec.name, present, match=match, create=create)
                new = fresh.get(spec.name) if present is None else None
                try:
                    yield new or given(namespace, present, spec, inputs)
                except InvalidInputError as error:
                    raise at_place(error, position, specs) from None

        def revise(there: Mapping[str, Trigger], inputs: Inputs) -> TriggerChanges:
            return TriggerChanges(
                moves=moves(there, inputs), entries=[defined(namespace, specs, there, actor, note, inputs.now)]
            )

        found = {each.name: each for each in await self.change(namespace, [one.name for one in specs], revise)}
        return [found[spec.name] for spec in specs]

    async def _premake(self, namespace: str, specs: Sequence[TriggerSpec]) -> dict[str, TriggerMove]:
        """Triggers as they are if they are new, made before anything is locked, with a breath between some."""
        inputs = self._inputs.at(self._clock.now())
        moves: dict[str, TriggerMove] = {}
        for position, spec in enumerate(specs):
            try:
                moves[spec.name] = given(namespace, None, spec, inputs)
            except (InvalidInputError, UnknownError):
                # Only if it is new does it matter.
                continue
            if position % SLICE == SLICE - 1:
                await self._clock.sleep(0)
        return moves

    async def delete(
        self, namespace: str, name: str, *, actor: Actor, reason: str = "", match: int | None = None
    ) -> None:
        """Take a trigger away with what was prepared for it; runs that were due stay, and what was due without one is
        skipped."""
        check_note(reason)

        def revise(there: Mapping[str, Trigger], inputs: Inputs) -> TriggerChanges:
            trigger = present(there, name)
            refuse_unexpected(name, trigger, match=match)
            move = removed(trigger, inputs)
            skipped = move.skips[:NAMED_MAX]
            entry = word(trigger, DELETE, actor, inputs.now, note=reason, skipped=skipped, ledger=trigger.id)
            return TriggerChanges(deletes=[move], entries=[entry])

        try:
            await self.change(namespace, [name], revise)
        except ConflictError as error:
            if error.code != ROW_UNREADABLE or match is not None:
                raise
            await self._discard(namespace, name, actor, reason)

    async def _discard(self, namespace: str, name: str, actor: Actor, reason: str) -> None:
        """Delete a trigger whose row cannot be read."""
        now = self._clock.now()

        def entry(trigger: int) -> AuditEntry:
            said = {"note": reason} if reason else {}
            details = msgspec.json.encode(said | {"unreadable": True, "ledger": trigger})
            return entry_of(namespace, name, DELETE, actor, now, details)

        if not await self._store.triggers.discard(namespace, name, entry, now=now):
            raise NotFoundError("trigger", name)
        self._facts.publish(TriggersChanged(namespace, 1))

    async def pause(self, namespace: str, name: str, *, reason: str = "", actor: Actor) -> Trigger:
        """Fire at nothing from now on. One that is paused stays so, for the reason that it is."""
        check_reason(reason)

        def edit(trigger: Trigger, inputs: Inputs) -> TriggerMove:
            return paused(trigger, RecordedPause(reason, actor.name, inputs.now), inputs)

        return await self._steer(
            namespace,
            name,
            edit,
            "trigger.pause",
            actor,
            unless=lambda trigger: trigger.paused is not None,
            reason=reason,
        )

    async def resume(self, namespace: str, name: str, *, actor: Actor) -> Trigger:
        """End a pause; the fire times meanwhile are skipped."""
        return await self._steer(
            namespace, name, resumed, "trigger.resume", actor, unless=lambda trigger: trigger.paused is None
        )

    async def skip_next(self, namespace: str, name: str, *, actor: Actor) -> tuple[Trigger, datetime]:
        """Leave out the instant that comes next, and say which; raises ConflictError if none is known."""
        skipped: list[datetime] = []

        def revise(there: Mapping[str, Trigger], inputs: Inputs) -> TriggerChanges:
            trigger = present(there, name)
            move, instant = next_skipped(trigger, inputs)
            skipped.append(instant)
            entry = word(trigger, "trigger.skip", actor, inputs.now, instant=instant)
            return TriggerChanges(moves=[move], entries=[entry])

        [trigger] = await self.change(namespace, [name], revise)
        return trigger, skipped[-1]

    async def fire_now(self, namespace: str, name: str, *, actor: Actor) -> FireByHand:
        """Start a run as the trigger would, beside its fire times; its policies do not apply."""
        trigger = await self.get(namespace, name)
        seen, now = await self.as_seen(trigger), self._clock.now()
        ignored = passed_over(seen, self._calendars.of(namespace, trigger.spec.calendar), now)
        run = await self._fire(trigger, actor)
        entry = word(trigger, "trigger.fire", actor, now, run=id_text(run), passed_over=ignored)
        await self._store.access.append_audit(entry)
        return FireByHand(run, ignored)

    async def _steer(
        self,
        namespace: str,
        name: str,
        edit: Edit,
        act: str,
        actor: Actor,
        *,
        unless: Callable[[Trigger], bool],
        **details: object,
    ) -> Trigger:
        """Move one trigger; one that is so already only gets its withdrawn fires back."""

        def revise(there: Mapping[str, Trigger], inputs: Inputs) -> TriggerChanges:
            trigger = present(there, name)
            if unless(trigger):
                return TriggerChanges(moves=[unchanged(trigger, inputs)])
            return TriggerChanges(
                moves=[edit(trigger, inputs)], entries=[word(trigger, act, actor, inputs.now, **details)]
            )

        [trigger] = await self.change(namespace, [name], revise)
        return trigger

    async def change(self, namespace: str, names: Sequence[str], revise: Revision) -> list[Trigger]:
        for _ in range(ROUNDS):
            await self._attending.be_sure()
            now = self._clock.now()
            inputs = self._inputs.at(now)
            try:
                moved = await self._store.triggers.change(namespace, names, partial(revise, inputs=inputs), now=now)
            except UnknownError as lack:
                await self._inputs.learn([lack])
            else:
                self._facts.publish(TriggersChanged(namespace, len(names)))
                return moved
        raise ConflictError("trigger", names[0], "names more queues that were never used than are made at once")


def given(namespace: str, present: Trigger | None, spec: TriggerSpec, inputs: Inputs) -> TriggerMove:
    """A trigger with this definition; one that stays as it is may have nothing to come."""
    move = made(namespace, spec, inputs) if present is None else edited(present, spec, inputs)
    if move.trigger.next_due is None and (present is None or present.spec != spec):
        check_ahead(spec, now=inputs.now, calendar=inputs.calendar_for(namespace, spec))
    return move


def present(there: Mapping[str, Trigger], name: str) -> Trigger:
    if name not in there:
        raise NotFoundError("trigger", name)
    return there[name]


def refuse_unexpected(name: str, trigger: Trigger | None, *, match: int | None, create: bool = False) -> None:
    if create and trigger is not None:
        raise ConflictError("trigger", name, "is there already")
    if match is None:
        return
    if trigger is None:
        raise NotFoundError("trigger", name)
    if trigger.revision != match:
        raise StaleError("trigger", name, f"is at revision {trigger.revision} by now: look at it, and try again")


def defined(
    namespace: str, specs: Sequence[TriggerSpec], there: Mapping[str, Trigger], actor: Actor, note: str, now: datetime
) -> AuditEntry:
    """One entry, however many they are."""
    details: dict[str, object] = {"note": note} if note else {}
    if len(specs) == 1:
        [spec] = specs
        before = there.get(spec.name)
        details |= {"before": before and before.spec, "after": spec}
        return entry_of(namespace, spec.name, "trigger.define", actor, now, msgspec.json.encode(details))
    details |= {"count": len(specs), "new": len(specs) - len(there), "names": [one.name for one in specs[:NAMED_MAX]]}
    return entry_of(namespace, f"{len(specs)} triggers", "trigger.define", actor, now, msgspec.json.encode(details))


def word(trigger: Trigger, act: str, actor: Actor, now: datetime, **details: object) -> AuditEntry:
    said = {name: value for name, value in details.items() if value}
    return entry_of(trigger.namespace, trigger.name, act, actor, now, msgspec.json.encode(said))


def entry_of(namespace: str, key: str, act: str, actor: Actor, now: datetime, details: bytes) -> AuditEntry:
    return AuditEntry(at=now, actor=actor, namespace=namespace, act=act, kind="trigger", key=key, details=details)
