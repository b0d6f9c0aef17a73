"""Whether a queue and its namespace may take more: refused before anything is written, so that no run exists.

What waits in a queue is known from the last survey, plus what this server has accepted since and less what it has started
since. With one server that is close to exact. Several servers do not know of each other's until the next survey, so they may
go over by what they accept within one; near a limit surveys come more often.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from math import ceil

import msgspec

from mainspring.clock import Clock
from mainspring.domain.queues.queue import NAMESPACE_WHOLE, Place, Survey
from mainspring.domain.runs.run import NewRun
from mainspring.errors import OverBudgetError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Facts, Listening, RunsStarted

NEAR = 0.8
"""The share of a budget from which on it is watched closely."""
RETRY_MIN, RETRY_UNKNOWN, RETRY_MAX = 1, 10, 60

Numbers = dict[Place, int]


class BudgetCut(msgspec.Struct):
    """This server's accepted and started runs from one cut to the next."""

    begun_at: datetime
    accepted: Numbers
    started: Numbers


class Budgets:
    """The limits of queues and namespaces, and how much of them is used. Places without a limit are not counted."""

    def __init__(self, catalog: Catalog, clock: Clock, facts: Facts) -> None:
        self._catalog = catalog
        self._clock = clock
        self.any = False
        """Whether there is a budget at all."""
        self._limits: Numbers = {}
        self._limited: dict[int, tuple[Place, ...]] = {}
        """The places with a limit that a line belongs to."""
        self._survey = Survey(taken_at=None, depths={})
        self._counted: Numbers = defaultdict(int)
        self._since: Numbers = defaultdict(int)
        """The sum of the slices."""
        self._slices: list[BudgetCut] = []
        self._started: Numbers = defaultdict(int)
        self._rates: dict[Place, float] = {}
        self.cut()
        facts.subscribe(CatalogChanged, self._changed)
        self._listening = Listening(facts, self._run_started, RunsStarted)

    def _changed(self, _: CatalogChanged) -> None:
        limits = {place: rule.max_queued for place, rule in self._catalog.rules.items() if rule.max_queued is not None}
        if limits != self._limits:
            self.any = bool(limits)
            self._listening.switch(on=self.any)
            self._limits = limits
            self._limited.clear()
            self._add_up()

    def admit(self, runs: Sequence[NewRun]) -> None:
        """Count the runs in, all or none; raises OverBudgetError."""
        wanted = self._places([run.line for run in runs])
        for place, count in wanted.items():
            if self.depth(place) + count > self._limits[place]:
                raise self._refusal(place, count)
        self._accept(wanted, 1)

    def lacking(self, runs: Sequence[NewRun]) -> Numbers:
        """How many of the runs each full place has no room for."""
        wanted = self._places([run.line for run in runs])
        over = {place: self.depth(place) + count - self._limits[place] for place, count in wanted.items()}
        return {place: min(count, wanted[place]) for place, count in over.items() if count > 0}

    def lines_of(self, place: Place) -> list[int]:
        """The lines that belong to a place with a limit."""
        return [number for number in self._catalog.lines if place in self._limited_by(number)]

    def exchanged(self, came: Sequence[int], went: Sequence[int]) -> None:
        """Runs came into these lines, and waiting ones went from those, in one commit."""
        self._accept(self._places(came), 1)
        self._accept(self._places(went), -1)

    def pressure(self, queues: Iterable[Place]) -> float:
        """How full the fullest of these queues and their namespaces is, from 0 (empty, or no budget) to 1."""
        both = {place for namespace, queue in queues for place in ((namespace, queue), (namespace, NAMESPACE_WHOLE))}
        full = (self.depth(place) / max(1, self._limits[place]) for place in both & self._limits.keys())
        return min(1.0, max(full, default=0.0))

    def take_back(self, runs: Sequence[NewRun]) -> None:
        """These did not come in after all."""
        if runs:
            self._accept(self._places([run.line for run in runs]), -1)

    def _run_started(self, fact: RunsStarted) -> None:
        for place, count in self._places(fact.claim.lines).items():
            self._slices[-1].started[place] += count
            self._started[place] += count
            self._since[place] -= count

    def depth(self, place: Place) -> int:
        """How many accepted runs wait there, as far as this server knows."""
        return max(0, self._counted[place] + self._since[place])

    @property
    def near(self) -> bool:
        """Whether some budget is nearly used up."""
        return any(self.depth(place) >= NEAR * limit for place, limit in self._limits.items())

    def cut(self) -> None:
        """A survey begins: runs from now on are not in it, or not surely."""
        self._slices.append(BudgetCut(self._clock.now(), defaultdict(int), defaultdict(int)))

    def surveyed(self, survey: Survey) -> None:
        """Take the numbers of a survey, this server's or another's, and keep what they do not cover.

        What was accepted while it was under way may be in them or not, and is counted on top; what was started meanwhile
        is not taken off: rather a run too few than one too many.
        """
        before, taken_at = self._survey.taken_at, survey.taken_at
        if taken_at is None or (before is not None and taken_at <= before):
            return
        covered = [one for one in self._slices if one.begun_at <= taken_at]
        for one in covered[-1:]:
            one.started.clear()
        self._slices = [*covered[-1:], *(one for one in self._slices if one.begun_at > taken_at)]
        self._survey = survey
        self._add_up()
        self._measure(before, taken_at)
        self.cut()

    def _accept(self, places: Numbers, sign: int) -> None:
        accepted = self._slices[-1].accepted
        for place, count in places.items():
            accepted[place] += sign * count
            self._since[place] += sign * count

    def _add_up(self) -> None:
        """The survey's lines together with the runs since, for queues and namespaces that have a limit."""
        self._counted, self._since = defaultdict(int), defaultdict(int)
        for number, depth in self._survey.depths.items() if self._limits else ():
            for place in self._limited_by(number):
                self._counted[place] += depth.backlog
        for one in self._slices:
            for numbers, sign in ((one.accepted, 1), (one.started, -1)):
                for place, count in numbers.items():
                    self._since[place] += sign * count

    def _measure(self, before: datetime | None, now: datetime) -> None:
        """How many runs of each place were started here in a second."""
        if before is not None:
            seconds = (now - before).total_seconds()
            self._rates = {place: count / seconds for place, count in self._started.items()}
        self._started.clear()

    def _places(self, lines: Sequence[int]) -> Numbers:
        """How many of these lie in each place that has a limit."""
        found: Numbers = defaultdict(int)
        for number, count in [(lines[0], 1)] if len(lines) == 1 else Counter(lines).items():
            for place in self._limited_by(number):
                found[place] += count
        return found

    def _limited_by(self, number: int) -> Iterable[Place]:
        places = self._limited.get(number)
        if places is None and (line := self._catalog.lines.get(number)) is not None:
            both = ((line.namespace, line.queue), (line.namespace, NAMESPACE_WHOLE))
            places = self._limited[number] = tuple(place for place in both if place in self._limits)
        return places or ()

    def _refusal(self, place: Place, wanted: int) -> OverBudgetError:
        namespace, queue = place
        depth, limit, rate = self.depth(place), self._limits[place], self._rates.get(place)
        seconds = ceil((depth + wanted - limit) / rate) if rate else RETRY_UNKNOWN
        kind, key = ("queue", queue) if queue else ("namespace", namespace)
        return OverBudgetError(kind, key, depth=depth, limit=limit, retry_after=min(max(seconds, RETRY_MIN), RETRY_MAX))
