"""An operator's operations on alerts: list, acknowledge, silence, and test channels."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.alerts.alert import Alert, AlertId, NoticeKind, NoticeTo, Silence, Transition
from mainspring.domain.alerts.channel import Channel, ChannelKind
from mainspring.domain.alerts.notice import Delivery, Notice, NoticeId, after_failure, after_success
from mainspring.domain.ids import Ids
from mainspring.domain.names import QUEUE_MAX, check_text
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.alerts.ack_links import AckLinks
from mainspring.scheduler.alerts.evaluate_alerts import new_notice
from mainspring.scheduler.alerts.known_definitions import AlertDefinitions, KnownDefinitions
from mainspring.scheduler.alerts.send_notices import SendNotices
from mainspring.scheduler.facts import AlertsChanged, Facts
from mainspring.scheduler.operations.queues import check_reason
from mainspring.store.interface import AlertFilter, NoticeFilter, Store

SILENCE_MAX = timedelta(days=90)


class AlertOperations:
    """Each change is one transaction, audited."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        sending: SendNotices,
        links: AckLinks,
        definitions: KnownDefinitions,
        facts: Facts,
    ) -> None:
        self._store, self._clock, self._ids, self._sending, self._links = store, clock, ids, sending, links
        self._definitions, self._facts = definitions, facts

    async def linked(self, text: str) -> Alert:
        """The alert of a link in a message; raises NotFoundError."""
        link = self._links.read(text)
        return await self.get(link.namespace, bytes.fromhex(link.alert))

    async def acknowledge_linked(self, text: str) -> Alert:
        """Acknowledge the alert of a link in a message; raises NotFoundError."""
        link = self._links.read(text)
        actor = Actor(f"link in channel {link.channel}")
        return await self.acknowledge(link.namespace, bytes.fromhex(link.alert), note="", actor=actor)

    async def get(self, namespace: str, alert: bytes) -> Alert:
        """Raises NotFoundError."""
        for found in await self._store.alerts.get([AlertId(alert)]):
            if found.namespace == namespace:
                return found
        raise NotFoundError("alert", alert.hex())

    async def acknowledge(self, namespace: str, alert: bytes, *, note: str, actor: Actor) -> Alert:
        """Stop repeats and escalation; an alert that is over stays as it is. Raises NotFoundError."""
        now, said = self._clock.now(), check_reason(note)
        known = await self._definitions.read()

        def acknowledged(present: Alert) -> Transition | None:
            if not present.is_open or present.acked_at is not None:
                return None
            made = msgspec.structs.replace(
                present, acked_at=now, acked_by=actor.name, note=said, revision=present.revision + 1
            )
            return Transition(alert=made, before=present.revision, notices=acknowledgements(present, known))

        entry = self._entry(namespace, "alert.acknowledge", "alert", alert.hex(), actor, {"note": said})
        found = await self._store.alerts.steer(namespace, AlertId(alert), acknowledged, self._new_notice, entry=entry)
        if found is None:
            raise NotFoundError("alert", alert.hex())
        self._facts.publish(AlertsChanged())
        return found

    def _new_notice(self) -> NoticeId:
        return NoticeId(self._ids.noise(16))

    async def silences(self, namespace: str) -> list[Silence]:
        return [one for one in await self._store.alerts.silences(now=self._clock.now()) if one.namespace == namespace]

    async def silence(
        self, namespace: str, *, rule: str, subject: str, until: datetime, reason: str, actor: Actor
    ) -> Silence:
        """Keep back notices about matching alerts until then; raises InvalidInputError."""
        now = self._clock.now()
        for field, text in (("rule", rule), ("subject", subject)):
            check_text(text, field, most=2 * QUEUE_MAX, code="bad_silence")
        if not now < until <= now + SILENCE_MAX:
            raise InvalidInputError("until", f"is in the future, up to {SILENCE_MAX.days} days", code="bad_silence")
        made = Silence(
            id=self._ids.noise(16),
            namespace=namespace,
            rule=rule,
            subject=subject,
            until=until,
            author=actor.name,
            reason=check_reason(reason),
            made_at=now,
        )
        details = {"rule": rule, "subject": subject, "until": until, "reason": made.reason}
        entry = self._entry(namespace, "silence.create", "silence", made.id.hex(), actor, details)
        await self._store.alerts.silence(made, entry=entry)
        return made

    async def end_silence(self, namespace: str, silence: bytes, *, actor: Actor) -> None:
        """Raises NotFoundError."""
        entry = self._entry(namespace, "silence.end", "silence", silence.hex(), actor, {})
        if not await self._store.alerts.end_silence(namespace, silence, entry=entry):
            raise NotFoundError("silence", silence.hex())

    async def test(self, channel: Channel, *, actor: Actor) -> tuple[Notice, Delivery]:
        """Send a marked message now, and keep the answer in the delivery log."""
        now = self._clock.now()
        notice = new_notice(NoticeId(self._ids.noise(16)), channel, NoticeKind.TEST, [], now)
        message = self._sending.compose(channel, notice, [], now)
        answer = await self._sending.deliver(channel, message)
        final = msgspec.structs.replace(answer, again=False)
        settled = after_success(notice, answer, now) if answer.ok else after_failure(notice, final, now)
        entry = self._entry(channel.namespace, "channel.test", "channel", channel.name, actor, {"ok": answer.ok})
        await self._store.notices.add(settled, entry=entry)
        return settled, answer

    async def notices(self, query: NoticeFilter) -> list[Notice]:
        return await self._store.notices.list(query)

    def _entry(self, namespace: str, act: str, kind: str, key: str, actor: Actor, details: object) -> AuditEntry:
        encoded = msgspec.json.encode(details)
        return AuditEntry(
            at=self._clock.now(), actor=actor, namespace=namespace, act=act, kind=kind, key=key, details=encoded
        )

    # Last in the class: after it, `list` names this method.
    async def list(self, query: AlertFilter) -> Sequence[Alert]:
        """A page of alerts, the newest first."""
        return await self._store.alerts.list(query)


def acknowledgements(alert: Alert, known: AlertDefinitions) -> tuple[NoticeTo, ...]:
    """To channels that keep an incident of the alert, which goes on calling people until it is acknowledged there."""
    keeping = {
        one.name
        for one in known.channels
        if one.namespace == alert.namespace and one.spec.kind is ChannelKind.PAGERDUTY
    }
    return tuple(
        NoticeTo(name, NoticeKind.ACKNOWLEDGE, alert.rule) for name in sorted(keeping.intersection(alert.told))
    )
