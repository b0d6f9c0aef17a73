"""Expected against actual: the rule's instants beside the ledger's entries."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from mainspring.domain.bulk.backfill import BackfillFire, BackfillId
from mainspring.domain.ids import RunId
from mainspring.domain.triggers.fire_times.build_timer import bounded, plain_timer
from mainspring.domain.triggers.fire_times.misfires import LATE, SkipReason, Span
from mainspring.domain.triggers.fire_times.timers import TICK, Timer
from mainspring.domain.triggers.trigger import Fire, Trigger


class InstantState(StrEnum):
    """The state of an instant, past or future."""

    FIRED = "fired"
    SKIPPED = "skipped"
    PREPARED = "prepared"
    """It lies ahead, and has its run already."""
    HELD = "held"
    """It waits for the run of an instant before it to end."""
    PAUSED = "paused"
    """It is skipped if the pause lasts until then."""
    EXPECTED = "expected"
    MISSING = "missing"
    """It should have been accounted for, and was not."""


class Instant(msgspec.Struct, frozen=True):
    at: datetime
    outcome: InstantState
    reason: SkipReason | None = None
    run: RunId | None = None
    backfill: BackfillId | None = None
    """What made that run, if the instant lay behind by then."""
    last: datetime | None = None
    """It stands for all instants up to this one: the rule that named those between the two is not known any more."""


class InstantRange(msgspec.Struct, frozen=True):
    """From an instant until before another, with a maximum; or the instants after one that was shown."""

    since: datetime
    until: datetime
    limit: int
    shown: datetime | None = None

    @property
    def begin(self) -> datetime:
        return self.since if self.shown is None else max(self.since, self.shown + TICK)

    def holds(self, at: datetime) -> bool:
        return self.begin <= at < self.until

    def touches(self, span: Span) -> bool:
        """Whether some of it is in the range, and its first was not shown."""
        return self.since <= span.last and span.first < self.until and (self.shown is None or span.first > self.shown)


class Ledger(msgspec.Struct, frozen=True):
    """The ledger's entries of a range."""

    fires: Sequence[Fire]
    skips: Sequence[Span]
    """Those of several instants in front of those of one, which say more of it."""
    calendar_since: datetime | None = None
    """From when on the trigger's calendar has been what it is."""

    def parted(self, trigger: Trigger) -> tuple[list[Span], list[Span]]:
        """Skipped instants: by a rule that may have been another one, and by the one that is in force."""
        former: list[Span] = []
        present: list[Span] = []
        for span in self.skips:
            (former if self._is_former(span, trigger) else present).append(span)
        return former, present

    def _is_former(self, span: Span, trigger: Trigger) -> bool:
        """A single known instant needs no rule."""
        since = trigger.ruled_since
        if span.reason is not SkipReason.CALENDAR and self.calendar_since is not None:
            since = max(since, self.calendar_since)
        return span.first < span.last and span.first <= since


def compare(trigger: Trigger, timer: Timer, ledger: Ledger, wanted: InstantRange, now: datetime) -> list[Instant]:
    """Every instant of a range once, oldest first.

    Behind the last edit, the rule says which instants there were; before it, only the ledger does: what it has of a lapse are
    the ends of that, told as one.
    """
    known = {at: Instant(at, InstantState.HELD) for at in trigger.held}
    plain = bounded(plain_timer(trigger.spec, trigger.created_at), trigger.spec)
    lapses, spans = ledger.parted(trigger)
    for span in spans:
        # What a calendar leaves out, the rule without it names.
        named = plain if span.reason is SkipReason.CALENDAR else timer
        known |= {at: Instant(at, InstantState.SKIPPED, span.reason) for at in inside(span, named, wanted)}
    for fire in ledger.fires:
        known[fire.fire_at] = Instant(fire.fire_at, fired_or_prepared(fire, now), run=fire.run)
    open_lapses = [span for span in lapses if span.last > trigger.updated_at]
    for at in expected(trigger, timer, wanted):
        accounted = at in known or any(span.first <= at <= span.last for span in open_lapses)
        if not accounted and (outcome := outlook(trigger, at, now)) is not None:
            known[at] = Instant(at, outcome)
    found = [
        Instant(span.first, InstantState.SKIPPED, span.reason, last=span.last)
        for span in lapses
        if wanted.touches(span)
    ]
    return page([*found, *(each for each in known.values() if wanted.holds(each.at))], wanted.limit)


def remembered(ledger: Ledger, wanted: InstantRange) -> list[Instant]:
    """The ledger of a deleted trigger: no rule names the instants within a span any more."""
    skips = [
        Instant(span.first, InstantState.SKIPPED, span.reason, last=span.last if span.first < span.last else None)
        for span in ledger.skips
        if wanted.touches(span)
    ]
    fires = [Instant(fire.fire_at, InstantState.FIRED, run=fire.run) for fire in ledger.fires]
    return page([*fires, *skips], wanted.limit)


def page(instants: Sequence[Instant], limit: int) -> list[Instant]:
    """The oldest; those that begin together stay together, since the next page begins behind them."""
    found = sorted(instants, key=lambda each: each.at)
    if len(found) > limit:
        return [each for each in found if each.at <= found[limit - 1].at]
    return found


def with_backfills(instants: Sequence[Instant], made: Sequence[BackfillFire]) -> list[Instant]:
    """Say of each run that a backfill made it."""
    by_run = {fire.run: fire.backfill for fire in made}
    return [
        each if each.run not in by_run else msgspec.structs.replace(each, backfill=by_run[each.run])
        for each in instants
    ]


def fired_or_prepared(fire: Fire, now: datetime) -> InstantState:
    return InstantState.PREPARED if fire.fire_at > now else InstantState.FIRED


def inside(span: Span, timer: Timer, wanted: InstantRange) -> Iterable[datetime]:
    """The instants of a span: its ends, and those that the rule, which was the same then, names between them."""
    yield span.first
    yield span.last
    yield from between(timer, max(span.first, wanted.begin), min(span.last, wanted.until), wanted.limit)


def expected(trigger: Trigger, timer: Timer, wanted: InstantRange) -> Iterable[datetime]:
    """The rule's instants in the range, no more than it may still fire."""
    left = wanted.limit
    if trigger.spec.fires_max is not None and trigger.next_due is not None:
        left = min(left, max(0, trigger.spec.fires_max - trigger.fired - len(trigger.held)))
    for at in between(timer, max(wanted.begin, trigger.updated_at + TICK), wanted.until - TICK, wanted.limit):
        ahead = trigger.next_due is not None and at >= trigger.next_due
        if ahead and left <= 0:
            return
        left -= ahead
        yield at


def outlook(trigger: Trigger, at: datetime, now: datetime) -> InstantState | None:
    """Of an instant that is not in the ledger; None: it is none, because the trigger has ended."""
    if trigger.next_due is None:
        return None if at > now or trigger.last_fire_at is None or at > trigger.last_fire_at else InstantState.MISSING
    if at < trigger.next_due:
        return InstantState.MISSING
    if trigger.paused is not None:
        return InstantState.PAUSED
    return InstantState.MISSING if now - at > LATE else InstantState.EXPECTED


def between(timer: Timer, first: datetime, last: datetime, limit: int) -> Iterable[datetime]:
    """Instants from one to another, both included."""
    at = timer.next(first - TICK)
    for _ in range(limit):
        if at is None or at > last:
            return
        yield at
        at = timer.next(at)


def kept_since(now: datetime, days: int) -> datetime:
    """From when on the ledger is whole: older entries are dropped by the day."""
    return now - timedelta(days=days)
