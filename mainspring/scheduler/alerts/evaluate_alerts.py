"""Evaluates alert rules every few seconds, on the server that holds the lease."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import NAMESPACE_DEFAULT
from mainspring.domain.alerts.alert import Alert, AlertId, AlertState, NoticeKind, Transition
from mainspring.domain.alerts.channel import Channel, ChannelKind
from mainspring.domain.alerts.conditions import BUILT_IN, OF_SLO, breaches
from mainspring.domain.alerts.decide import Round, decide
from mainspring.domain.alerts.notice import KEPT, Notice, NoticeId, NoticeState
from mainspring.domain.alerts.rule import AlertKind, AlertRule, AlertSpec, Severity
from mainspring.domain.ids import Ids, ServerId
from mainspring.domain.queues.rollup import EPOCH
from mainspring.domain.slos.slo import Slo
from mainspring.scheduler.alerts.gather import Gather
from mainspring.scheduler.alerts.known_definitions import KnownDefinitions
from mainspring.scheduler.alerts.trigger_successes import Calendars
from mainspring.scheduler.facts import AlertsChanged, Facts
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.alerts")

LEASE = timedelta(seconds=20)
CHUNK = 500
"""Transitions that are written in one transaction."""
REFRESH = 60.0
UTC_ZONE = ZoneInfo("UTC")
PRUNE = 3600.0


class EvaluateAlerts:
    """The lease saves work: two servers that both believe to hold it write each transition once all the same."""

    name = "evaluate_alerts"
    period = 5.0

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        server: ServerId,
        gather: Gather,
        facts: Facts,
        definitions: KnownDefinitions,
        calendars: Calendars,
    ) -> None:
        self.wake = asyncio.Event()
        self._definitions, self._calendars = definitions, calendars
        self._store, self._clock, self._ids, self._server = store, clock, ids, server
        self._gather, self._facts = gather, facts
        self._said_at: dict[tuple[str, str], float] = {}
        """By channel, when it was last sent a message that no alert asks for."""
        self._prune_at = clock.monotonic() + PRUNE

    async def tick(self) -> bool:
        now = self._clock.now()
        if not await self._store.alerts.hold(self.name, self._server, now=now, until=now + LEASE):
            return False
        await self.evaluate(now)
        await self._prune(now)
        return False

    async def evaluate(self, now: datetime) -> None:
        """Judge all rules, and write how alerts change."""
        # Before the rules: the alert of a rule that was made a moment ago is not taken for one whose rule is gone.
        alerts = await self._store.alerts.open()
        known = await self._definitions.read()
        channels, slos = known.channels, known.slos
        rules = all_rules(known.rules, channels, slos)
        findings = await self._gather.gather(rules, slos, now)
        found = {(rule.namespace, rule.name): breaches(rule, findings) for rule in rules}
        round_ = Round(
            now=now,
            new_id=self._new_alert,
            silences=await self._store.alerts.silences(now=now),
            known={(one.namespace, one.name) for one in channels},
            quiet=quiet_rules(rules, self._calendars, now),
        )
        await self._write(decide(rules, found, alerts, round_), now)
        await self._keep_alive(channels, rules, alerts, now)

    async def _write(self, transitions: Sequence[Transition], now: datetime) -> None:
        for start in range(0, len(transitions), CHUNK):
            won = await self._store.alerts.change(transitions[start : start + CHUNK], self._new_notice, now=now)
            for one in won:
                announce(one.alert)
            self._facts.publish(AlertsChanged())

    async def _keep_alive(
        self, channels: Iterable[Channel], rules: Sequence[AlertRule], alerts: Sequence[Alert], now: datetime
    ) -> None:
        """Messages that no change of an alert asks for: pings, and alerts that an Alertmanager would forget."""
        for channel in channels:
            if channel.spec.alive is not None and self._is_due(channel, NoticeKind.ALIVE, channel.spec.alive):
                await self._add(channel, NoticeKind.ALIVE, (), now)
            if channel.spec.kind is not ChannelKind.ALERTMANAGER:
                continue
            firing = firing_for(channel, rules, alerts)
            if firing and self._is_due(channel, NoticeKind.REFRESH, REFRESH):
                await self._add(channel, NoticeKind.REFRESH, firing, now)

    def _is_due(self, channel: Channel, kind: NoticeKind, every: float) -> bool:
        key, now = (f"{channel.namespace} {channel.name}", kind.value), self._clock.monotonic()
        if key in self._said_at and now - self._said_at[key] < every:
            return False
        self._said_at[key] = now
        return True

    async def _add(self, channel: Channel, kind: NoticeKind, alerts: Sequence[Alert], now: datetime) -> None:
        notice = new_notice(self._new_notice(), channel, kind, [one.id.hex() for one in alerts], now)
        await self._store.notices.add(notice)
        self._facts.publish(AlertsChanged())

    async def _prune(self, now: datetime) -> None:
        if self._clock.monotonic() >= self._prune_at:
            self._prune_at = self._clock.monotonic() + PRUNE
            await self._store.alerts.prune(before=now - KEPT)

    def _new_alert(self) -> AlertId:
        return AlertId(self._ids.noise(16))

    def _new_notice(self) -> NoticeId:
        return NoticeId(self._ids.noise(16))


def quiet_rules(rules: Iterable[AlertRule], calendars: Calendars, now: datetime) -> set[tuple[str, str]]:
    """The rules whose calendar leaves this instant out; a calendar that is gone asks for no quiet."""
    asked = [(rule, rule.spec.quiet.calendar) for rule in rules if rule.spec.quiet is not None]
    return {
        (rule.namespace, rule.name)
        for rule, name in asked
        if (calendar := calendars((rule.namespace, name))) is not None
        and not calendar.is_free(now, calendar.zone or UTC_ZONE)
    }


def all_rules(stored: Iterable[AlertRule], channels: Iterable[Channel], slos: Iterable[Slo]) -> list[AlertRule]:
    """The rules that operators made, those about the cluster, and those that come with SLOs."""
    return [*stored, *built_in(channels), *burn_rules(slos)]


def built_in(channels: Iterable[Channel]) -> list[AlertRule]:
    """The rules about the cluster; the channels of the default namespace that ask for it are told."""
    told = tuple(one.name for one in channels if one.spec.cluster and one.namespace == NAMESPACE_DEFAULT)
    return [
        AlertRule(
            namespace=NAMESPACE_DEFAULT,
            name=name,
            spec=msgspec.structs.replace(spec, notify=told),
            updated_at=EPOCH,
        )
        for name, spec in BUILT_IN.items()
    ]


def burn_rules(slos: Iterable[Slo]) -> list[AlertRule]:
    """The rules that come with each SLO: a page for a fast burn, a warning for a slow one."""
    return [
        AlertRule(
            namespace=one.namespace,
            name=f"{OF_SLO}{one.name}.{pace}",
            spec=AlertSpec(kind=AlertKind.SLO_BURN, slo=one.name, severity=severity, notify=one.spec.notify),
            updated_at=one.updated_at,
        )
        for one in slos
        for pace, severity in (("fast", Severity.PAGE), ("slow", Severity.WARN))
    ]


def firing_for(channel: Channel, rules: Sequence[AlertRule], alerts: Sequence[Alert]) -> list[Alert]:
    """The alerts that fire and that a channel was told of, as far as their rules still name it."""
    mine = {
        one.name
        for one in rules
        if one.namespace == channel.namespace and channel.name in (*one.spec.notify, *one.spec.escalate_to)
    }
    return [
        one
        for one in alerts
        if one.state is AlertState.FIRING
        and one.namespace == channel.namespace
        and one.rule in mine
        and channel.name in one.told
    ]


def new_notice(notice: NoticeId, channel: Channel, kind: NoticeKind, alerts: Sequence[str], now: datetime) -> Notice:
    return Notice(
        id=notice,
        namespace=channel.namespace,
        channel=channel.name,
        kind=kind,
        group="",
        alerts=tuple(alerts),
        state=NoticeState.WAITING,
        next_at=now,
        made_at=now,
    )


def announce(alert: Alert) -> None:
    """Log an alert that begins to fire, and its end."""
    place = f"{alert.rule} of {alert.namespace}: {alert.subject}"
    if alert.ended_at is not None and alert.fired_at is not None:
        log.info("alert resolved: %s", place)
    elif alert.fired_at is not None and alert.notices <= 1 and alert.clear_at is None and not alert.acked_at:
        log.warning("alert fires: %s: %s", place, alert.words)
