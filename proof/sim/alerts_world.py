"""Two servers that both believe to hold the lease of the evaluation, and are killed at each of its steps."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.alerts.alert import Silence
from mainspring.domain.alerts.channel import Channel, ChannelKind, ChannelSpec
from mainspring.domain.alerts.findings import EndedRuns, Findings
from mainspring.domain.alerts.notice import Delivery, NoticeText
from mainspring.domain.alerts.rule import AlertKind, AlertRule, AlertSpec, Severity
from mainspring.domain.ids import Ids, ServerId
from mainspring.domain.slos.slo import Slo
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.alerts.ack_links import AckLinks
from mainspring.scheduler.alerts.evaluate_alerts import EvaluateAlerts
from mainspring.scheduler.alerts.known_definitions import KnownDefinitions
from mainspring.scheduler.alerts.send_notices import SendNotices
from mainspring.scheduler.duty import Health, perform
from mainspring.scheduler.facts import Facts
from mainspring.store.interface.alerts.alerts import Defining
from mainspring.store.sqlite.store import SqliteStore
from mainspring.store.sqlite.transactions import Act
from proof.sim.clock import NOON, Machine, SimClock
from proof.sim.database import Database, Direct, SimConnection
from proof.sim.loop import Process, SimLoop
from proof.sim.sometimes import Sometimes
from proof.sim.streams import stream

T = TypeVar("T")
NAMESPACE, RULE, CHANNEL = "default", "fails", "ops"
JOBS = tuple(f"job-{number}" for number in range(6))
OVER = 300.0
TROUBLE = 1800.0
"""Seconds in which jobs fail, servers die, and the channel is away."""
CALM = 4500.0
"""Seconds without any of it, in which everything has to come through."""
RESTART = (1.0, 20.0)
RULES = AlertSpec(kind=AlertKind.RUN_FAILED, job="*", over=OVER, notify=(CHANNEL,))
HOOK = ChannelSpec(kind=ChannelKind.WEBHOOK, url="env:HOOK")


class Sent(msgspec.Struct):
    """A message that the channel took."""

    notice: str
    kind: str
    alerts: tuple[str, ...]
    at: float
    server: str


class Leased:
    """A store that gives every server the lease."""

    def __init__(self, store: Any) -> None:
        self._store = store

    async def hold(self, *_lease: object, **_until: object) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return self if name == "alerts" else getattr(self._store.alerts, name, None) or getattr(self._store, name)


class DeadlyConnection(SimConnection):
    """A way to the database on which a server may die, before a commit or between it and its answer."""

    def __init__(self, database: Database, process: Process, draws: random.Random, world: "AlertsWorld") -> None:
        super().__init__(database, process, draws)
        self._world = world

    async def _call(self, act: Act[T], *, writes: bool) -> T:
        if writes:
            await self._world.maybe_die(self._process, "before a commit")
        value = await super()._call(act, writes=writes)
        if writes:
            await self._world.maybe_die(self._process, "after a commit")
        return value


class Script:
    """When each job fails, and when the channel is away, as drawn."""

    def __init__(self, draws: random.Random) -> None:
        self.failing = {job: drawn_spans(draws) for job in JOBS}
        self.away = drawn_spans(draws)
        self.silenced = drawn_spans(draws)
        """When the notices of each job are kept back."""
        self.gone = [(at, at + draws.uniform(10.0, 60.0)) for at, _ in drawn_spans(draws)]
        """When the rule is deleted, and when it is made again."""

    async def gather(self, _rules: Sequence[AlertRule], _slos: Sequence[Slo], now: datetime) -> Findings:
        """The facts of that moment; the roll-ups are fresh."""
        second = (now - NOON).total_seconds()
        failed = {
            (NAMESPACE, job): EndedRuns(1, 0, "OSError") for job, spans in self.failing.items() if within(second, spans)
        }
        return Findings(now=now, counted_until=now, surveyed_at=now, jobs={OVER: failed})


class AlertsWorld:
    """One database, one channel, two servers."""

    def __init__(self, seed: int, loop: SimLoop) -> None:
        self.seed, self.loop = seed, loop
        self.reached: Counter[str] = Counter()
        """The steps at which servers were killed, and other trouble."""
        self.database = Database(loop, SimClock(Machine(loop, NOON)), NOON, Sometimes())
        self.script = Script(stream(seed, "script"))
        self.sent: list[Sent] = []
        self.killed: dict[str, float] = {}
        """By server, when it died."""
        self._fate = stream(seed, "fate")
        self._starts = 0

    async def define(self) -> None:
        channel = Defining(noun="channel", name=CHANNEL, spec=HOOK, updated_at=NOON)
        await self._store.alerts.define(NAMESPACE, [self._rule(), channel], [], [])

    async def operate(self) -> None:
        """The operator: silences, and deletes the rule and makes it again."""
        acts = [
            *((begin, self._silence, end) for begin, end in self.script.silenced),
            *((begin, self._delete_rule, end) for begin, end in self.script.gone),
            *((end, self._make_rule, begin) for begin, end in self.script.gone),
        ]
        for at, act, other in sorted(acts, key=lambda one: one[0]):
            await asyncio.sleep(max(0.0, at - self.loop.time()))
            await act(other)

    async def _silence(self, until: float) -> None:
        self.reached["silenced"] += 1
        silence = Silence(
            id=self._fate.randbytes(16),
            namespace=NAMESPACE,
            until=NOON + timedelta(seconds=until),
            author="anna",
            reason="",
            made_at=self.database.clock.now(),
        )
        entry = AuditEntry(
            at=silence.made_at, actor=Actor("anna"), namespace=NAMESPACE, act="silence.create", kind="silence", key=""
        )
        await self._store.alerts.silence(silence, entry=entry)

    async def _delete_rule(self, _until: float) -> None:
        firing = self.database.rows("SELECT count(*) FROM alerts WHERE ended_at IS NULL AND told <> x'5b5d'")
        self.reached["a firing rule deleted"] += bool(firing[0][0])
        await self._store.alerts.define(NAMESPACE, [], [("rule", RULE)], [])

    async def _make_rule(self, _since: float) -> None:
        await self._store.alerts.define(NAMESPACE, [self._rule()], [], [])

    def _rule(self) -> Defining:
        # A page waits for no company, anything else does.
        severity = Severity.PAGE if self.seed % 3 == 0 else Severity.WARN
        spec = msgspec.structs.replace(RULES, severity=severity)
        return Defining(noun="rule", name=RULE, spec=spec, updated_at=self.database.clock.now())

    @property
    def _store(self) -> SqliteStore:
        return SqliteStore(Direct(self.database._writer), clock=self.database.clock)

    def start(self, name: str) -> None:
        """Start a server, with two tasks: one evaluates, one sends."""
        self._starts += 1
        process = self.loop.enter(f"{name}.{self._starts}")
        # Its clock is up to two seconds off: transitions are not ordered by clocks.
        clock = SimClock(Machine(self.loop, NOON, self._fate.uniform(-2, 2)))
        connection = DeadlyConnection(self.database, process, stream(self.seed, "store", self._starts), self)
        store: Any = SqliteStore(connection, clock=self.database.clock)
        ids, facts = Ids(stream(self.seed, "ids", self._starts).randbytes), Facts()
        known = KnownDefinitions(store, clock)
        server = ServerId(ids.noise(16))
        watched: Any = Leased(store), clock, ids, server, self.script, facts, known, {}.get
        evaluating = EvaluateAlerts(*watched)
        courier = SimCourier(self, process)
        links = AckLinks(Vault(), ids, clock, "")
        sending = SendNotices(store, clock, ids, Vault(), courier, facts, known, links, console="")
        for duty in (evaluating, sending):
            work = perform(duty, clock, Health(), asyncio.Event(), ids.fraction)
            process.context.copy().run(partial(asyncio.ensure_future, work, loop=self.loop))

    async def maybe_die(self, process: Process, where: str) -> None:
        """Kill -9 of that server now, sometimes; another one starts in its place."""
        share = 0.04 if where == "while sending" else 0.01
        if self.loop.time() < TROUBLE and process.alive and self._fate.random() < share:
            self.reached[f"killed {where}"] += 1
            self.killed[process.name] = self.loop.time()
            self.loop.kill(process)
            name = process.name.partition(".")[0]
            self.loop.outside(self.loop.time() + self._fate.uniform(*RESTART), self.start, name)
            # Nothing of a dead process goes on.
            await asyncio.get_running_loop().create_future()

    @property
    def is_away(self) -> bool:
        return within(self.loop.time(), self.script.away)


class SimCourier:
    """The channel as one server reaches it; what it takes, it keeps."""

    def __init__(self, world: AlertsWorld, process: Process) -> None:
        self._world, self._process = world, process

    async def send(self, channel: Channel, secrets: dict[str, str], message: NoticeText) -> Delivery:
        del channel, secrets
        world = self._world
        await asyncio.sleep(world._fate.uniform(0.01, 3.0))
        await world.maybe_die(self._process, "while sending")
        if world.is_away:
            world.reached["channel away"] += 1
            return Delivery(ok=False, words="away")
        alerts = tuple(one.id.hex() for one in message.alerts)
        world.sent.append(Sent(message.id, message.kind.value, alerts, world.loop.time(), self._process.name))
        await world.maybe_die(self._process, "while sending")
        return Delivery(ok=True, words="200")

    def warnings(self, channel: Channel) -> list[str]:
        del channel
        return []


def drawn_spans(draws: random.Random) -> list[tuple[float, float]]:
    """Spans of trouble within the first half an hour."""
    edges = sorted(draws.uniform(0, TROUBLE) for _ in range(2 * draws.randint(1, 3)))
    return list(zip(edges[::2], edges[1::2], strict=True))


def within(second: float, spans: Sequence[tuple[float, float]]) -> bool:
    return any(begin <= second < end for begin, end in spans)


def outside(span: tuple[float, float], gaps: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The parts of a span that no gap covers."""
    parts, since = [], span[0]
    for begin, end in sorted(gaps):
        if since < min(begin, span[1]):
            parts.append((since, min(begin, span[1])))
        since = max(since, end)
    return [*parts, (since, span[1])] if since < span[1] else parts


def longest(spans: Sequence[tuple[float, float]]) -> timedelta:
    return timedelta(seconds=max(end - begin for begin, end in spans))
