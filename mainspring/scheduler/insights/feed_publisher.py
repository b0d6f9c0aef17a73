"""Publishes changes, of this and other servers, to live followers: coalesced, a few times a second at most."""

import asyncio
from collections import Counter, defaultdict
from contextlib import suppress

import msgspec

from mainspring.clock import Clock
from mainspring.domain.cluster.session import Session
from mainspring.domain.feed import ChangeKind
from mainspring.domain.ids import SessionId, id_text
from mainspring.domain.jobs.job import Job
from mainspring.domain.queues.queue import Depth, Place, QueueRule, together
from mainspring.domain.runs.run import RunState
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.live_claims import LiveClaims
from mainspring.scheduler.facts import (
    AttemptsEnded,
    AttemptsSucceeded,
    CatalogChanged,
    Facts,
    MessageReceived,
    QueuesSurveyed,
    RunsStarted,
    SessionsChanged,
)
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.insights.feed import Changes

PAUSE = 0.5
"""Seconds between two words on the same queue."""
ASK_EVERY, ASKED_FOR = 5.0, 15.0
"""Seconds between two requests to other servers to tell what they settle, and for which one of them counts."""
COUNTS_MAX = 250
"""How many counts fit into one word to other servers."""

FINAL = frozenset(int(state) for state in RunState if state.final)

Settled = tuple[int, int, int]
"""Line, job and final state."""


class Word(msgspec.Struct, omit_defaults=True):
    """A hint of changes from one server to another."""

    watching: bool = False
    """A reader follows changes at the sender."""
    settled: list[tuple[int, int, int, int]] = []
    """Line, job, final state, and how many runs."""
    told: tuple[str, str, str, dict[str, object]] | None = None
    """Kind, namespace, job and content of a change that only the sender has seen."""


