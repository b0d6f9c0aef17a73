"""Counts forecasts in the background, slice by slice: who asks gets what is counted so far, and more the next time."""

import asyncio
from datetime import datetime, timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.triggers.fire_times.forecast import Forecast, ForecastTally
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.facts import Facts, TriggersChanged
from mainspring.scheduler.off_loop import off_loop
from mainspring.scheduler.operations.trigger_queries import TriggerQueries
from mainspring.store.interface import Store

PAGE = 100
"""Triggers of one slice."""
TRIGGERS_MAX = 2_000_000
"""Triggers that a forecast reads in all; with more of them it is not complete."""
SECONDS_MAX = 300.0
"""Seconds after which a forecast stops counting, and is not complete."""
COUNTINGS_MAX = 16
"""Forecasts that are counted or kept; beyond them, the one that was asked for longest ago goes."""
PATIENCE = 0.02
"""Seconds that the first reader waits in any case: few triggers are counted meanwhile."""
IDLE = 120.0
"""Seconds after which a forecast that nobody asks for is given up."""
QUICK = 0.05
"""Seconds: what is counted sooner is counted anew for each reader."""
KEPT_MIN, KEPT_MAX, KEPT_TIMES = 5.0, 600.0, 20
"""Seconds that a forecast is kept, and how many times as long as it took."""
STALE_TIMES = 6
"""How many times as long it may be given while the next one is counted."""
CHANGED = 100
"""It goes sooner when more than one in so many triggers was changed through this server."""
STEPS_MAX = 86_400
HOURS_MAX = 31 * 24


class Question(msgspec.Struct, frozen=True):
    """What a forecast is of; all who ask the same share one counting."""

    namespace: str
    since: datetime | None
    """None: when it is asked."""
    hours: int
    step: timedelta


class ForecastSoFar(msgspec.Struct, frozen=True):
    """A forecast as far as it is counted, and when that began."""

    forecast: Forecast
    at: datetime


class Counting:
    """One forecast while it is counted, and as long as it is kept."""

    def __init__(self, question: Question, now: datetime, begun: float) -> None:
        since = question.since or now
        self.namespace = question.namespace
        self.tally = ForecastTally(since, since + timedelta(hours=question.hours), question.step)
        self.over = asyncio.Event()
        self.begun = self.asked = begun
        self.at, self.kept = now, 0.0
        self.first = self.after = self.last = self.seen = self.changed = 0
        self.awaited = False
        """Whether a reader left before it was over: the next one shall find it."""
        self.trouble: NotFoundError | None = None
        self.latest = self._state(0.0, counting=True)

    def settle(self) -> None:
        """What was counted is what readers get from now on."""
        self.latest = self._state((self.after - self.first + 1) / max(1, self.last - self.first + 1), counting=True)

    def end(self, now: float, *, whole: bool) -> None:
        took = now - self.begun
        self.tally.complete &= whole
        share = 1.0 if whole else self.latest.share
        self.latest = self._state(share, counting=False)
        self.kept = min(KEPT_MAX, max(KEPT_MIN, took * KEPT_TIMES)) if self.awaited or took > QUICK else 0.0
        self.begun = now
        self.over.set()

    def _state(self, share: float, *, counting: bool) -> Forecast:
        found = self.tally.forecast()
        complete = found.complete and not counting
        return msgspec.structs.replace(found, share=min(share, 1.0), counting=counting, complete=complete)

    def serves(self, now: float, times: int = 1) -> bool:
        """Whether it is young enough, and its triggers are about the same."""
        changed = self.changed > self.latest.triggers // CHANGED
        return now - self.begun < (min(self.kept, KEPT_MIN) if changed else self.kept * times)


