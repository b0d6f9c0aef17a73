"""A calendar as people write it down: the days that do not count, and the times at which nothing is started."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.errors import ConflictError

USERS_NAMED = 3
"""Of the triggers that use a calendar, when it is to be deleted."""


class Holidays(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Public holidays of a country, or the days on which a market is closed; one of the two is named."""

    country: str = ""
    """By its ISO code, such as `DE`;"""
    subdivision: str = ""
    """with a part of it, such as `BY`, the holidays of that part too."""
    market: str = ""
    """By its code, such as `XNYS` or `XECB`."""


class Blackout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """From one instant until before another."""

    since: datetime
    until: datetime
    name: str = ""


class DailyBlackout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A window of each day, or of some weekdays; its ends are written `22:00` or `22:00:30`."""

    opens: str
    closes: str
    """If not later than it opens: on the day behind."""
    zone: str = "UTC"
    weekdays: tuple[str, ...] = ()
    """On which it opens, such as `mon`; empty: on every day."""
    name: str = ""


class CalendarSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A whole calendar."""

    name: str
    description: str = ""
    zone: str = ""
    """Whose midnight ends its days; empty: that of the trigger, which is UTC if it has none."""
    weekdays: tuple[str, ...] = ()
    """That do not count, such as `sat`."""
    holidays: tuple[Holidays, ...] = ()
    dates: dict[str, str] = {}
    """Days that do not count, with their names: `2026-12-24`, or `12-24` for that day of each year."""
    counted: tuple[str, ...] = ()
    """Days that count whatever else is said, such as `2026-12-19`."""
    blackouts: tuple[Blackout, ...] = ()
    daily_blackouts: tuple[DailyBlackout, ...] = ()


class Computed(msgspec.Struct, frozen=True, omit_defaults=True):
    """The holidays of some years, as they were found when the calendar was saved.

    They are kept with it, so that all servers leave out the same days, and another release of the package that knows them
    changes nothing by itself.
    """

    since: int = 0
    until: int = -1
    """The last year."""
    days: Mapping[str, str] = {}
    """Names by day."""


class CalendarVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A calendar as it is stored, at one of its versions."""

    namespace: str
    version: int
    spec: CalendarSpec
    computed: Computed = Computed()
    author: str
    note: str = ""
    at: datetime
    owner: str = ""
    """Whose set of definitions the calendar belongs to; empty: it was made by hand."""
    applied: int = 0
    """The version that the owner applied last."""

    @property
    def name(self) -> str:
        return self.spec.name


class CalendarDraft(msgspec.Struct, frozen=True):
    """A calendar's definition."""

    spec: CalendarSpec
    computed: Computed = Computed()


ReviseCalendar = Callable[[CalendarVersion | None], CalendarDraft]
"""The rule for what people want of a calendar, given its present version; it may raise."""
ApproveCalendar = Callable[[CalendarVersion | None], object]
"""Raises if the calendar may not be taken away."""


def next_version(
    namespace: str,
    last: int,
    draft: CalendarDraft,
    present: CalendarVersion | None,
    *,
    author: str,
    note: str,
    at: datetime,
) -> CalendarVersion:
    """The version that a draft becomes; whose it is does not change by an edit."""
    return CalendarVersion(
        namespace=namespace,
        version=last + 1,
        spec=draft.spec,
        computed=draft.computed,
        author=author,
        note=note,
        at=at,
        owner="" if present is None else present.owner,
        applied=0 if present is None else present.applied,
    )


def calendar_entry(
    namespace: str, name: str, act: str, version: int, actor: Actor, note: str, at: datetime
) -> AuditEntry:
    details = {"version": version, "note": note} if note else {"version": version}
    return audit_entry(act, "calendar", name, details, namespace=namespace, actor=actor, at=at)


def refuse_used(name: str, users: Sequence[str], kind: str = "trigger") -> None:
    """A calendar is not taken from under triggers, queues and jobs; some of them are named."""
    if users:
        named = ", ".join(map(repr, users[:USERS_NAMED]))
        others = " and others" if len(users) > USERS_NAMED else ""
        reason = f"is used by {kind} {named}{others}: give such {kind}s another one, or none, first"
        raise ConflictError("calendar", name, reason, code="calendar_used")
