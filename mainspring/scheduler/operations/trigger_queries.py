"""Queries of triggers: their definitions, past fires and fires to come."""

from datetime import datetime
from operator import itemgetter

import msgspec

from mainspring.clock import Clock
from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.triggers.checks import check_form
from mainspring.domain.triggers.fire_times.build_timer import excluding, own_zone, timer_of
from mainspring.domain.triggers.fire_times.expected import (
    Instant,
    InstantRange,
    Ledger,
    compare,
    kept_since,
    remembered,
    with_backfills,
)
from mainspring.domain.triggers.fire_times.herd import Ruled
from mainspring.domain.triggers.fire_times.preview import Previewed, preview, with_lateness
from mainspring.domain.triggers.fire_times.timers import TICK, Timer
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.years import END
from mainspring.errors import NotFoundError
from mainspring.scheduler.triggers.inputs import CalendarSource
from mainspring.store.interface import AuditFilter, Store
from mainspring.store.interface.triggers import TriggerFilter

DELETE = "trigger.delete"
MADE_MAX = 10_000
"""Runs of backfills among which those of a page of instants are looked for."""
UPCOMING_LOOK = 100
"""Triggers that are looked at for those that fire next."""
PAGE_LOOK = 30_000
"""Triggers that are looked at for one page of those that no index finds: some hundredths of a second."""
AHEAD_MAX = 10_000
"""Fires that may be prepared for one trigger."""


class Deleted(msgspec.Struct, frozen=True):
    """A deleted trigger, as the audit log keeps it."""

    ledger: int = 0


