"""Cases in which a trigger is fired, or what was prepared for it begins, while a caller changes it."""

from collections.abc import Mapping
from datetime import timedelta

import msgspec

from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.spec import Cron, TriggerSpec
from mainspring.domain.triggers.trigger import RecordedPause, Trigger, TriggerChanges, TriggerMove
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.stage import LATER, NAMESPACE, Facts

FAR = START + timedelta(days=1)


def new_trigger(facts: Facts) -> Trigger:
    """Due in a moment, and to be moved at once."""
    spec = TriggerSpec(name=facts.name, job=facts.name, when=Cron(expressions=("* * * * *",)))
    return Trigger(namespace=NAMESPACE, spec=spec, next_due=LATER, act_at=START, created_at=START, updated_at=START)


async def due(store: Store, facts: Facts) -> None:
    made = TriggerChanges(moves=[TriggerMove(trigger=new_trigger(facts))])
    await store.triggers.change(NAMESPACE, [facts.name], lambda _: made, now=START)


async def prepared(store: Store, facts: Facts) -> None:
    """Its run is there; to one server it is due, to another the instant lies ahead, for clocks differ."""
    await due(store, facts)
    await fire(store, facts)


async def fire(store: Store, facts: Facts) -> int:
    """Answers how many runs it made."""

    def decide(found: Trigger) -> TriggerMove:
        mine = found.name == facts.name
        after = msgspec.structs.replace(
            found, next_due=FAR, act_at=FAR, fired=found.fired + mine, last_fire_at=found.next_due
        )
        return TriggerMove(trigger=after, fires=[(found.next_due or START, facts.new_run())] if mine else [])

    moved = await store.triggers.fire(decide, now=START, limit=10)
    facts.runs += [run.id for run in moved.runs]
    return len(moved.runs)


async def pause(store: Store, facts: Facts) -> Trigger:
    """Answers with the trigger as the rule saw it: without what could be taken back."""
    told: list[Trigger] = []

    def revise(found: Mapping[str, Trigger]) -> TriggerChanges:
        told[:] = found.values()
        return TriggerChanges(
            moves=[
                TriggerMove(trigger=msgspec.structs.replace(each, paused=RecordedPause("", "", START), act_at=None))
                for each in told
            ]
        )

    await store.triggers.change(NAMESPACE, [facts.name], revise, now=START)
    entered = await store.triggers.fires(told[0].id, since=START, until=FAR, limit=10)
    facts.runs[:] = [one.run for one in entered]
    return told[0]


def fired_once(end: Ending) -> None:
    assert sorted([end.a, end.b]) == [0, 1]
    assert end.state is RunState.QUEUED


def taken_or_taken_back(end: Ending) -> None:
    """A claim under way wins: then the instant stays fired."""
    begun = bool(end.a)
    assert (end.b.next_due, end.b.fired) == ((FAR, 1) if begun else (LATER, 0))
    assert [run.state for run in end.runs] == [RunState.RUNNING] * begun


def cancelled_or_taken_back(end: Ending) -> None:
    kept = bool(end.a)
    assert (end.b.next_due, end.b.fired) == ((FAR, 1) if kept else (LATER, 0))
    assert [run.state for run in end.runs] == [RunState.CANCELLED] * kept


def nothing_is_left_to_begin(end: Ending) -> None:
    assert end.runs == []
    assert (end.b.next_due, end.b.fired) == (LATER, 0)


CASES = [
    Case("fire x fire", due, (fire, fire), fired_once),
    Case("fire x pause", due, (fire, pause), nothing_is_left_to_begin),
    Case("claim x pause", prepared, (acts.claim(), pause), taken_or_taken_back),
    Case("cancel x pause", prepared, (acts.cancel, pause), cancelled_or_taken_back),
]
