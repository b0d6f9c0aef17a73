"""Triggers that start runs at one time: which they are, and how to spread them."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.triggers.checks import check_form
from mainspring.domain.triggers.fire_times.herd import Herd, Member, members, tally
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.spec import NO_SPREAD, TriggerSpec
from mainspring.domain.triggers.trigger import Trigger, TriggerChanges
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError
from mainspring.scheduler.off_loop import off_loop
from mainspring.scheduler.operations.jobs import check_note
from mainspring.scheduler.operations.triggers import TriggerOperations, defined, given, present

STEPS = 40
PAGE = 100
"""Triggers that are read before others go on."""
TRIGGERS_MAX = 200_000
"""Triggers that are looked at in all, and for how many seconds: behind them the answer is not complete."""
SECONDS_MAX = 5.0
LEAST = timedelta(seconds=1)


class SpreadChange(msgspec.Struct, frozen=True, kw_only=True):
    """Runs of the triggers by steps of time, as they are and as they will be."""

    since: datetime
    step: timedelta
    before: tuple[int, ...]
    after: tuple[int, ...]
    was: list[Trigger]


async def find_herd(triggers: TriggerOperations, clock: Clock, namespace: str, at: datetime, step: timedelta) -> Herd:
    """The triggers whose runs are due in one step of a forecast."""
    until, after, seen, complete = clock.monotonic() + SECONDS_MAX, 0, 0, True
    found: list[Member] = []
    while complete and (page := await triggers.rules(namespace, after=after, limit=PAGE)):
        part = await off_loop(members(page, at, at + step), clock, until=until)
        found += part or ()
        after, seen = page[-1][0].id, seen + len(page)
        complete = part is not None and seen < TRIGGERS_MAX
    found.sort(key=lambda one: (-one.runs, one.trigger.name))
    return Herd(found, complete)


async def look_at_spread(
    triggers: TriggerOperations,
    clock: Clock,
    namespace: str,
    names: Sequence[str],
    over: float,
    group: str,
    at: datetime,
) -> SpreadChange:
    """What the spread makes of the triggers behind an instant; nothing is changed. Raises NotFoundError, InvalidInputError."""
    check_years(at, "at", code="bad_at")
    was = [await triggers.get(namespace, name) for name in names]
    now = [triggers.ruled(msgspec.structs.replace(one, spec=spread_out(one.spec, over, group))) for one in was]
    reach = max([over, *(one.spec.spread for one in was)])
    step = max(LEAST, timedelta(seconds=-(-int(reach * 1.2) // STEPS)))
    before = await off_loop(tally([triggers.ruled(one) for one in was], at, step, STEPS), clock)
    after = await off_loop(tally(now, at, step, STEPS), clock)
    return SpreadChange(since=at, step=step, before=before or (), after=after or (), was=was)


async def spread_triggers(
    triggers: TriggerOperations, namespace: str, names: Sequence[str], over: float, group: str, actor: Actor, note: str
) -> list[Trigger]:
    """Give the triggers a spread, all or none, and whatever else of them was changed meanwhile stays."""
    check_note(note)

    def revise(there: Mapping[str, Trigger], inputs: Inputs) -> TriggerChanges:
        found = [present(there, name) for name in sorted(names)]
        specs = [spread_out(one.spec, over, group) for one in found]
        moves = (given(namespace, one, spec, inputs) for one, spec in zip(found, specs, strict=True))
        return TriggerChanges(moves=moves, entries=[defined(namespace, specs, there, actor, note, inputs.now)])

    return await triggers.change(namespace, names, revise)


def spread_out(spec: TriggerSpec, over: float, group: str) -> TriggerSpec:
    changed = msgspec.structs.replace(spec, spread=over or NO_SPREAD, group=group or spec.group)
    try:
        check_form(changed)
    except InvalidInputError as error:
        raise InvalidInputError("over", f"{spec.name}: {error}", code="bad_spread") from None
    return changed
