"""Gathers the facts that alert rules ask for: one question for each kind, whatever the number of rules."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from mainspring.domain.alerts.findings import EndedRuns, Fault, Findings, NewKind, Place, QueueFacts, Since
from mainspring.domain.alerts.notice import span
from mainspring.domain.alerts.rule import AlertKind, AlertRule, number
from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.ids import id_text
from mainspring.domain.queues.queue import Depth, Survey, together
from mainspring.domain.queues.rollup import Resolution, floor
from mainspring.domain.runs.run import RunState
from mainspring.domain.slos.slo import Slo
from mainspring.scheduler.alerts.cluster_faults import ClusterFaults
from mainspring.scheduler.alerts.slo_standings import SloStandings
from mainspring.scheduler.alerts.trigger_successes import Calendars, TriggerSuccesses
from mainspring.scheduler.alerts.usual_durations import UsualDurations
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import Facts, QueuesSurveyed
from mainspring.store.interface import Store
from mainspring.store.interface.alerts.findings import EndedCount, StillFlow, TriggerFact

SLOWLY = timedelta(seconds=60)
"""How old facts may be that change slowly: tokens that expire, channels that fail."""
TOKEN_SOON = timedelta(days=14)
FAILING, REMEMBERED = timedelta(days=1), timedelta(days=8)
"""How long a channel fails until that is told, and how long it is remembered if nothing more is sent to it."""
OPEN_STATES = (BreakerState.OPEN, BreakerState.FORCED_OPEN)
ENDED = (AlertKind.RUN_FAILED, AlertKind.FAILURE_RATE)


class Gather:
    """Remembers what this server publishes, and asks the store for the rest."""

    def __init__(
        self, store: Store, catalog: Catalog, facts: Facts, cluster: ClusterFaults, calendars: Calendars
    ) -> None:
        self._cluster = cluster
        self._store, self._catalog = store, catalog
        self._usual = UsualDurations(store, catalog)
        self._triggers = TriggerSuccesses(store, calendars)
        self._standings = SloStandings(store, catalog)
        self._survey = Survey(taken_at=None, depths={})
        self._slow: tuple[datetime, list[Fault], list[Fault]] | None = None
        self._rolls: tuple[datetime | None, dict[datetime, list[EndedCount]]] = None, {}
        """Roll-ups by the beginning of a window, and up to when they are counted."""
        self._errors: dict[int, str] = {}
        """By job, the class of the last error that was seen: roll-ups count failures without it."""
        facts.subscribe(QueuesSurveyed, self._surveyed)

    def _surveyed(self, fact: QueuesSurveyed) -> None:
        self._survey = fact.survey

    async def gather(self, rules: Sequence[AlertRule], slos: Sequence[Slo], now: datetime) -> Findings:
        kinds = {rule.spec.kind for rule in rules}
        counted = await self._store.queues.rolled_until()
        jobs, queues = await self._ended(windows(rules, *ENDED), counted, now)
        expiring, failing = await self._slowly(now)
        return Findings(
            now=now,
            counted_until=counted,
            surveyed_at=self._survey.taken_at,
            jobs=jobs,
            queues_ended=queues,
            succeeded=await self._succeeded() if AlertKind.STALE in kinds else {},
            triggers=await self._triggers.of(rules, now),
            queues=self._queues(),
            **await self._of_triggers(rules, kinds, now),
            **await self._of_runs(rules, kinds, now),
            servers_lost=self._cluster.lost_servers(now),
            servers=self._cluster.present_servers(now),
            strays=await self._strays() if AlertKind.STRAYS in kinds else {},
            breakers=self._breakers(),
            canaries=self._canaries(),
            faults=self._cluster.of_store(now),
            expiring=expiring,
            failing=failing,
            slos=await self._standings.of(slos, now),
        )

    async def _ended(
        self, spans: Collection[float], counted: datetime | None, now: datetime
    ) -> tuple[dict[float, dict[Place, EndedRuns]], dict[float, dict[Place, EndedRuns]]]:
        """By window: runs that roll-ups have counted, and failures since then from the dead letters."""
        jobs: dict[float, dict[Place, EndedRuns]] = {}
        queues: dict[float, dict[Place, EndedRuns]] = {}
        if not spans:
            return jobs, queues
        for seconds in spans:
            since = floor(now - timedelta(seconds=seconds), Resolution.MINUTE)
            ended = await self._rolled(since, counted)
            fresh = await self._store.findings.dead(since=max(counted or since, since))
            jobs[seconds], queues[seconds] = {}, {}
            self._errors |= {one.job: one.error for one in fresh}
            for one in (*ended, *fresh):
                error = self._errors.get(one.job, "")
                for facts, place in ((jobs[seconds], self._job(one.job)), (queues[seconds], self._queue(one.line))):
                    if place is not None:
                        facts[place] = added(facts.get(place, EndedRuns()), one.state, one.runs, error)
        return jobs, queues

    async def _rolled(self, since: datetime, counted: datetime | None) -> list[EndedCount]:
        """Roll-ups from an instant on; they are read again only once more is counted, or the window has moved on."""
        if self._rolls[0] != counted:
            self._rolls = counted, {}
        known = self._rolls[1].get(since)
        if known is None:
            known = self._rolls[1][since] = await self._store.findings.ended(since=since)
        return known

    def _job(self, number: int) -> Place | None:
        job = self._catalog.jobs_by_id.get(number)
        return None if job is None else (job.namespace, job.name)

    def _queue(self, number: int) -> Place | None:
        line = self._catalog.lines.get(number)
        return None if line is None else (line.namespace, line.queue)

    async def _succeeded(self) -> dict[Place, tuple[datetime | None]]:
        marks = await self._store.findings.marks()
        return {(job.namespace, job.name): (marks.get(job.id),) for job in self._catalog.jobs.values()}

    def _queues(self) -> dict[Place, QueueFacts]:
        depths: dict[Place, list[Depth]] = defaultdict(list)
        for number_, depth in self._survey.depths.items():
            if (place := self._queue(number_)) is not None:
                depths[place].append(depth)
        listening: dict[Place, int] = defaultdict(int)
        for session in self._catalog.sessions:
            for queue in session.abilities.queues:
                listening[session.namespace, queue] += 1
        rules = self._catalog.rules
        known = {*depths, *listening, *((line.namespace, line.queue) for line in self._catalog.lines.values())}
        return {
            place: QueueFacts(
                depth=together(depths[place]) if place in depths else Depth(),
                executors=listening.get(place, 0),
                max_queued=rules[place].max_queued if place in rules else None,
                paused=place in rules and rules[place].pause is not None,
            )
            for place in known
        }

    async def _of_triggers(
        self, rules: Sequence[AlertRule], kinds: Collection[AlertKind], now: datetime
    ) -> dict[str, Any]:
        asked = self._store.findings
        skipped: dict[float, dict[Place, tuple[int, str]]] = {}
        for seconds in windows(rules, AlertKind.FIRES_SKIPPED):
            found = await asked.skips(since=now - timedelta(seconds=seconds))
            skipped[seconds] = {(namespace, name): (skips, job) for namespace, name, job, skips in found}
        late = await asked.late(before=now) if AlertKind.TRIGGER_LATE in kinds else []
        paused = await asked.paused() if AlertKind.TRIGGER_PAUSED in kinds else []
        lost = []
        if spans := windows(rules, AlertKind.EXECUTOR_LOST):
            lost = await asked.lost(since=now - timedelta(seconds=max(spans)))
        return {"late": since_of(late), "paused": since_of(paused), "lost": since_of(lost), "skipped": skipped}

    async def _of_runs(self, rules: Sequence[AlertRule], kinds: Collection[AlertKind], now: datetime) -> dict[str, Any]:
        asked, found = self._store.findings, dict[str, Any]()
        if AlertKind.RUN_LONG in kinds:
            found["running"] = self._first(await asked.running(before=now))
            found["usual"] = await self._usual.of(found["running"], rules, now)
        if AlertKind.WORKFLOW_STUCK in kinds:
            found["stuck"] = self._first(await asked.stuck(before=now))
        if AlertKind.DEAD_LETTERS in kinds:
            found["dead_open"] = by_place(await asked.open_dead(), self._job)
            found["dead_new"] = {
                seconds: await self._fingerprints(now - timedelta(seconds=seconds), now)
                for seconds in windows(rules, AlertKind.DEAD_LETTERS)
            }
        return found

    async def _fingerprints(self, since: datetime, now: datetime) -> dict[Place, list[NewKind]]:
        found: dict[Place, list[NewKind]] = defaultdict(list)
        for one in await self._store.findings.new_fingerprints(since=since, now=now):
            if (place := self._job(one.job)) is not None:
                found[place].append(NewKind(one.fingerprint, one.runs, one.error, one.first_at))
        return found

    def _first(self, flows: Sequence[StillFlow]) -> dict[Place, Since]:
        """By job, the first of its runs."""
        found: dict[Place, Since] = {}
        for one in flows:
            if (place := self._job(one.job)) is not None:
                found.setdefault(place, Since(one.at, id_text(one.run)))
        return found

    async def _strays(self) -> dict[Place, int]:
        """By executor, from the last beats of all that are there, to whichever server they are connected."""
        found: dict[Place, int] = defaultdict(int)
        for namespace, executor, strays in await self._store.findings.strays():
            found[namespace, executor] += strays
        return found

    def _breakers(self) -> dict[Place, Since]:
        return {
            place: Since(one.since, one.reason)
            for place, one in self._catalog.breakers.items()
            if one.state in OPEN_STATES
        }

    def _canaries(self) -> dict[Place, Since]:
        tried = [(place, job, job.spec.policy.canary) for place, job in self._catalog.jobs.items()]
        return {
            place: Since(job.updated_at, f"version {canary.version} gets no runs")
            for place, job, canary in tried
            if canary is not None and canary.stopped
        }

    async def _slowly(self, now: datetime) -> tuple[list[Fault], list[Fault]]:
        if self._slow is None or now - self._slow[0] >= SLOWLY:
            tokens = await self._store.findings.expiring(now=now, until=now + TOKEN_SOON)
            expiring = [
                Fault(f"token {one.id}", f"token {one.name} of {one.namespace} ends on {one.at:%Y-%m-%d}: rotate it")
                for one in tokens
            ]
            expiring += self._cluster.expiring(now)
            health = await self._store.notices.health(since=now - REMEMBERED)
            failing = [
                Fault(
                    f"channel {one.channel} of {one.namespace}", f"has taken no notice for {span(now - one.failed_at)}"
                )
                for one in health
                if now - one.failed_at >= FAILING
            ]
            self._slow = now, expiring, failing
        return self._slow[1], self._slow[2]


def windows(rules: Sequence[AlertRule], *kinds: AlertKind) -> set[float]:
    """The windows of the rules of these kinds."""
    return {number(rule.spec, "over") for rule in rules if rule.spec.kind in kinds}


def added(runs: EndedRuns, state: int | None, more: int, error: str) -> EndedRuns:
    if state is None or state == RunState.FAILED:
        return EndedRuns(runs.failed + more, runs.succeeded, error or runs.error)
    return EndedRuns(runs.failed, runs.succeeded + more * (state == RunState.SUCCEEDED), runs.error)


def since_of(facts: Sequence[TriggerFact]) -> dict[Place, Since]:
    return {(one.namespace, one.name): Since(one.at, one.job) for one in facts}


def by_place(counts: Mapping[int, int], place_of: Callable[[int], Place | None]) -> dict[Place, int]:
    found = {place_of(number_): count for number_, count in counts.items()}
    return {place: count for place, count in found.items() if place is not None}
