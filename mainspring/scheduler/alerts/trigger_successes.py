"""When runs of triggers last succeeded, for rules that tell of triggers without a success."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from mainspring.domain.alerts.findings import Place, TriggerEnds
from mainspring.domain.alerts.matching import matching
from mainspring.domain.alerts.rule import AlertKind, AlertRule
from mainspring.domain.alerts.trigger_conditions import stale_after
from mainspring.domain.calendars.working_days import Calendar
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.fire_times.intervals import longest_interval
from mainspring.domain.triggers.trigger import Trigger
from mainspring.errors import InvalidInputError
from mainspring.store.interface import Store

LISTED = timedelta(minutes=1)
"""How old the list of triggers may be."""
LISTED_MAX, PAGE = 100_000, 1000
ASKED = timedelta(seconds=30)
"""The least time between two looks at the runs of a trigger that has not succeeded for long."""
ASKED_MAX = 100
"""Triggers whose runs one evaluation looks at."""
RUNS_MAX, CHUNK = 200, 50
"""Runs of a trigger that are looked at, the newest first, and how many at once."""
REMEMBERED = timedelta(days=366)

Calendars = Callable[[Place], Calendar | None]
"""By namespace and name."""


class TriggerSuccesses:
    """Looks at the runs of a trigger once the last success that is known is too old for a rule: seldom, if all is well."""

    def __init__(self, store: Store, calendars: Calendars) -> None:
        self._store, self._calendars = store, calendars
        self._listed_at: datetime | None = None
        self._triggers: dict[Place, Trigger] = {}
        self._intervals: dict[tuple[Place, int], float | None] = {}
        """By trigger and revision."""
        self._looks: dict[Place, tuple[datetime, datetime | None]] = {}
        """When the runs of a trigger were looked at, and the last success among them."""

    async def of(self, rules: Sequence[AlertRule], now: datetime) -> dict[Place, TriggerEnds]:
        """The triggers that rules of kind `stale` are about."""
        asking = [rule for rule in rules if rule.spec.kind is AlertKind.STALE and rule.spec.trigger]
        if not asking:
            return {}
        await self._list(now)
        limits = self._limits(asking, now)
        due = sorted((place for place in limits if self._is_due(place, limits[place], now)), key=self._looked_at)
        for place in due[:ASKED_MAX]:
            await self._look(place, now)
        return {place: self._ends(place, now) for place in limits}

    async def _list(self, now: datetime) -> None:
        if self._listed_at is not None and now - self._listed_at < LISTED:
            return
        found: dict[Place, Trigger] = {}
        after = 0
        while page := await self._store.triggers.rules(None, after=after, limit=PAGE):
            found |= {(one.namespace, one.name): one for one in page}
            after = page[-1].id
            if len(found) >= LISTED_MAX:
                break
        self._triggers, self._listed_at = found, now
        known = {(place, one.revision) for place, one in found.items()}
        self._intervals = {key: length for key, length in self._intervals.items() if key in known}
        self._looks = {place: look for place, look in self._looks.items() if place in found}

    def _limits(self, rules: Sequence[AlertRule], now: datetime) -> Mapping[Place, float | None]:
        """By trigger, the shortest time without a success that a rule allows it."""
        limits: dict[Place, float | None] = {}
        for rule in rules:
            for name, _ in matching(rule, self._triggers, rule.spec.trigger):
                place = rule.namespace, name
                allowed = stale_after(rule, self._ends(place, now)), limits.get(place)
                limits[place] = min((each for each in allowed if each is not None), default=None)
        return limits

    def _is_due(self, place: Place, limit: float | None, now: datetime) -> bool:
        looked = self._looks.get(place)
        if limit is None or looked is None:
            return looked is None
        at, succeeded = looked
        is_fresh = succeeded is not None and (now - succeeded).total_seconds() <= limit
        return not is_fresh and now - at >= ASKED

    def _looked_at(self, place: Place) -> datetime:
        looked = self._looks.get(place)
        return self._triggers[place].created_at if looked is None else looked[0]

    async def _look(self, place: Place, now: datetime) -> None:
        before = self._looks[place][1] if place in self._looks else None
        fired = await self._store.findings.fired(*place, since=before or now - REMEMBERED, until=now)
        runs = [run for _, run in fired][:RUNS_MAX]
        self._looks[place] = now, await self._last_success(place[0], runs) or before

    async def _last_success(self, namespace: str, runs: Sequence[RunId]) -> datetime | None:
        for start in range(0, len(runs), CHUNK):
            found = await self._store.runs.many(namespace, runs[start : start + CHUNK])
            ends = [one.finished_at for one in found if one.state is RunState.SUCCEEDED and one.finished_at]
            if ends:
                return max(ends)
        return None

    def _ends(self, place: Place, now: datetime) -> TriggerEnds:
        trigger, looked = self._triggers[place], self._looks.get(place)
        return TriggerEnds(
            looked=looked is not None,
            succeeded_at=None if looked is None else looked[1],
            made_at=trigger.created_at,
            interval=self._interval(place, trigger, now),
        )

    def _interval(self, place: Place, trigger: Trigger, now: datetime) -> float | None:
        key = place, trigger.revision
        if key not in self._intervals:
            name = trigger.spec.calendar
            calendar = self._calendars((trigger.namespace, name)) if name else None
            try:
                self._intervals[key] = longest_interval(trigger, calendar, now)
            except InvalidInputError:
                # A definition that this version does not understand is told elsewhere.
                self._intervals[key] = None
        return self._intervals[key]
