"""Sends notices to their channels, on any server: taken under a token, sent, and settled with the answer."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Protocol
from urllib.parse import quote

import msgspec

from mainspring.clock import Clock
from mainspring.domain.alerts.alert import Alert, AlertId, NoticeKind
from mainspring.domain.alerts.channel import Channel, per_minute
from mainspring.domain.alerts.notice import (
    ASKING,
    NO_HINT,
    Delivery,
    Hint,
    Hints,
    Notice,
    NoticeId,
    NoticeState,
    NoticeText,
    after_failure,
    after_success,
    compose,
)
from mainspring.domain.alerts.rule import AlertRule
from mainspring.domain.alerts.trouble import remedy_of
from mainspring.domain.ids import Ids
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.family import Series
from mainspring.domain.metrics.numbers import Totals
from mainspring.errors import MainspringError
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.alerts.ack_links import AckLinks
from mainspring.scheduler.alerts.evaluate_alerts import all_rules
from mainspring.scheduler.alerts.failure_words import Rules, failure_words
from mainspring.scheduler.alerts.known_definitions import KnownDefinitions
from mainspring.scheduler.facts import AlertsChanged, Facts
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.alerts")

IDLE, BUSY = 5.0, 1.0
RESULTS = {NoticeState.SENT: "sent", NoticeState.WAITING: "again", NoticeState.FAILED: "failed"}


class Sender(Protocol):
    """Carries a message to a channel; `secrets` are the fields that were sealed. It raises nothing."""

    async def send(self, channel: Channel, secrets: dict[str, str], message: NoticeText) -> Delivery: ...

    def warnings(self, channel: Channel) -> list[str]:
        """What would keep a message from being sent, as far as it can be seen without sending one."""


class NoCourier:
    """Stands where nothing can be sent, such as in a simulation without channels."""

    async def send(self, channel: Channel, secrets: dict[str, str], message: NoticeText) -> Delivery:  # noqa: ARG002
        return Delivery(ok=False, words="this server sends nothing", again=True)

    def warnings(self, channel: Channel) -> list[str]:  # noqa: ARG002
        return []


class SendNotices:
    """Every channel by itself: one that is slow or away keeps no other one waiting."""

    name = "send_notices"

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        vault: Vault,
        courier: Sender,
        facts: Facts,
        definitions: KnownDefinitions,
        links: AckLinks,
        *,
        console: str,
    ) -> None:
        self.wake = asyncio.Event()
        self._definitions = definitions
        self.period = IDLE
        self._store, self._clock, self._ids = store, clock, ids
        self._vault, self._courier, self._console = vault, courier, console.rstrip("/")
        self._links = links
        self._tries = Totals(declared.NOTICES)
        facts.wake(self.wake, AlertsChanged)

    def series(self) -> list[Series]:
        return [self._tries.series()]

    async def tick(self) -> bool:
        unsent = await self._store.notices.unsent()
        self.period = BUSY if unsent else IDLE
        if not unsent:
            return False
        known = await self._definitions.read()
        channels = {(one.namespace, one.name): one for one in known.channels}
        rules = {(one.namespace, one.name): one for one in all_rules(known.rules, known.channels, known.slos)}
        sending = [self._send_all(place, channels.get(place), rules) for place in unsent]
        await asyncio.gather(*sending)
        return False

    async def _send_all(self, place: tuple[str, str], channel: Channel | None, rules: Rules) -> None:
        token = self._ids.token()
        taken = await self._store.notices.take(
            *place,
            per_minute=1000 if channel is None else per_minute(channel.spec),
            token=token,
            new_id=NoticeId(self._ids.noise(16)),
            now=self._clock.now(),
        )
        for notice in taken:
            if channel is None:
                settled = given_up(notice, "the channel was deleted")
            else:
                settled = await self._send(channel, notice, rules)
            await self._store.notices.settle(settled, token)
            if settled.state is NoticeState.WAITING:
                # The rest of the channel's notices wait too, so that they arrive in order.
                break

    async def _send(self, channel: Channel, notice: Notice, rules: Rules) -> Notice:
        message = await self._compose(channel, notice, rules)
        answer = await self.deliver(channel, message)
        now = self._clock.now()
        settled = after_success(notice, answer, now) if answer.ok else after_failure(notice, answer, now)
        self._tries.add((channel.spec.kind.value, RESULTS[settled.state]))
        if answer.ok:
            return settled
        level = logging.ERROR if settled.state is NoticeState.FAILED else logging.WARNING
        log.log(level, "channel %s of %s: %s", channel.name, channel.namespace, answer.words)
        return settled

    async def deliver(self, channel: Channel, message: NoticeText) -> Delivery:
        """Send a message now."""
        try:
            secrets = self.secrets_of(channel)
        except MainspringError as error:
            return Delivery(ok=False, words=str(error))
        return await self._courier.send(channel, secrets, message)

    def warnings(self, channel: Channel) -> list[str]:
        return self._courier.warnings(channel)

    def secrets_of(self, channel: Channel) -> dict[str, str]:
        """The channel's secrets by field; raises SecretLockedError."""
        if not channel.secrets:
            return {}
        opened = self._vault.open(channel.secrets, f"{channel.namespace} {channel.name}")
        return msgspec.json.decode(opened, type=dict[str, str])

    async def _compose(self, channel: Channel, notice: Notice, rules: Rules) -> NoticeText:
        alerts = await self._store.alerts.get([AlertId(bytes.fromhex(one)) for one in notice.alerts])
        details = await failure_words(self._store, alerts, rules) if channel.spec.details else {}
        hints = {one.id: hint_of(one, rules.get((one.namespace, one.rule))) for one in alerts}
        return self.compose(channel, notice, alerts, self._clock.now(), hints=hints, details=details)

    def compose(
        self,
        channel: Channel,
        notice: Notice,
        alerts: list[Alert],
        now: datetime,
        *,
        hints: Hints = MappingProxyType({}),
        details: Mapping[AlertId, str] = MappingProxyType({}),
    ) -> NoticeText:
        shown = alerts if notice.kind is not NoticeKind.REFRESH else [one for one in alerts if one.is_open]
        link = f"{self._console}/{quote(notice.namespace, safe='')}/alerts" if self._console else ""
        message = compose(notice, shown, link=link, hints=hints, details=details, now=now)
        if len(shown) != 1 or notice.kind not in ASKING:
            return message
        return msgspec.structs.replace(message, acknowledge=self._links.url(channel, shown[0]))


def hint_of(alert: Alert, rule: AlertRule | None) -> Hint:
    if rule is None:
        return NO_HINT
    return Hint(rule.spec.runbook, remedy_of(rule.spec.kind, alert.subject, alert.run))


def given_up(notice: Notice, words: str) -> Notice:
    return msgspec.structs.replace(notice, state=NoticeState.FAILED, answer=words, token=None)
