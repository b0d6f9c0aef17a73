"""Counts future fires over all triggers, by steps of time.

A rule that many triggers share is followed once, as far as its fires can be kept. Fires with spread or jitter count where their
runs will be due. Steps begin at multiples of their length since midnight of 1970 in UTC, so the first and the last may be cut
short.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.cron import Zoned
from mainspring.domain.triggers.fire_times.build_timer import excluding, timer_of
from mainspring.domain.triggers.fire_times.jitter import lateness
from mainspring.domain.triggers.fire_times.timers import TICK, Timer
from mainspring.domain.triggers.trigger import Trigger

INSTANTS_MAX = 5_000_000
"""Fire times that a forecast counts; with more of them it is not complete."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST = datetime.min.replace(tzinfo=UTC)
CELLS_MAX = 50_000
"""Steps with fires that are kept of shared rules; a rule beyond them is followed again when more triggers have it."""
RULES_MAX = 5_000
"""Rules that wait to be followed."""
SLICE = 10
"""Look-ups between two yields: 0.03 ms of one cron expression, 0.5 ms of twenty."""


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    since: datetime
    """When the first step begins."""
    step: timedelta
    counts: tuple[int, ...]
    """Fires in each step."""
    triggers: int
    """The triggers counted."""
    complete: bool
    """Whether every trigger and every fire time was counted."""
    share: float = 1.0
    """Of the triggers, about how many were counted."""
    counting: bool = False
    """Whether more of them will be."""

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def peak(self) -> int:
        return max(self.counts, default=0)


class ForecastTally:
    """A forecast while it is counted."""

    def __init__(self, since: datetime, until: datetime, step: timedelta) -> None:
        self.complete = True
        self._since = since
        self._until = until
        self._step = step
        self._begin = since - min((since - EPOCH) % step, since - FIRST)
        self._counts = [0] * -(-(until - self._begin) // step)
        self._left = INSTANTS_MAX
        self._steps = 0
        self._shared: Counter[Timer] = Counter()
        self._alone: list[tuple[Trigger, Timer]] = []
        self._known: dict[Timer, list[tuple[int, int]]] = {}
        self._room = CELLS_MAX
        self._triggers = self._counted = 0

    @property
    def ripe(self) -> bool:
        """Whether enough triggers wait to be counted: a rule that they share is looked up once for all of them."""
        waiting = self._triggers - self._counted
        return waiting * 4 >= self._counted or len(self._shared) >= RULES_MAX or len(self._alone) >= RULES_MAX

    def add(self, trigger: Trigger, calendar: Calendar | None) -> None:
        spec = trigger.spec
        self._triggers += 1
        if spec.jitter or spec.spread or spec.calendar or spec.fires_max is not None or trigger.asked:
            timer = timer_of(spec, created_at=trigger.created_at, calendar=calendar)
            self._alone.append((trigger, excluding(timer, trigger.asked)))
        else:
            self._shared[unnamed(timer_of(spec, created_at=trigger.created_at))] += 1

    def add_all(self, triggers: Iterable[tuple[Trigger, Calendar | None]]) -> Generator[None, None, bool]:
        """Add many, with a yield after each for the caller to let others go on."""
        for trigger, calendar in triggers:
            self.add(trigger, calendar)
            yield
        return True

    def count(self) -> Generator[None, None, bool]:
        """Follow the rules that were added, with a yield after each `SLICE` look-ups for the caller to let others go on."""
        shared, alone, triggers = self._shared, self._alone, self._triggers
        self._shared, self._alone = Counter(), []
        for timer, weight in shared.items():
            known = self._known.get(timer)
            if known is None:
                yield from self._learn(timer, weight)
            else:
                for place, fires in known:
                    self._counts[place] += fires * weight
                yield
        for trigger, timer in alone:
            yield from self._follow(timer, 1, Counter(), trigger)
        self._counted = triggers
        return True

    def _learn(self, timer: Timer, weight: int) -> Iterator[None]:
        """Follow a rule, and keep its fires for other triggers that have it."""
        places: Counter[int] = Counter()
        yield from self._follow(timer, weight, places)
        if len(places) < self._room:
            self._room -= len(places) + 1
            self._known[timer] = list(places.items())

    def _follow(
        self, timer: Timer, weight: int, places: Counter[int], trigger: Trigger | None = None
    ) -> Iterator[None]:
        at = timer.next(self._behind(trigger))
        fires = None if trigger is None or trigger.spec.fires_max is None else trigger.spec.fires_max - trigger.fired
        # The look-up that finds nothing counts too: many rules may have no fire time to come.
        self._steps += 1
        if self._steps % SLICE == 0:
            yield
        while at is not None and at < self._until:
            if trigger is not None and fires is not None and not has_run(trigger, at):
                if fires <= 0:
                    return
                fires -= 1
            if self._left <= 0:
                self.complete = False
                return
            self._left -= 1
            self._put(at if trigger is None else at + lateness(trigger, at), weight, places)
            at = timer.next(at)
            self._steps += 1
            if self._steps % SLICE == 0:
                yield

    def _behind(self, trigger: Trigger | None) -> datetime:
        """The time after which fire times count: before the first step, if their runs may be due in it by spread or jitter."""
        before = self._since - min(TICK, self._since - FIRST)
        if trigger is None:
            return before
        reach = timedelta(seconds=trigger.spec.jitter + trigger.spec.spread)
        return min(before, max(self._since - min(reach, self._since - FIRST), trigger.ruled_since))

    def _put(self, due: datetime, weight: int, places: Counter[int]) -> None:
        if self._since <= due < self._until:
            place = (due - self._begin) // self._step
            places[place] += 1
            self._counts[place] += weight

    def forecast(self) -> Forecast:
        return Forecast(
            since=self._begin.astimezone(UTC),
            step=self._step,
            counts=tuple(self._counts),
            triggers=self._counted,
            complete=self.complete,
        )


def has_run(trigger: Trigger, at: datetime) -> bool:
    """Whether a fire time is before the trigger's next one, and so among those that were fired."""
    return trigger.next_due is not None and trigger.ruled_since < at < trigger.next_due


def unnamed(timer: Timer) -> Timer:
    """Equal for rules that name the same instants, however they are written: an `H` that came out alike, for one."""
    if isinstance(timer, Zoned):
        return msgspec.structs.replace(timer, expression=msgspec.structs.replace(timer.expression, text=""))
    return timer