class TriggerQueries:
    """Reads only."""

    def __init__(self, store: Store, clock: Clock, calendars: CalendarSource, *, retention_days: int) -> None:
        self._store = store
        self._clock = clock
        self._calendars = calendars
        self._retention_days = retention_days

    async def get(self, namespace: str, name: str) -> Trigger:
        """Raises NotFoundError."""
        trigger = await self._store.triggers.get(namespace, name)
        if trigger is None:
            raise NotFoundError("trigger", name)
        return trigger

    async def as_seen(self, trigger: Trigger) -> Trigger:
        """As operators see it: a prepared fire has not come yet. Its last fire is None if the ledger does not know it."""
        now, last = self._clock.now(), trigger.last_fire_at
        if last is None or last <= now:
            return trigger
        ahead = await self._store.triggers.fires(trigger.id, since=now + TICK, until=last + TICK, limit=AHEAD_MAX)
        if not ahead:
            return trigger
        before = self.timer(trigger).previous(ahead[0].fire_at)
        came = before and await self._store.triggers.fires(trigger.id, since=before, until=before + TICK, limit=1)
        return msgspec.structs.replace(
            trigger,
            next_due=ahead[0].fire_at,
            fired=trigger.fired - len(ahead),
            last_fire_at=before if came else None,
        )

    async def preview(self, namespace: str, spec: TriggerSpec, *, after: datetime, count: int) -> list[Previewed]:
        """The next instants of a rule, saved or not, without those to be skipped; of a fixed delay, only the first is known."""
        check_form(spec)
        stored = await self._store.triggers.get(namespace, spec.name)
        if stored is not None and stored.spec == spec:
            timer = self.timer(stored)
        else:
            timer = timer_of(spec, created_at=after, calendar=self._calendar(namespace, spec))
        return with_lateness(preview(timer, own_zone(spec), after=after, count=count), namespace, spec)

    async def instants(
        self, namespace: str, name: str, *, since: datetime, until: datetime, limit: int, shown: datetime | None = None
    ) -> list[Instant]:
        """Every instant of a range and what became of it, or those behind what was shown; what is older than the ledger is
        left out."""
        trigger = await self._store.triggers.get(namespace, name)
        number = await self._deleted(namespace, name) if trigger is None else trigger.id
        now = self._clock.now()
        wanted = InstantRange(max(since, kept_since(now, self._retention_days)), until, limit, shown)
        begin = wanted.begin
        if until <= begin:
            return []
        fires = await self._store.triggers.fires(number, since=begin, until=until, limit=limit)
        skips = await self._store.triggers.skips(number, since=begin, until=until, limit=limit)
        ends = [until]
        if len(fires) == limit:
            ends.append(fires[-1].fire_at + TICK)
        if len(skips) == limit:
            ends.append(skips[-1].last + TICK)
        # A reason that is about one instant says more of it than one about a whole range.
        skips.sort(key=lambda span: span.first - span.last)
        wanted = msgspec.structs.replace(wanted, until=min(ends))
        if trigger is None:
            found = remembered(Ledger(fires, skips), wanted)
        else:
            ledger = Ledger(fires, skips, await self._calendar_since(trigger))
            found = compare(trigger, self.timer(trigger), ledger, wanted, now)
        made = await self._store.bulk.fires_of(number, since=begin, until=min(ends), limit=MADE_MAX)
        return with_backfills(found, made)

    async def _deleted(self, namespace: str, name: str) -> int:
        """Under which number the ledger knows the trigger of that name that was deleted last; raises NotFoundError."""
        since = kept_since(self._clock.now(), self._retention_days)
        query = AuditFilter(namespace=namespace, kind="trigger", key=name, since=since)
        for _, entry in await self._store.access.audit(query):
            details = msgspec.json.decode(entry.details, type=Deleted) if entry.act == DELETE else Deleted()
            if details.ledger:
                return details.ledger
        raise NotFoundError("trigger", name)

    async def _calendar_since(self, trigger: Trigger) -> datetime | None:
        """When its calendar was changed last."""
        name = trigger.spec.calendar
        version = await self._store.calendars.get(trigger.namespace, name) if name else None
        return None if version is None else version.at

    async def rules(self, namespace: str, *, after: int, limit: int) -> "list[Ruled]":
        """Active timed triggers behind an id, each with its calendar."""
        found = await self._store.triggers.rules(namespace, after=after, limit=limit)
        return [self.ruled(trigger) for trigger in found]

    def ruled(self, trigger: Trigger) -> Ruled:
        """Raises NotFoundError if its calendar is not there."""
        return trigger, self._calendar(trigger.namespace, trigger.spec)

    def timer(self, trigger: Trigger) -> Timer:
        """Raises NotFoundError if its calendar is not there."""
        calendar = self._calendar(trigger.namespace, trigger.spec)
        return excluding(timer_of(trigger.spec, created_at=trigger.created_at, calendar=calendar), trigger.asked)

    def _calendar(self, namespace: str, spec: TriggerSpec) -> Calendar | None:
        """Raises NotFoundError."""
        if not spec.calendar:
            return None
        calendar = self._calendars.of(namespace, spec.calendar)
        if calendar is None:
            raise NotFoundError("calendar", spec.calendar)
        return calendar

    async def upcoming(self, namespace: str, *, limit: int) -> "list[Trigger]":
        """The active triggers of a namespace that fire next, as far as a bounded look finds them."""
        # By the index that firing uses; where other namespaces fill it, the first by name stand in.
        acting = await self._store.triggers.overdue(before=END, limit=UPCOMING_LOOK)
        own = [trigger for trigger in acting if trigger.namespace == namespace]
        if len(own) < limit and len(acting) == UPCOMING_LOOK:
            own = await self.list(TriggerFilter(namespace=namespace, limit=UPCOMING_LOOK))
        found = [(trigger.next_due, trigger) for trigger in own if trigger.next_due and trigger.paused is None]
        return [trigger for _, trigger in sorted(found, key=itemgetter(0))[:limit]]

    async def page(self, query: TriggerFilter) -> "tuple[list[Trigger], str | None]":
        """A page of triggers by name, and the name to go on after: a page may be short, or empty, and yet not the last."""
        reach = await self._store.triggers.reach(query, look=PAGE_LOOK) if query.sifts else None
        found = await self.list(query if reach is None else msgspec.structs.replace(query, until=reach))
        return found, found[-1].name if len(found) == query.limit else reach

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: TriggerFilter) -> list[Trigger]:
        """A page of triggers by name."""
        return await self._store.triggers.list(query)
