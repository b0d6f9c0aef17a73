"""Triggers to test with, and rules that stand in for the scheduler's: as small as a rule can be."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.runs.run import NewRun
from mainspring.domain.triggers.spec import Cron, TriggerSpec
from mainspring.domain.triggers.trigger import Decide, Fire, MovedTriggers, Trigger, TriggerChanges, TriggerMove
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, new_run
from tests.store.scene import Scene
from tests.words import MINUTE, SECOND

FIRST = START + MINUTE
"""The first instant of each trigger here."""
AHEAD = START + 40 * SECOND
"""Late enough to prepare it, and before it comes."""


def trigger(name: str = "tick", **changed: object) -> Trigger:
    """A new one, due every minute and prepared half a minute ahead."""
    spec = TriggerSpec(name=name, job="report", when=Cron(expressions=("* * * * *",)))
    sample = Trigger(
        namespace=NAMESPACE, spec=spec, next_due=FIRST, act_at=START + 30 * SECOND, created_at=START, updated_at=START
    )
    of_spec = {key: changed.pop(key) for key in list(changed) if key in TriggerSpec.__struct_fields__}
    spec = msgspec.structs.replace(spec, **of_spec)
    return msgspec.structs.replace(sample, spec=spec, **changed)


def moves(*triggers: Trigger) -> Callable[[Mapping[str, Trigger]], TriggerChanges]:
    """Have them be so, whatever is there."""
    return lambda _: TriggerChanges(moves=[TriggerMove(trigger=each) for each in triggers])


async def add(scene: Scene, *triggers: Trigger) -> list[Trigger]:
    names = [each.name for each in triggers]
    return await scene.store.triggers.change(NAMESPACE, names, moves(*triggers), now=START)


async def get(scene: Scene, name: str = "tick") -> Trigger:
    found = await scene.store.triggers.get(NAMESPACE, name)
    assert found is not None
    return found


def run_of(scene: Scene, at: datetime, **changed: object) -> NewRun:
    return msgspec.structs.replace(new_run(scene.job.id, scene.line, due_at=at), **changed)


def every_minute(scene: Scene, **changed: object) -> Decide:
    """Fire at the next instant, and be due a minute later."""

    def decide(found: Trigger) -> TriggerMove:
        assert found.next_due is not None
        return fired(found, [found.next_due], scene, **changed)

    return decide


def fired(found: Trigger, instants: Sequence[datetime], scene: Scene, **changed: object) -> TriggerMove:
    due = instants[-1] + MINUTE
    after = msgspec.structs.replace(
        found, next_due=due, act_at=due - 30 * SECOND, fired=found.fired + len(instants), last_fire_at=instants[-1]
    )
    return TriggerMove(trigger=after, fires=[(at, run_of(scene, at, **changed)) for at in instants])


async def fire(scene: Scene, decide: Decide | None = None, *, now: datetime = AHEAD, limit: int = 100) -> MovedTriggers:
    return await scene.store.triggers.fire(decide or every_minute(scene), now=now, limit=limit)


async def fires(scene: Scene, found: Trigger) -> list[Fire]:
    store = scene.store.triggers
    return await store.fires(found.id, since=START - MINUTE, until=START + 60 * MINUTE, limit=1000)