class SpotChanges:
    """Compares the read state with the known one, counts settled runs, and publishes the difference."""

    name = "spot_changes"
    period = 1.0

    def __init__(self, clock: Clock, catalog: Catalog, changes: Changes, hints: ExchangeHints, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self._clock = clock
        self._catalog = catalog
        self._changes = changes
        self._hints = hints
        self._live_claims = LiveClaims()
        self._settled: Counter[Settled] = Counter()
        self._elsewhere: Counter[Settled] = Counter()
        self._ask_at = self._asked_until = clock.monotonic()
        self._depths: dict[Place, Depth] = {}
        self._seen: Seen | None = None
        facts.wake(self.wake, CatalogChanged)
        facts.subscribe(RunsStarted, lambda fact: self._live_claims.started(fact.claim))
        facts.subscribe(AttemptsSucceeded, self._succeeded)
        facts.subscribe(AttemptsEnded, self._ended)
        facts.subscribe(SessionsChanged, lambda fact: self._live_claims.keep(fact.sessions))
        facts.subscribe(QueuesSurveyed, self._surveyed)
        facts.subscribe(MessageReceived, lambda fact: self.heard(fact.text))

    async def tick(self) -> bool:
        self.look()
        if self._changes.watched and self._clock.monotonic() >= self._ask_at:
            self._ask_at = self._clock.monotonic() + ASK_EVERY
            self._tell(Word(watching=True))
        if self._settled or self._elsewhere:
            here, elsewhere = self._settled, self._elsewhere
            self._settled, self._elsewhere = Counter(), Counter()
            self._publish_settled(here + elsewhere)
            rows = [(*key, count) for key, count in here.items()]
            for begin in range(0, len(rows), COUNTS_MAX):
                self._tell(Word(settled=rows[begin : begin + COUNTS_MAX]))
            await self._clock.sleep(PAUSE)
        return False

    def _succeeded(self, fact: AttemptsSucceeded) -> None:
        if self._counting and not fact.stale:
            self._count(self._live_claims.sources(fact.runs, fact.tokens), RunState.SUCCEEDED)
        self._live_claims.ended(fact.tokens)

    def _ended(self, fact: AttemptsEnded) -> None:
        if self._counting:
            for end in fact.ended:
                state = fact.states.get(end.run)
                if state is not None and state.final:
                    self._count(self._live_claims.sources([end.run], [end.token]), state)
        self._live_claims.ended([end.token for end in fact.ended])

    def heard(self, text: str) -> None:
        """Take in another server's hint; one of a newer release may make no sense here."""
        with suppress(msgspec.DecodeError, ValueError):
            self._take(msgspec.json.decode(text, type=Word))

    def _take(self, word: Word) -> None:
        if word.watching:
            self._asked_until = self._clock.monotonic() + ASKED_FOR
        if word.settled and self._changes.watched:
            for line, job, state, count in word.settled:
                if state in FINAL:
                    self._elsewhere[line, job, state] += count
            self.wake.set()
        if word.told is not None and self._changes.watched:
            kind, namespace, name, content = word.told
            self._changes.publish(ChangeKind(kind), namespace, content, jobs=(name,))

    def publish(self, kind: ChangeKind, namespace: str, job: str, content: dict[str, object]) -> None:
        """Tell of a change that only this server sees, here and elsewhere."""
        self._changes.publish(kind, namespace, content, jobs=(job,))
        if self._counting:
            self._tell(Word(told=(kind.value, namespace, job, content)))

    def _surveyed(self, fact: QueuesSurveyed) -> None:
        if not self._changes.watched:
            return
        survey = fact.survey
        lines: dict[Place, list[Depth]] = defaultdict(list)
        for number, depth in survey.depths.items():
            if (line := self._catalog.lines.get(number)) is not None:
                lines[line.namespace, line.queue].append(depth)
        depths = {place: together(each) for place, each in lines.items()}
        for place in sorted(depths.keys() | self._depths.keys()):
            depth = depths.get(place, Depth())
            if depth != self._depths.get(place, Depth()):
                content = {**msgspec.structs.asdict(depth), "taken_at": survey.taken_at}
                self._changes.publish(ChangeKind.QUEUE_DEPTH, place[0], content, queue=place[1])
        self._depths = depths

    def look(self) -> None:
        """Compare the catalog with its former state."""
        now = Seen(
            rules=self._catalog.rules,
            sessions={session.id: session for session in self._catalog.sessions},
            jobs=self._catalog.jobs_by_id,
        )
        before, self._seen = self._seen, now
        if before is None:
            return
        if before.rules is not now.rules:
            self._compare_rules(before.rules, now.rules)
        if before.jobs is not now.jobs:
            self._compare_jobs(before.jobs, now.jobs)
        self._compare_sessions(before.sessions, now.sessions)

    @property
    def _counting(self) -> bool:
        return self._clock.monotonic() < max(self._changes.watched_until, self._asked_until)

    def _count(self, sources: Counter[tuple[int, int]], state: RunState) -> None:
        for (line, job), count in sources.items():
            self._settled[line, job, int(state)] += count
        self.wake.set()

    def _tell(self, word: Word) -> None:
        self._hints.tell(msgspec.json.encode(word).decode())

    def _publish_settled(self, counts: Counter[Settled]) -> None:
        queues: dict[Place, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for (number, job_id, state), count in counts.items():
            line, job = self._catalog.lines.get(number), self._catalog.jobs_by_id.get(job_id)
            if line is not None and job is not None:
                queues[line.namespace, line.queue][job.name][RunState(state).label] += count
        for (namespace, queue), jobs in queues.items():
            content: dict[str, object] = {"jobs": {job: dict(states) for job, states in jobs.items()}}
            self._changes.publish(ChangeKind.RUNS_SETTLED, namespace, content, queue=queue, jobs=tuple(jobs))

    def _compare_rules(self, before: dict[Place, QueueRule], now: dict[Place, QueueRule]) -> None:
        for place in sorted(before.keys() | now.keys()):
            was, rule = before.get(place), now.get(place)
            namespace, queue = place[0], place[1] or None
            paused, pause = was and was.pause, rule and rule.pause
            if pause is not None and pause != paused:
                content = msgspec.structs.asdict(pause)
                self._changes.publish(ChangeKind.QUEUE_PAUSED, namespace, content, queue=queue)
            elif pause is None and paused is not None:
                self._changes.publish(ChangeKind.QUEUE_RESUMED, namespace, {}, queue=queue)
            budget = rule.max_queued if rule is not None else None
            if budget != (was.max_queued if was is not None else None):
                self._changes.publish(ChangeKind.QUEUE_BUDGET, namespace, {"max_queued": budget}, queue=queue)

    def _compare_sessions(self, before: dict[SessionId, Session], now: dict[SessionId, Session]) -> None:
        for kind, some, others in (
            (ChangeKind.EXECUTOR_ATTACHED, now, before),
            (ChangeKind.EXECUTOR_LEFT, before, now),
        ):
            for session in (some[one] for one in some if one not in others):
                content: dict[str, object] = {"executor": session.executor, "session": id_text(session.id)}
                self._changes.publish(kind, session.namespace, content)

    def _compare_jobs(self, before: dict[int, Job], now: dict[int, Job]) -> None:
        for number, job in now.items():
            if job != before.get(number):
                content: dict[str, object] = {"job": job.name, "version": job.version, "deleted": job.deleted}
                self._changes.publish(ChangeKind.JOB_CHANGED, job.namespace, content, jobs=(job.name,))


class Seen(msgspec.Struct, frozen=True):
    """The catalog as it was when it was last looked at."""

    rules: dict[Place, QueueRule]
    sessions: dict[SessionId, Session]
    jobs: dict[int, Job]
