"""Triggers, and the ledger of their instants."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.triggers.fire_times.misfires import Span
from mainspring.domain.triggers.trigger import (
    Decide,
    EntryOf,
    Fire,
    Follow,
    MovedTriggers,
    Revise,
    Trigger,
    TriggerState,
)

CALLED_KINDS = ("webhook", "event")


class TriggerFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which triggers to list, by name; `after` is the last one on the page before."""

    namespace: str
    prefix: str = ""
    job: str | None = None
    kind: str | None = None
    state: TriggerState | None = None
    owner: str | None = None
    calendar: str | None = None
    group: str | None = None
    after: str = ""
    until: str | None = None
    """The last name to look at."""
    limit: int = 50

    @property
    def led(self) -> "TriggerFilter":
        """What one index answers of it, in the order of names."""
        whole = TriggerFilter(namespace=self.namespace, prefix=self.prefix, after=self.after)
        if self.kind in CALLED_KINDS:
            return msgspec.structs.replace(whole, kind=self.kind)
        for name in ("calendar", "group", "owner"):
            if wanted := getattr(self, name):
                return msgspec.structs.replace(whole, **{name: wanted})
        if self.state is TriggerState.PAUSED:
            return msgspec.structs.replace(whole, state=self.state)
        return msgspec.structs.replace(whole, job=self.job)

    @property
    def sifts(self) -> bool:
        """Whether more is asked: rows are read that are not on the page."""
        return self.led != msgspec.structs.replace(self, until=None, limit=self.led.limit)


class TriggerStore(Protocol):
    """Every change locks the rows of its triggers first. An instant is in the ledger at most once, for ever."""

    async def change(self, namespace: str, names: Sequence[str], revise: Revise, *, now: datetime) -> list[Trigger]:
        """Apply the changes that `revise` makes to these triggers, all or none; return the triggers it moved, as they now are.

        With their rows locked (in the order of names; names not in use are kept from being made by others until the
        end), withdraws what was prepared: runs of theirs that have not started and whose instants lie ahead go with their
        entries in the ledger, `next_due` is the first of these instants again, and `fired` is what it was before them. What
        `revise` raises is raised, and nothing is changed. Thousands of new triggers in one call cost little each.
        """

    async def discard(self, namespace: str, name: str, entry: EntryOf, *, now: datetime) -> bool:
        """Delete a trigger whose row cannot be read, with the runs prepared for it that no executor has begun, and append the
        audit entry for its id; False if there is no trigger of that name."""

    async def fire(self, decide: Decide, *, now: datetime, limit: int) -> MovedTriggers:
        """Lock the triggers whose time to move has come, the most urgent first, skipping those that others have locked; move
        each as `decide` says."""

    async def follow(self, decide: Follow, *, now: datetime, limit: int) -> MovedTriggers:
        """The same for triggers of whose pending runs some have ended. Where very many wait, a call looks at some of them,
        and the next call at those behind."""

    async def put_off(self, triggers: Sequence[int], *, until: datetime) -> None:
        """Have these looked at again then, and not before: they could not be moved."""

    async def pending(self, *, limit: int) -> list[bytes]:
        """Ids of runs whose ends triggers wait for, so that a server notices those that end with it."""

    async def next_act(self) -> datetime | None:
        """When the first trigger is to be moved."""

    async def overdue(self, *, before: datetime, limit: int) -> list[Trigger]:
        """Active triggers that should have been moved by then, and were not."""

    async def touch(self, namespace: str, *, calendar: str, now: datetime) -> int:
        """Have all triggers with that calendar looked at again now; return how many. `fire` withdraws what was prepared for
        them before it asks `decide`."""

    async def attended(self) -> datetime | None:
        """When a server said last that it is there."""

    async def attend(self, *, before: datetime | None, now: datetime) -> bool:
        """Say that a server is there now, if `before` is still when that was said last."""

    async def recall(self, *, since: datetime, now: datetime, after: int, limit: int) -> int | None:
        """Withdraw what was made ahead of instants after `since` and has not begun, so that `fire` decides about these
        instants by the triggers' policies; nothing, if a server has said since that it is there.

        Looks at so many triggers behind the id given, and returns the id of the last; None: there are no more.
        """

    async def count(self, fires: Mapping[int, int], *, now: datetime) -> None:
        """Count fires of triggers that others call, whose runs were accepted as any other."""

    async def get(self, namespace: str, name: str) -> Trigger | None: ...

    async def fires(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[Fire]:
        """Instants with a run, from `since` to before `until`, oldest first; prepared ones too."""

    async def skips(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[Span]:
        """Spans without one that touch that range, oldest first."""

    async def rules(self, namespace: str | None, *, after: int, limit: int) -> list[Trigger]:
        """Active timed triggers in the order of their ids, after the one given, for a forecast."""

    async def newest(self) -> int:
        """The highest id; 0: there are none."""

    async def reach(self, query: TriggerFilter, *, look: int) -> str | None:
        """The name of the last of so many triggers that a page would look at; None if there are fewer."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: TriggerFilter) -> list[Trigger]:
        """A page of triggers in the order of their names."""
