"""Cases in which past instants get their runs, and in which a caller asks how runs stand while one ends."""

import msgspec

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.bulk.backfill import Backfill, BackfillId, BackfillPiece, BackfillState, backfill_entry, over
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.endings import running
from proof.interleavings.fires import due, fire, new_trigger
from proof.interleavings.stage import LATER, NAMESPACE, Facts, ids


async def begun(store: Store, facts: Facts) -> None:
    """A trigger whose instant is due, and a backfill that wants the same one."""
    await due(store, facts)
    found = await store.triggers.get(NAMESPACE, facts.name)
    assert found is not None
    backfill = Backfill(
        id=BackfillId(ids.runs(1, START)[0]),
        namespace=NAMESPACE,
        trigger=found.id,
        spec=new_trigger(facts).spec,
        anchor=START,
        since=LATER,
        until=LATER,
        actor=SYSTEM,
        place=LATER,
        expected=1,
        created_at=START,
        moved_at=START,
    )
    entry = backfill_entry("backfill.create", backfill, actor=SYSTEM, now=START, reason="")
    await store.bulk.save(backfill, entry)


async def step(store: Store, facts: Facts) -> int:
    """Answers how many runs it made."""
    [backfill] = await store.bulk.list(Backfill, NAMESPACE, trigger=facts.name, before=None, limit=1)
    stepped = await store.bulk.step_backfill(
        msgspec.structs.replace(backfill, version=1), piece(), [facts.new_run()], now=START
    )
    made = [] if stepped is None else [run.id for run in stepped.made]
    facts.runs += made
    return len(made)


def piece() -> BackfillPiece:
    return BackfillPiece([LATER], 0, None)


async def end(store: Store, facts: Facts) -> bool:
    """Answers whether it was in time."""
    [backfill] = await store.bulk.list(Backfill, NAMESPACE, trigger=facts.name, before=None, limit=1)
    first = msgspec.structs.replace(backfill, version=1)
    return await store.bulk.save(over(first, BackfillState.CANCELLED, "", START))


async def ask(store: Store, facts: Facts) -> dict[RunId, RunState]:
    return await store.runs.states(facts.runs)


def made_once(end: Ending) -> None:
    assert sorted([end.a, end.b]) == [0, 1]
    assert end.state is RunState.QUEUED


def made_or_ended(end: Ending) -> None:
    assert (end.a, end.b) in ((1, False), (0, True))
    assert len(end.runs) == end.a


def nobody_is_missing(end: Ending) -> None:
    assert sorted(end.b) == sorted(end.facts.runs)


CASES = [
    Case("backfill x backfill", begun, (step, step), made_once),
    Case("backfill x fire", begun, (step, fire), made_once),
    Case("backfill x cancel", begun, (step, end), made_or_ended),
    Case("succeed x states", running, (acts.succeed, ask), nobody_is_missing),
]