class CountForecasts:
    """One slice at a time for all that are asked for, in turn."""

    name = "forecasting"

    def __init__(self, store: Store, clock: Clock, triggers: TriggerQueries, facts: Facts) -> None:
        self._store = store
        self._clock = clock
        self._triggers = triggers
        self._running: dict[Question, Counting] = {}
        self._kept: dict[Question, Counting] = {}
        self.wake = asyncio.Event()
        self.period = IDLE
        facts.subscribe(TriggersChanged, self._note)

    async def look(self, question: Question, *, wait: float) -> ForecastSoFar:
        """What is counted after so many seconds at most. Raises InvalidInputError, NotFoundError for a calendar."""
        check_steps(question.hours, question.step)
        now = self._clock.monotonic()
        kept = self._kept.get(question)
        if kept is not None and kept.serves(now):
            return self._give(kept, now)
        running = self._running.get(question) or self._begin(question)
        if kept is not None and kept.serves(now, STALE_TIMES):
            running.asked, running.awaited = now, True
            return self._give(kept, now)
        if running.awaited and wait <= PATIENCE:
            # It takes longer than that, and what is counted so far is there.
            wait = 0.0
        running.asked = now + wait
        await self._clock.wait(running.over, wait)
        running.awaited |= not running.over.is_set()
        return self._give(running, max(now, running.asked))

    def _give(self, counting: Counting, now: float) -> ForecastSoFar:
        counting.asked = now
        if counting.trouble is not None:
            raise counting.trouble
        return ForecastSoFar(counting.latest, counting.at)

    def _begin(self, question: Question) -> Counting:
        for known in (self._kept, self._running):
            while len(known) >= COUNTINGS_MAX:
                known.pop(min(known, key=lambda one: known[one].asked))
        self._running[question] = Counting(question, self._clock.now(), self._clock.monotonic())
        self.wake.set()
        return self._running[question]

    def _note(self, fact: TriggersChanged) -> None:
        for one in (*self._running.values(), *self._kept.values()):
            one.changed += fact.count if one.namespace == fact.namespace else 0

    async def tick(self) -> bool:
        """Count one slice of the forecast whose turn it is; True: there is more to count."""
        now = self._clock.monotonic()
        for known, idle in ((self._running, IDLE), (self._kept, KEPT_MAX)):
            for question in [each for each, one in known.items() if now - one.asked > idle]:
                del known[question]
        if not self._running:
            return False
        question = next(iter(self._running))
        counting = self._running.pop(question)
        # Behind the others: its turn comes again when each of them had one.
        self._running[question] = counting
        try:
            whole = await self._slice(counting)
        except NotFoundError as error:
            counting.trouble, whole = error, False
        if whole is not None:
            self._end(question, counting, whole=whole)
        return bool(self._running)

    def _end(self, question: Question, counting: Counting, *, whole: bool) -> None:
        counting.end(self._clock.monotonic(), whole=whole)
        if self._running.get(question) is counting:
            del self._running[question]
            self._kept.pop(question, None)
            if counting.kept:
                self._kept[question] = counting

    async def _slice(self, counting: Counting) -> bool | None:
        """None: there is more of it; otherwise whether all was counted."""
        page = await self._store.triggers.rules(counting.namespace, after=counting.after, limit=PAGE)
        until = counting.begun + SECONDS_MAX
        pairs = [self._triggers.ruled(trigger) for trigger in page]
        added = await off_loop(counting.tally.add_all(pairs), self._clock, until=until)
        if page:
            counting.first = counting.first or page[0].id
            counting.after, counting.seen = page[-1].id, counting.seen + len(page)
        ended = len(page) < PAGE or counting.seen >= TRIGGERS_MAX or not added
        if ended or counting.tally.ripe:
            added = await off_loop(counting.tally.count(), self._clock, until=until) and added
            counting.last = counting.last or await self._store.triggers.newest()
            counting.settle()
        return bool(added) and len(page) < PAGE if ended or not added else None


def check_steps(hours: int, step: timedelta) -> None:
    if not 1 <= hours <= HOURS_MAX:
        raise InvalidInputError("hours", f"{hours} is outside 1 to {HOURS_MAX}", code="bad_hours")
    if not timedelta(seconds=1) <= step or timedelta(hours=hours) / step > STEPS_MAX:
        reason = f"needs 1 second or more, and at most {STEPS_MAX} steps in all"
        raise InvalidInputError("step", reason, code="bad_step")
