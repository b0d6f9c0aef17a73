"""What a trigger is once fires that were prepared for it are taken back, or turn out to have been fired before."""

from collections.abc import Collection, Iterable
from datetime import datetime

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.triggers.trigger import Move, Trigger


def has_prepared(trigger: Trigger, now: datetime) -> bool:
    """Whether an instant ahead may have a run."""
    return trigger.last_fire_at is not None and trigger.last_fire_at > now


def turned_back(
    trigger: Trigger, instants: Collection[datetime], *, runs: Collection[RunId], last: datetime | None, now: datetime
) -> Trigger:
    """A trigger of which these instants, with these runs among others, count as not fired; `last` is the latest that does."""
    first = min(instants)
    return msgspec.structs.replace(
        trigger,
        next_due=first if trigger.next_due is None else min(first, trigger.next_due),
        # Whoever moves it next finds it at once; a rule that moves it now says better.
        act_at=None if trigger.paused else now,
        fired=trigger.fired - len(instants),
        last_fire_at=last,
        pending=tuple(run for run in trigger.pending if run not in runs),
    )


def without(move: Move, lost: Collection[RunId]) -> Trigger:
    """The trigger of a move of whose fires some had been fired before, and got no run now."""
    fewer = sum(run.id in lost for _, run in move.fires)
    if not fewer:
        return move.trigger
    pending = tuple(run for run in move.trigger.pending if run not in lost)
    return msgspec.structs.replace(move.trigger, fired=move.trigger.fired - fewer, pending=pending)


def by_trigger(pairs: Iterable[tuple[int, datetime]]) -> dict[int, list[datetime]]:
    instants: dict[int, list[datetime]] = {}
    for trigger, at in pairs:
        instants.setdefault(trigger, []).append(at)
    return instants


def pausing(trigger: Trigger, move: Move) -> bool:
    """Whether it stands still from now on: then nothing that was prepared for it may begin."""
    return move.trigger.paused is not None and trigger.paused is None
